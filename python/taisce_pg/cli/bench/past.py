"""`taisce-pg bench past`: what past reads cost at hubs of superseded facts."""

from __future__ import annotations

import click
from rich.table import Table

from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.report import ERROR, console, print_json

_SIZES = (1_000, 10_000, 100_000)


@click.command("past", epilog="\b\nExample: taisce-pg bench past --versions 1000 --versions 10000")
@click.option(
    "--versions",
    "sizes",
    type=click.IntRange(min=1_000),
    multiple=True,
    help="Versions of a hub; again for another size. Default 1000 10000 100000.",
)
@click.option("--seed", default=1, show_default=True, help="Seed of the generated memories.")
@click.option("--check", is_flag=True, help="Fail if reads grow faster than the square root.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def past(ctx: click.Context, sizes: tuple[int, ...], seed: int, check: bool, as_json: bool) -> None:
    """Count what a recall reads at a hub of which nine versions in ten are superseded.

    As known early, in the middle and late, in a database of its own on the server: index entries
    and buffers, and how they grow from one size to the next. Nothing is timed. Needs a superuser.
    """
    from taisce_pg.bench.past import measure
    from taisce_pg.bench.probe import plain

    databases = open_databases(ctx, seed)
    try:
        conn = databases.empty("past")
        conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        readings = list(measure(plain(conn), sorted(set(sizes or _SIZES)), seed))
    finally:
        databases.close()
    if as_json:
        print_json({"readings": [one.to_dict() for one in readings]})
    else:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for name in ("versions", "known", "facts", "entries", "buffers", "grew", "at most", "met"):
            table.add_column(name, justify="left" if name in ("known", "met") else "right")
        for one in readings:
            growth = max(one.growth or 0, one.buffer_growth or 0)
            table.add_row(
                f"{one.versions:,}",
                one.known,
                str(one.facts),
                f"{one.entries:,}",
                f"{one.buffers:,}",
                f"{growth:.2f}x" if one.bound else "",
                f"{one.bound:.2f}x" if one.bound else "",
                "" if one.met is None else "yes" if one.met else "no",
            )
        console(ctx).print(table)
    if check and any(one.met is False for one in readings):
        ctx.exit(ERROR)
