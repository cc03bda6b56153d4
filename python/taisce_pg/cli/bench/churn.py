"""`taisce-pg bench churn`: what many supersessions leave behind."""

from __future__ import annotations

import click
from rich.table import Table

from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.report import ERROR, console, print_json

_GROWTH = 1.1
"""How many times the pages of a version, or the buffers of a recall, may grow."""


@click.command("churn", epilog="\b\nExample: taisce-pg bench churn --supersessions 1000000")
@click.option(
    "--supersessions",
    type=click.IntRange(min=1_000),
    default=100_000,
    show_default=True,
    help="Facts to end.",
)
@click.option(
    "--values",
    type=click.IntRange(min=1),
    default=1_000,
    show_default=True,
    help="Values that are replaced in turn.",
)
@click.option("--steps", type=click.IntRange(min=2), default=10, show_default=True)
@click.option(
    "--check", is_flag=True, help="Fail if pages a version or a recall grow by over a tenth."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def churn(
    ctx: click.Context, supersessions: int, values: int, steps: int, check: bool, as_json: bool
) -> None:
    """Count what supersessions leave behind: pages, dead rows, and what a recall reads then.

    In a database of its own on the server, with the server's autovacuum. Nothing is timed. Needs a
    superuser, and some 6 GB for a million.
    """
    from taisce_pg.bench.churn import State, measure

    databases = open_databases(ctx)
    states: list[State] = []
    try:
        conn = databases.empty("churn")
        reader = databases.connect("taisce_bench_churn")
        for state in measure(conn, reader, supersessions, values, steps):
            databases.say(f"{state.superseded:,} superseded")
            states.append(state)
    finally:
        databases.close()
    first, last = states[0], states[-1]
    growth = {
        "pages_a_version": last.pages_a_version() / first.pages_a_version(),
        "recall_now": last.now / first.now,
    }
    if as_json:
        print_json({"states": [state.to_dict() for state in states], "growth": growth})
    else:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for name in (
            "superseded",
            "versions",
            "pages a version",
            "dead",
            "vacuums",
            "recall now",
            "known early",
        ):
            table.add_column(name, justify="right")
        for state in states:
            table.add_row(
                f"{state.superseded:,}",
                f"{state.versions:,}",
                f"{state.pages_a_version():.4f}",
                f"{state.dead_share():.1%}",
                str(state.tables["fact_version"].vacuums),
                f"{state.now:,}",
                f"{state.early:,}",
            )
        console(ctx).print(table)
    if check and any(value > _GROWTH for value in growth.values()):
        ctx.exit(ERROR)
