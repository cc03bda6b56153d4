"""What the demo says to type next."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from taisce_pg.cli.demo import _say_next
from taisce_pg.connection import Target


@pytest.mark.parametrize(
    ("kind", "words"),
    [("option", "taisce-pg --dsn DSN recall"), ("environment", "taisce-pg recall")],
)
def test_it_leads_to_the_same_database_and_tells_no_password(kind: str, words: str) -> None:
    out = io.StringIO()
    target = Target("postgresql://me:xyzzy@db.example.org/app", kind)
    _say_next(Console(file=out, width=200, highlight=False), "demo", target)
    said = out.getvalue()
    assert said.count(words) == 3
    assert "xyzzy" not in said
    assert "server start" not in said
