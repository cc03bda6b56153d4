"""`taisce-pg words`: the word index of a project."""

from __future__ import annotations

import click

from taisce_pg.cli.report import console, print_json


@click.command(epilog="\b\nExample: taisce-pg words --refresh --project demo")
@click.option("--project", help="Project; default the setting taisce.project, else the only one.")
@click.option("--refresh", is_flag=True, help="Store the words anew, packed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def words(ctx: click.Context, project: str | None, refresh: bool, as_json: bool) -> None:
    """Store the words of a project anew: packed, with a reference length that fits it.

    Searches stay right without it; after many small writes, or when texts have become much longer
    or shorter, it makes them read less. Writers of the project wait meanwhile. Needs an
    administrator.
    """
    from taisce_pg.connection import open_connection, resolve_dsn

    if not refresh:
        raise click.UsageError("say what to do: --refresh")
    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    with open_connection(target) as conn:
        rows = conn.execute(
            "select space, documents, terms, reference_length "
            "from memory_v1.refresh_words(project => %s)",
            (project,),
        ).fetchall()
    found = [
        {"space": space, "texts": texts, "words": terms, "reference_length": length}
        for space, texts, terms, length in rows
    ]
    if as_json:
        print_json(found)
        return
    out = console(ctx)
    for row in found:
        out.print(f"{row['space']}: {row['texts']:,} texts, {row['words']:,} different words")
