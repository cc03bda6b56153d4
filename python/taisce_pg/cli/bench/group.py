"""`taisce-pg bench`: measure recall and load on generated memories."""

from __future__ import annotations

from pathlib import Path

import click

from taisce_pg.cli.bench.churn import churn
from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.bench.heldout import held_out
from taisce_pg.cli.bench.past import past
from taisce_pg.cli.bench.quality import quality
from taisce_pg.cli.bench.sandbox import sandbox
from taisce_pg.cli.bench.scale import clients, partitions
from taisce_pg.cli.bench.vectors import vectors
from taisce_pg.cli.report import ERROR, console, print_json

_SIZES = {True: (20_000, 100_000), False: (100_000, 1_000_000)}
_LOADED = {True: 20_000, False: 50_000}
_ROUNDS = {True: 7, False: 25}


@click.group(invoke_without_command=True, epilog="\b\nExample: taisce-pg bench --short")
@click.option(
    "--facts",
    "sizes",
    type=click.IntRange(min=10_000),
    multiple=True,
    help="Facts of a memory, a multiple of 1000; again for another size. Default 100000 1000000,"
    " with --short 20000 100000.",
)
@click.option("--seed", default=1, show_default=True, help="Seed of the generated memories.")
@click.option("--short", is_flag=True, help="Fewer runs and fewer questions: minutes.")
@click.option("--keep/--drop", help="Keep the databases for the next run; default drop.")
@click.option(
    "--words/--no-words",
    default=True,
    help="Whether generated memories can be searched by words; without, no rows of fact_context"
    " and testimony_context.",
)
@click.option(
    "--write",
    is_flag=True,
    help="Write bench/RESULTS.md, bench/results.json (rows, curves, machine) and"
    " bench/baseline.json.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw cost against size of hub and store (.svg or .png); needs the extra bench.",
)
@click.option(
    "--yago",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Measure on a folder of YAGO11k too.",
)
@click.option("--check", is_flag=True, help="Fail if more is read than bench/baseline.json.")
@click.option("--json", "as_json", is_flag=True, help='Print one JSON object, {"rows": [...]}.')
@click.pass_context
def bench(
    ctx: click.Context,
    sizes: tuple[int, ...],
    seed: int,
    short: bool,
    keep: bool,
    words: bool,
    write: bool,
    plot: Path | None,
    yago: Path | None,
    check: bool,
    as_json: bool,
) -> None:
    """Measure on generated memories, in databases of their own on the server.

    Ratios of one run count, not times: against an ordinary entity, the published recursive walk,
    and the same rows fetched by key. Needs a superuser and some 3 GB for a million facts.
    """
    if ctx.invoked_subcommand is not None:
        return
    from taisce_pg.bench import curves, measures, report, suite

    chosen = sorted(set(sizes or _SIZES[short]))
    databases = open_databases(ctx, seed, keep, words)
    rows: list[measures.Row] = []
    points: list[curves.Point] = []
    try:
        benches = [databases.memory(facts, _ROUNDS[short]) for facts in chosen]
        for row in suite.everything(databases, benches, _LOADED[short], yago, short):
            databases.say(row.measure)
            rows.append(row)
        if plot or write:
            databases.say("curves")
            points.extend(curves.curves(benches))
        facts = report.machine(benches[-1].conn)
    finally:
        databases.close()

    key = report.baseline_key(facts, chosen[-1], seed, short)
    folder = Path("bench")
    worse = list(report.regressions(rows, report.read_baseline(folder / "baseline.json", key)))
    if as_json:
        print_json({"rows": [row.to_dict() for row in rows]})
    else:
        out = console(ctx)
        out.print(report.table(rows, wide=out.width >= 100))
        out.print(
            "against: r the reference, f the floor, o an ordinary entity or the smaller memory"
        )
        for line in report.notes(rows):
            out.print(line, style="dim", soft_wrap=True)
        out.print("; ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items()))
    for line in worse:
        console(ctx, talk=True).print(f"[red]more read than before:[/] {line}")
    if plot:
        curves.draw(points, plot)
    if write:
        folder.mkdir(exist_ok=True)
        (folder / "RESULTS.md").write_text(report.results(rows, facts, chosen))
        (folder / "results.json").write_text(report.whole(rows, points, facts, chosen, seed))
        report.write_baseline(folder / "baseline.json", key, rows)
    if check and worse:
        ctx.exit(ERROR)


bench.add_command(quality)
bench.add_command(held_out)
bench.add_command(sandbox)
bench.add_command(past)
bench.add_command(churn)
bench.add_command(clients)
bench.add_command(partitions)
bench.add_command(vectors)
