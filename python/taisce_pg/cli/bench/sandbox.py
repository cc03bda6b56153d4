"""`taisce-pg bench sandbox`: how long the checker of open SQL takes."""

from __future__ import annotations

import click
from rich.table import Table

from taisce_pg.cli.report import console, print_json


@click.command(epilog="\b\nExample: taisce-pg bench sandbox --rounds 50")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=200, show_default=True, help="Checks a size."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def sandbox(ctx: click.Context, /, rounds: int, as_json: bool) -> None:
    """Measure the checker of open SQL by processor time; it needs no server.

    Ordinary queries of three sizes are checked again and again. The goal is a median of 5 ms for
    a query of 1 kB.
    """
    from taisce_pg.bench.sandbox import table

    figures = [
        {"bytes": size, "median_ms": round(median, 2), "p95_ms": round(late, 2)}
        for size, median, late in table(rounds)
    ]
    if as_json:
        print_json({"rounds": rounds, "checks": figures})
        return
    shown = Table("bytes", "median ms", "p95 ms", box=None)
    for one in figures:
        shown.add_row(*(str(value) for value in one.values()))
    console(ctx).print(shown)
