"""`taisce-pg bench`: measure recall and load on generated memories."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import click

from taisce_pg.cli.quality import quality
from taisce_pg.cli.report import ERROR, console, print_json

_SIZES = (100_000, 1_000_000)
_LOADED = {True: 20_000, False: 50_000}
_ROUNDS = {True: 7, False: 25}


@click.group(invoke_without_command=True, epilog="\b\nExample: taisce-pg bench --short")
@click.option(
    "--facts",
    "sizes",
    type=click.IntRange(min=10_000),
    multiple=True,
    help="Facts of a memory, a multiple of 1000; again for another size. Default 100000 1000000.",
)
@click.option("--seed", default=1, show_default=True, help="Seed of the generated memories.")
@click.option("--short", is_flag=True, help="Fewer runs and fewer questions: minutes.")
@click.option("--keep/--drop", help="Keep the databases for the next run; default drop.")
@click.option("--write", is_flag=True, help="Write bench/RESULTS.md and bench/baseline.json.")
@click.option("--check", is_flag=True, help="Fail if more is read than bench/baseline.json.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench(
    ctx: click.Context,
    sizes: tuple[int, ...],
    seed: int,
    short: bool,
    keep: bool,
    write: bool,
    check: bool,
    as_json: bool,
) -> None:
    """Measure on generated memories, in databases of their own on the server.

    Ratios of one run count, not times: against an ordinary entity, the published recursive walk,
    and the same rows fetched by key. Needs a superuser and some 3 GB for a million facts.
    """
    if ctx.invoked_subcommand is not None:
        return
    from taisce_pg.bench import loading, measures, report
    from taisce_pg.bench.databases import Databases
    from taisce_pg.connection import resolve_dsn

    chosen = sorted(set(sizes or _SIZES))
    talk = console(ctx, talk=True)
    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    databases = Databases(target, seed, keep, lambda text: talk.print(text, style="dim"))
    rows: list[measures.Row] = []
    try:
        benches = [databases.memory(facts, _ROUNDS[short]) for facts in chosen]
        for row in measures.everything(benches[-1], short):
            talk.print(row.measure, style="dim")
            rows.append(row)
        for smaller, larger in pairwise(benches):
            rows.extend(measures.growth(smaller, larger))
        talk.print("load and export", style="dim")
        rows.extend(loading.measure(databases.empty(), _LOADED[short]))
        facts = report.machine(benches[-1].conn)
    finally:
        databases.close()

    major = facts["server"].split()[-1].split(".")[0]
    key = f"{chosen[-1]} facts, seed {seed}, server {major}{', short' if short else ''}"
    folder = Path("bench")
    worse = list(report.regressions(rows, report.read_baseline(folder / "baseline.json", key)))
    if as_json:
        print_json(
            {
                "rows": [row.to_dict() for row in rows],
                "machine": facts,
                "sizes": chosen,
                "seed": seed,
                "regressions": worse,
            }
        )
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
            out.print(f"[red]more read than before:[/] {line}")
    if write:
        folder.mkdir(exist_ok=True)
        (folder / "RESULTS.md").write_text(report.results(rows, facts, chosen))
        report.write_baseline(folder / "baseline.json", key, rows)
    if check and worse:
        ctx.exit(ERROR)


bench.add_command(quality)
