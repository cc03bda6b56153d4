"""`taisce-pg bench quality`: how well questions find the messages that answer them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.embed import chosen_embedder, embedder_options
from taisce_pg.cli.report import console, print_json

if TYPE_CHECKING:
    from taisce_pg.bench.fusion import Gain


@click.command(epilog="\b\nExample: taisce-pg bench quality --data conversations/")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Folder with questions.jsonl and a NAME.ndjson for each project, or that questions file.",
)
@click.option("--keep/--drop", help="Keep the database; default drop.")
@embedder_options
@click.option(
    "--weight",
    "weights",
    multiple=True,
    type=click.FloatRange(0, 1),
    help="With --embedder: a weight of vectors to try; repeat for several.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def quality(
    ctx: click.Context,
    /,
    data: Path,
    keep: bool,
    weights: tuple[float, ...],
    as_json: bool,
    **options: Any,
) -> None:
    """Measure how well questions find the messages that answer them, beside rank_bm25.

    Each memory is loaded into a project of its own, in a database of its own on the server. Needs
    a superuser and the extra `bench`. With --embedder words, vectors and both are compared, for
    what was said and for facts, by class; each --weight is tried with one project left out in turn.
    """
    from taisce_pg.bench import quality as measured

    embedder = chosen_embedder(options)
    if weights and embedder is None:
        raise click.UsageError("--weight needs --embedder")
    databases = open_databases(ctx, keep=keep)
    try:
        found = measured.measure(
            databases.empty("quality"),
            data,
            databases.say,
            embedder,
            sorted(set(weights)),
        )
    finally:
        databases.close()
    if as_json:
        print_json(
            {
                "figures": [tally.to_dict() for tally in found.tallies],
                "gain_of_recall_at_10": found.gains,
                "gain_of_vectors": [gain.to_dict() for gain in found.fusion],
                "chosen_weights": [choice.to_dict() for choice in found.choices],
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
    if found.fusion:
        out.print(_fusion_table(found.fusion))
    for choice in found.choices:
        out.print(
            f"{choice.way}: without {choice.left_out} the best weight is {choice.weight:g}; "
            f"on it words {choice.words:.3f}, fused {choice.fused:.3f}"
        )


def _fusion_table(gains: list[Gain]) -> Table:
    """Show what vectors add to words, by class."""
    table = Table(box=None, header_style="bold")
    table.add_column("vectors add to", no_wrap=True)
    table.add_column("class", no_wrap=True)
    for cut in (5, 10, 20):
        table.add_column(f"R@{cut} (95 %)", justify="right")
    rows: dict[tuple[str, str], list[str]] = {}
    for gain in gains:
        cell = f"{gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
        rows.setdefault((gain.way.split()[-1], gain.category), []).append(cell)
    for names, cells in rows.items():
        table.add_row(*names, *cells)
    return table
