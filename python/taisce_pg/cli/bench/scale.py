"""`taisce-pg bench clients` and `taisce-pg bench partitions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.report import ERROR, console, print_json

if TYPE_CHECKING:
    from taisce_pg.bench.clients import Outcome
    from taisce_pg.bench.partitions import Cost

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_SEED = click.option("--seed", default=1, show_default=True, help="Seed of the memory.")


@click.command(epilog="\b\nExample: taisce-pg bench clients --short")
@click.option(
    "--facts",
    type=click.IntRange(min=10_000),
    default=100_000,
    show_default=True,
    help="Facts of the memory, a multiple of 1000.",
)
@click.option("--seconds", type=click.FloatRange(min=1), default=10, show_default=True)
@click.option(
    "--operations",
    type=click.IntRange(min=100),
    default=100_000,
    show_default=True,
    help="Calls of the last run, in which four readers and four writers go as fast as they can.",
)
@click.option("--short", is_flag=True, help="3 seconds each, 5000 operations, 20000 facts.")
@_SEED
@_JSON
@click.pass_context
def clients(
    ctx: click.Context,
    facts: int,
    seconds: float,
    operations: int,
    short: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Measure 1, 2, 4, 8 and 32 readers at once beside a writer that asserts and supersedes.

    Then four readers and four writers without pause, looking for lock waits and deadlocks. Needs
    a superuser, and a server on a machine with nothing else to do. Exit code 1: a reader waited
    for a lock, or a call failed.
    """
    from taisce_pg.bench import clients as bench
    from taisce_pg.bench import generator

    if short:
        facts, seconds, operations = 20_000, 3, 5_000
    databases = open_databases(ctx, seed)
    try:
        conn = databases.empty("clients")
        databases.say(f"making {facts:,} facts")
        generator.generate(conn, facts, seed)
        dsn = databases.dsn("clients")
        outcomes: list[Outcome] = []
        for outcome in bench.stages(dsn, generator.PROJECT, bench.COUNTS, seconds):
            databases.say(
                f"{outcome.readers} readers: {outcome.reads_per_second:,.1f} reads/s,"
                f" p95 {outcome.read_p95:.1f} ms"
            )
            outcomes.append(outcome)
        databases.say(f"{operations:,} operations")
        last = bench.run(dsn, generator.PROJECT, 4, 4, calls=operations)
    finally:
        databases.close()
    rate = {outcome.readers: outcome.reads_per_second for outcome in outcomes}
    ratio = rate[8] / rate[1]
    everything = [*outcomes, last]
    bad = [one for one in everything if one.errors or one.mixed_waits]
    if as_json:
        print_json(
            {
                "stages": [one.to_dict() for one in outcomes],
                "mixed": last.to_dict(),
                "ratio": round(ratio, 2),
                "goal": bench.GOAL,
                "met": ratio >= bench.GOAL and not bad,
            }
        )
    else:
        out = console(ctx)
        out.print(_clients_table(everything))
        out.print(
            f"eight readers / one: {ratio:.2f} (goal at least {bench.GOAL} on two cores);"
            f" {last.calls:,} operations of four readers and four writers:"
            f" {last.errors.get(bench.DEADLOCK, 0)} deadlocks, {last.mixed_waits} waits of or for"
            " readers"
        )
    if bad:
        ctx.exit(ERROR)


@click.command(epilog="\b\nExample: taisce-pg bench partitions --facts 20000")
@click.option(
    "--facts",
    type=click.IntRange(min=10_000),
    default=100_000,
    show_default=True,
    help="Facts of the memory, a multiple of 1000.",
)
@click.option(
    "--partitions",
    type=click.IntRange(2, 1024),
    default=4,
    show_default=True,
    help="Partitions of each table.",
)
@click.option("--rounds", type=click.IntRange(min=3), default=25, show_default=True)
@_SEED
@_JSON
@click.pass_context
def partitions(
    ctx: click.Context, facts: int, partitions: int, rounds: int, seed: int, as_json: bool
) -> None:
    """Measure what tables cut by project (taisce-pg sql --partitions) cost a recall.

    The same memory is made twice; buffers, and the processor time of the server process, are
    compared call by call. Needs a superuser. The goal is less than a tenth more.
    """
    from taisce_pg.bench.partitions import compare

    databases = open_databases(ctx, seed)
    costs: list[Cost] = []
    try:
        for cost in compare(databases, facts, partitions, rounds):
            databases.say(cost.measure)
            costs.append(cost)
    finally:
        databases.close()
    if as_json:
        print_json({"partitions": partitions, "rows": [cost.to_dict() for cost in costs]})
    else:
        console(ctx).print(_partitions_table(costs))


def _table(*titles: str) -> Table:
    made = Table(box=None, header_style="bold", pad_edge=False)
    for number, title in enumerate(titles):
        made.add_column(title, justify="right" if number else "left", no_wrap=True)
    return made


def _clients_table(outcomes: list[Outcome]) -> Table:
    made = _table(
        "readers",
        "writers",
        "reads/s",
        "median ms",
        "p95 ms",
        "writes/s",
        "p95 ms",
        "waits",
        "errors",
    )
    for one in outcomes:
        cells: list[Any] = [
            one.readers,
            one.writers,
            f"{one.reads_per_second:,.1f}",
            f"{one.read_median:.2f}",
            f"{one.read_p95:.2f}",
            f"{one.writes_per_second:,.1f}",
            f"{one.write_p95:.2f}",
            one.mixed_waits,
            sum(one.errors.values()),
        ]
        made.add_row(*map(str, cells))
    return made


def _partitions_table(costs: list[Cost]) -> Table:
    made = _table("recall", "facts", "buffers", "cut", "ratio", "ms", "cut", "ratio", "")
    for one in costs:
        made.add_row(
            one.measure,
            str(one.facts),
            f"{one.whole_buffers:,}",
            f"{one.cut_buffers:,}",
            f"{one.buffers:.2f}",
            f"{one.whole_ms:.2f}",
            f"{one.cut_ms:.2f}",
            f"{one.time:.2f}",
            "[green]met[/]" if one.met else "[red]missed[/]",
        )
    return made
