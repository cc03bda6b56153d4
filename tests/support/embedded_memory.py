"""A small memory in project demo for the tests of embedding and of communities."""

from __future__ import annotations

import json
from typing import Any

import psycopg

from taisce_pg.load.apply import load_lines


def tell(conn: psycopg.Connection[Any], lines: list[dict[str, Any]], project: str = "demo") -> None:
    """Load lines of the load format."""
    load_lines(conn, project, [json.dumps(line) for line in lines], name="embedded")


def turn(key: str, *said: str, **more: Any) -> dict[str, Any]:
    """Make the line of an observation."""
    return {
        "type": "observation",
        "key": key,
        "messages": [{"role": "user", "content": one} for one in said],
        **more,
    }


def relation(key: str, turn: str, one: str, predicate: str, other: str) -> dict[str, Any]:
    """Make the line of a fact that the words of a turn support."""
    return {
        "type": "fact",
        "key": key,
        "subject": one,
        "predicate": predicate,
        "object": other,
        "statement": f"{one} {predicate} {other}.",
        "evidence": [{"observation": turn, "quote": f"{one} {predicate} {other}"}],
    }


def small(conn: psycopg.Connection[Any], turns: int = 12) -> None:
    """Load turns about the weather, and one about Marta with a fact."""
    tell(
        conn,
        [
            *(turn(f"w{n}", f"It rained on day {n} of the trip.") for n in range(turns)),
            turn("m", "Marta likes Acme and green tea."),
            relation("f", "m", "Marta", "likes", "Acme"),
        ],
    )
