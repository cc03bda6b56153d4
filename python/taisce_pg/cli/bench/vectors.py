"""`taisce-pg bench vectors`: what searches of many vectors cost, and what they miss."""

from __future__ import annotations

import click

from taisce_pg.cli.bench.databases import open_databases
from taisce_pg.cli.report import ERROR, console, print_json


@click.command(epilog="\b\nExample: taisce-pg bench vectors --vectors 50000")
@click.option(
    "--vectors",
    type=click.IntRange(min=25_000),
    default=200_000,
    show_default=True,
    help="Vectors of the memory.",
)
@click.option(
    "--dimensions",
    type=click.IntRange(8, 2_000),
    default=256,
    show_default=True,
    help="Length of a vector.",
)
@click.option("--queries", type=click.IntRange(min=1), default=40, show_default=True)
@click.option("--keep/--drop", help="Keep the database; default drop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.pass_context
def vectors(
    ctx: click.Context,
    /,
    vectors: int,
    dimensions: int,
    queries: int,
    keep: bool,
    as_json: bool,
) -> None:
    """Measure searches by vectors, approximate and exact, and narrowed to a part of 1 % and less.

    Vectors are generated, in clusters; no model is needed. Needs a superuser. Exit code 1: a goal
    was missed.
    """
    from taisce_pg.bench import report
    from taisce_pg.bench import vectors as bench

    databases = open_databases(ctx, keep=keep)
    try:
        conn = databases.empty("vectors")
        rows = []
        for row in bench.measure(conn, vectors, dimensions, queries, databases.say):
            databases.say(row.measure)
            rows.append(row)
    finally:
        databases.close()
    if as_json:
        print_json([row.to_dict() for row in rows])
    else:
        out = console(ctx)
        out.print(report.table(rows, wide=out.width >= 100))
        for line in report.notes(rows):
            out.print(line, style="dim", soft_wrap=True)
    if any(row.met is False for row in rows):
        ctx.exit(ERROR)
