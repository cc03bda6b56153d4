"""Where a command of the bench measures, and how it says what takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from taisce_pg.cli.report import console

if TYPE_CHECKING:
    from taisce_pg.bench.databases import Databases


def open_databases(
    ctx: click.Context, seed: int = 1, keep: bool = False, words: bool = True
) -> Databases:
    """Return databases on the server that the command was pointed at; they speak on stderr.

    The caller closes them.
    """
    from taisce_pg.bench.databases import Databases
    from taisce_pg.connection import resolve_dsn

    talk = console(ctx, talk=True)

    def say(text: str) -> None:
        talk.print(text, style="dim")

    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    return Databases(target, seed, keep, say, words)
