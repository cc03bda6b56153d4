"""Vectors for tests: a pretended embedder, and generations filled the way a client fills them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import psycopg

from taisce_pg.load.apply import load_lines

Connection = psycopg.Connection[Any]
SPACES = ("message", "claim", "fact", "entity", "report")
Vector = list[float]


def embed(text: str, dimensions: int = 8, model: str = "toy") -> Vector:
    """Return a vector that follows from the text and the model alone."""
    seed = hashlib.sha256(f"{model}\x1f{text}".encode()).digest()
    draw = Random(seed)
    return [draw.gauss(0, 1) for _ in range(dimensions)]


def literal(vector: Sequence[float]) -> str:
    """Write a vector the way pgvector reads it."""
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"


def as_stored(vector: Sequence[float]) -> Vector:
    """Return the vector as it is after being written."""
    return [float(f"{value:.7g}") for value in vector]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors."""
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


@dataclass(frozen=True)
class Item:
    """A text that was embedded, and its vector."""

    text: str
    offset: int
    vector: Vector


@dataclass
class Generation:
    """A generation that was filled: its number, and what it holds by item id."""

    number: int
    space: str
    model: str
    dimensions: int
    items: dict[Any, Item]

    def nearest(self, vector: Sequence[float], among: Iterable[Any] | None = None) -> list[Any]:
        """Return the ids among those given (all if None), nearest first."""
        kept = self.items.keys() if among is None else self.items.keys() & set(among)
        return sorted(kept, key=lambda one: (-cosine(self.items[one].vector, vector), one))


def fill(
    conn: Connection,
    project: str,
    space: str,
    *,
    model: str = "toy",
    revision: str = "",
    dimensions: int = 8,
    activate: bool = True,
    make: Callable[[str], Vector] | None = None,
    page: int = 100,
) -> Generation:
    """Begin or take up a generation, embed what is due, and activate it."""
    row = conn.execute(
        "select generation_id from memory_v1.begin_generation(%s, %s, %s, %s, project => %s)",
        (space, model, revision, dimensions, project),
    ).fetchone()
    assert row is not None
    made = Generation(row[0], space, model, dimensions, {})
    follow(conn, project, made, make, page)
    conn.execute("select * from memory_v1.settle_generation(%s, true, %s)", (made.number, project))
    conn.execute("select * from memory_v1.ready_generation(%s, %s)", (made.number, project))
    if activate:
        conn.execute("select * from memory_v1.activate_generation(%s, %s)", (made.number, project))
    return made


def follow(
    conn: Connection,
    project: str,
    made: Generation,
    make: Callable[[str], Vector] | None = None,
    page: int = 100,
) -> int:
    """Embed what is due; return how many that were."""
    make = make or (lambda text: embed(text, made.dimensions, made.model))
    after: tuple[Any, Any] = (None, None)
    count = 0
    while True:
        due = conn.execute(
            "select * from memory_v1.embedding_due(%s, %s, %s, %s, %s)",
            (made.number, *after, page, project),
        ).fetchall()
        if not due:
            return count
        vectors = [as_stored(make(text)) for _, _, text, _ in due]
        store(conn, project, made.number, due, vectors)
        for (item, offset, text, _), vector in zip(due, vectors, strict=True):
            made.items[item] = Item(text, offset, vector)
        after = (due[-1][1], due[-1][0])
        count += len(due)


def store(
    conn: Connection,
    project: str,
    number: int,
    due: Sequence[tuple[Any, ...]],
    vectors: Sequence[Vector],
) -> tuple[Any, ...]:
    """Store vectors of items that were due; return what came of it."""
    row = conn.execute(
        "select * from memory_v1.store_embeddings(%s, %s, %s, %s::text[]::vector[], %s)",
        (
            number,
            [item for item, *_ in due],
            [digest for *_, digest in due],
            [literal(vector) for vector in vectors],
            project,
        ),
    ).fetchone()
    assert row is not None
    return row


def tell(conn: Connection, project: str, lines: list[dict[str, Any]]) -> None:
    load_lines(conn, project, [json.dumps(line) for line in lines], name="vectors")


def turn(key: str, *said: str, **more: Any) -> dict[str, Any]:
    messages = [{"role": more.get("role", "user"), "content": one} for one in said]
    return {
        "type": "observation",
        "key": key,
        "messages": messages,
        **{name: value for name, value in more.items() if name != "role"},
    }


def small(conn: Connection, project: str) -> None:
    """Load a project with something in every space."""
    tell(
        conn,
        project,
        [
            turn("o1", "Marta: I moved to Dublin.", "I like it.", data_subject_id="s1"),
            turn("o2", "The report says so.", role="document", kind="document", title="Paper"),
            {
                "type": "entity",
                "key": "m",
                "name": "Marta",
                "entity_type": "person",
                "profile": "A.",
            },
            {
                "type": "fact",
                "key": "f",
                "subject": {"key": "m"},
                "predicate": "lives_in",
                "object": "Dublin",
                "statement": "lives there",
                "evidence": [{"observation": "o1", "ordinal": 0, "quote": "moved to Dublin"}],
            },
            {"type": "community", "key": "k", "members": ["Marta"]},
            {
                "type": "report",
                "community": "k",
                "title": "Moves",
                "summary": "Marta moved.",
                "facts": ["f"],
                "sources": ["o1"],
            },
        ],
    )


def one(conn: Connection, query: str, *values: Any) -> Any:
    row = conn.execute(query.encode(), values).fetchone()
    return None if row is None else row[0]


def state(conn: Connection, project: str, number: int) -> dict[str, Any]:
    cursor = conn.execute("select * from memory_v1.generations(project => %s)", (project,))
    names = [column.name for column in cursor.description or ()]
    [found] = [dict(zip(names, row, strict=True)) for row in cursor if row[0] == number]
    return found


def code(conn: Connection, query: str, *values: Any) -> str | None:
    try:
        conn.execute(query.encode(), values)
    except psycopg.Error as error:
        return error.sqlstate
    return None


def search(conn: Connection, project: str, what: str, vector: Any, model: str = "toy") -> list[Any]:
    return [
        row[1]
        for row in conn.execute(
            f"select * from memory_v1.semantic_{what}(project => %s, query_embedding => %s,"
            " embedding_model => %s, source_roles => %s)".encode(),
            (
                project,
                literal(vector),
                model,
                None if what == "entities" else ["user", "tool", "document"],
            ),
        )
    ]
