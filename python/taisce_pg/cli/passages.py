"""`taisce-pg passages`: messages for a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from taisce_pg.cli.operations import command, given, memory, read_text
from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import safe
from taisce_pg.client.vectors import FoundPassage


@command("passage_search")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.pass_context
def passages(ctx: click.Context, /, query: str, as_json: bool, **controls: Any) -> None:
    """Print the passages, best first."""
    with memory(ctx) as asked:
        found = asked.passage_search(read_text(query), **given(controls))
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    show_passages(console(ctx), found)


def show_passages(out: Console, found: Sequence[FoundPassage]) -> None:
    """Print passages, each with who said it, when, and how it was found."""
    for one in found:
        how = one.why if one.similarity is None else f"{one.why} {one.similarity:.2f}"
        day = str(one.occurred_at or "")[:10]
        out.print(Text("  ".join(part for part in (one.role, day, how) if part), style="dim"))
        out.print(Text(safe(one.quote) + ("" if one.complete else " ..."), overflow="fold"))
    if not found:
        out.print("no passage")
