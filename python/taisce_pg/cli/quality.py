"""`taisce-pg bench quality`: how well questions find the messages that answer them."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from taisce_pg.cli.report import console, print_json


@click.command(epilog="\b\nExample: taisce-pg bench quality --data conversations/")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Folder with questions.jsonl and a NAME.ndjson for each project, or that questions file.",
)
@click.option("--keep/--drop", help="Keep the database; default drop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def quality(ctx: click.Context, data: Path, keep: bool, as_json: bool) -> None:
    """Measure how well questions find the messages that answer them, beside rank_bm25.

    Each memory is loaded into a project of its own, in a database of its own on the server. Needs
    a superuser and the extra `bench`.
    """
    from taisce_pg.bench import quality as measured
    from taisce_pg.bench.databases import Databases
    from taisce_pg.connection import resolve_dsn

    talk = console(ctx, talk=True)
    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    databases = Databases(target, 1, keep, lambda text: talk.print(text, style="dim"))
    try:
        found = measured.measure(
            databases.empty("quality"), data, lambda text: talk.print(text, style="dim")
        )
    finally:
        databases.close()
    if as_json:
        print_json(
            {
                "figures": [tally.to_dict() for tally in found.tallies],
                "gain_of_recall_at_10": found.gains,
            }
        )
        return
    table = Table(box=None, header_style="bold")
    for name in ("ranking", "class"):
        table.add_column(name, no_wrap=True)
    for name in ("n", "R@5", "R@10", "R@20", "all@10", "all in 4k", "MRR"):
        table.add_column(name, justify="right")
    for tally in found.tallies:
        table.add_row(
            tally.way,
            tally.category,
            str(tally.questions),
            *(f"{tally.recall[cut]:.3f}" for cut in measured.CUTS),
            f"{tally.all_gold:.3f}",
            f"{tally.fits:.3f}",
            f"{tally.mrr:.3f}",
        )
    out = console(ctx)
    out.print(table)
    for way, (mean, low, high) in found.gains.items():
        out.print(
            f"{way}: R@10 {mean:+.3f} beside rank_bm25 "
            f"(95 % of resamples {low:+.3f} to {high:+.3f})"
        )
