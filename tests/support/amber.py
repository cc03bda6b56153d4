"""A small memory for sabotage: twelve facts of Ada, and hands that reach behind its back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import psycopg

from taisce_pg.load.apply import load_lines
from tests.support.memories import fact, lines, turn

Connection = psycopg.Connection[Any]
_numbers = count(1)
FACTS = 12


def memory_lines() -> list[dict[str, Any]]:
    """Make twelve facts of Ada, each told in a turn of its own, and a claim about each."""
    told: list[dict[str, Any]] = [
        {"type": "entity", "key": "ada", "name": "Ada"},
        {"type": "entity", "key": "bob", "name": "Bob"},
    ]
    for number in range(FACTS):
        quote = f"amber number {number}"
        told += [
            turn(f"t{number}", f"Ada said: {quote}."),
            {
                "type": "claim",
                "key": f"c{number}",
                "observation": f"t{number}",
                "quote": quote,
                "claim_text": f"amber claim {number}",
                "mentions": [{"key": "ada"}],
            },
            fact(f"f{number}", {"key": "ada"}, f"amber fact {number}", f"t{number}", quote,
                 value=str(number)),
        ]  # fmt: skip
    return told


def new_memory(conn: Connection) -> str:
    """Load the memory into a project of its own, make it the session's, and return its name."""
    name = f"amber {next(_numbers)}"
    load_lines(conn, name, lines(memory_lines()), name="amber")
    conn.execute("select set_config('taisce.project', %s, false)", [name])
    return name


@contextmanager
def behind_the_back(conn: Connection) -> Iterator[None]:
    """Change tables without a trigger hearing of it."""
    with conn.transaction():
        conn.execute("set local session_replication_role = replica")
        yield


def facts(conn: Connection, token: str | None = None, **more: Any) -> dict[str, Any]:
    values = {"query": "amber", "k": 5, "token": token, "ids": None, **more}
    row = conn.execute(
        "select memory_v1.fact_context_envelope(%(query)s, k => %(k)s, continuation => %(token)s,"
        " entity_ids => %(ids)s::uuid[])",
        values,
    ).fetchone()
    assert row is not None
    answer: dict[str, Any] = row[0]
    return answer


def said(conn: Connection, token: str | None = None, k: int = 5) -> dict[str, Any]:
    row = conn.execute(
        "select memory_v1.testimony_context_envelope('amber', k => %s, continuation => %s)",
        [k, token],
    ).fetchone()
    assert row is not None
    answer: dict[str, Any] = row[0]
    return answer


def token_of(answer: dict[str, Any]) -> str:
    token = answer["truncation"]["continuation"]
    assert isinstance(token, str)
    return token


def ids_of(answer: dict[str, Any]) -> list[str]:
    return [one["fact_id"] for one in answer["facts"]]
