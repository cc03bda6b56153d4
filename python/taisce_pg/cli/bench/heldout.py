"""`taisce-pg bench held-out`: the weights of words judged where they were not chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.report import console, print_json

if TYPE_CHECKING:
    from taisce_pg.bench.heldout import HeldOut, Score


@click.command("held-out", epilog="\b\nExample: taisce-pg bench held-out --data conversations/")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Folder with questions.jsonl and a NAME.ndjson for each project, or that questions file.",
)
@click.option("--keep/--drop", help="Keep the database; default drop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def held_out(ctx: click.Context, data: Path, keep: bool, as_json: bool) -> None:
    """Judge the weights of the passage ranking on conversations they were not chosen on.

    Each conversation is held out in turn: the others choose between the shipped weights and those
    with one weight halved, doubled or taken away. Needs a superuser and at least two projects.
    """
    from taisce_pg.bench import heldout

    databases = open_databases(ctx, keep=keep)
    try:
        found = heldout.held_out(databases.empty("heldout"), data, databases.say)
    finally:
        databases.close()
    _show(ctx, found, as_json)


def _show(ctx: click.Context, found: HeldOut, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "folds": [
                    {
                        "project": fold.project,
                        "chosen": fold.chosen,
                        "held_out": fold.score.to_dict(),
                        "shipped": fold.shipped.to_dict(),
                    }
                    for fold in found.folds
                ],
                "held_out": found.score.to_dict(),
                "shipped": found.shipped.to_dict(),
            }
        )
        return
    table = Table(box=None, header_style="bold")
    for name in ("held out", "weights"):
        table.add_column(name, no_wrap=True)
    for name in ("n", "R@5", "R@10", "R@20", "all@10"):
        table.add_column(name, justify="right")

    def add(project: str, weights: str, score: Score) -> None:
        figures = (f"{value:.3f}" for value in (*score.recall, score.all_gold))
        table.add_row(project, weights, str(score.questions), *figures)

    for fold in found.folds:
        add(fold.project, fold.chosen, fold.score)
        add(fold.project, "shipped", fold.shipped)
    add("together", "as chosen", found.score)
    add("together", "shipped", found.shipped)
    console(ctx).print(table)
