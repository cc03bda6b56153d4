"""`taisce-pg space`: what open SQL may read, and how to choose."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from taisce_pg.cli.report import console, print_json


@click.command()
@click.option("--search", metavar="WORD", help="Keep the parts whose text contains this.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as memory_v1.query_space().")
@click.pass_context
def space(ctx: click.Context, search: str | None, as_json: bool) -> None:
    """Show the views and functions of open SQL, and which one answers which need.

    With --search the columns of what is found are described too.

    Example: taisce-pg space --search lineage
    """
    from taisce_pg.connection import open_connection, resolve_dsn
    from taisce_pg.sandbox.manifest import read_space

    with open_connection(resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))) as conn:
        found = read_space(conn, search)
    if as_json:
        print_json(found)
        return
    if search and not (found["views"] or found["functions"] or found["examples"]):
        console(ctx, talk=True).print(f"nothing says {escape(repr(search))}")
        return
    show(console(ctx), found, whole=search is not None)


def show(out: Console, found: dict[str, Any], whole: bool) -> None:
    """Print a query space; with `whole`, each column with its comment."""
    out.print(escape(found["headline"]), style="bold")
    for view in found["views"]:
        out.print()
        out.print(f"[bold cyan]{view['name']}[/]  {escape(view['description'])}")
        out.print(f"  for: {escape(view['for'])}")
        out.print(f"  {escape(view['grain'])}; key {escape(view['key'])}")
        if view["beware"]:
            out.print(f"  [yellow]beware:[/] {escape(view['beware'])}")
        if whole:
            table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
            for column in view["columns"]:
                table.add_row("", column["name"], column["type"], escape(column["comment"]))
            out.print(table)
        else:
            names = ", ".join(column["name"] for column in view["columns"])
            out.print(f"  columns: {names}", style="dim")
    for function in found["functions"]:
        out.print()
        out.print(f"[bold cyan]{escape(function['signature'])}[/]")
        out.print(f"  {escape(function['description'] or '')}")
    for example in found["examples"]:
        out.print()
        out.print(f"[bold]{escape(example['title'])}[/]")
        for word, style in (("wrong", "red"), ("right", "green")):
            out.print(f"  [{style}]{word}[/]")
            out.print(Syntax(example[word], "sql", padding=(0, 4), background_color="default"))
        out.print(f"  {escape(example['why'])}")
    if not whole:
        out.print()
        for warning in found["warnings"][:5]:
            out.print(f"[yellow]*[/] {escape(warning)}")
