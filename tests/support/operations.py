"""A crowded memory for the assured operations, and ways to ask it."""

from __future__ import annotations

from typing import Any

import jsonschema
import psycopg
import pytest

from taisce_pg import schema
from tests.support.memories import fact, turn

Connection = psycopg.Connection[Any]


def crowd() -> list[dict[str, Any]]:
    """Make a memory with forty facts of one person, thirty in one contradiction, much evidence."""
    said = [f"Ada said amber number {number}." for number in range(40)]
    told: list[dict[str, Any]] = [
        {"type": "entity", "key": "ada", "name": "Ada"},
        turn("t", " ".join(said)),
        *(
            {**turn(f"u{number}", f"Amber again {number}. "), "lineage": f"l{number % 2}"}
            for number in range(7)
        ),
    ]
    for number, quote in enumerate(said):
        told.append(
            fact(
                f"f{number}", {"key": "ada"}, f"amber fact {number}", "t", quote, value=str(number)
            )
        )
        if number < 5:
            told[-1]["evidence"] += [
                {"observation": f"u{n}", "quote": f"Amber again {n}."} for n in range(7)
            ]
    told.append({"type": "contradiction", "facts": [f"f{number}" for number in range(30)]})
    return told


def one(conn: Connection, call: str, *values: Any) -> Any:
    row = conn.execute(f"select memory_v1.{call}".encode(), values).fetchone()
    assert row is not None
    return row[0]


def rows(conn: Connection, call: str, *values: Any) -> list[dict[str, Any]]:
    found = conn.execute(f"select to_jsonb(r) from memory_v1.{call} as r".encode(), values)
    return [row[0] for row in found.fetchall()]


def refusal(conn: Connection, call: str, *values: Any) -> tuple[str | None, str | None]:
    with pytest.raises(psycopg.Error) as refused:
        conn.execute(f"select * from memory_v1.{call}".encode(), values)
    return refused.value.sqlstate, refused.value.diag.message_detail


def valid(answer: dict[str, Any]) -> dict[str, Any]:
    """Check an answer against its published schema; return it."""
    jsonschema.Draft202012Validator(schema(answer["contract"])).validate(answer)
    return answer
