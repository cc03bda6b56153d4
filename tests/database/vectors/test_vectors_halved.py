"""Vectors too long for an index of whole numbers: halved ones, and none at all above 4,000."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.vectors import cosine, embed, fill, literal

Connection = psycopg.Connection[Any]
MANY = 150


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    """A project of some messages, where an index is worth while from 50 on."""
    with module_database.connect() as made:
        lines = [
            {
                "type": "observation",
                "key": f"o{number}",
                "data_subject_id": f"s{number % 3}",
                "messages": [{"role": "user", "content": f"Said {number}."}],
            }
            for number in range(MANY)
        ]
        load_lines(made, "long", [json.dumps(line) for line in lines], name="long")
        lower(made, "memory_v1", "index_generation", "bigint := 20000;", "bigint := 50;")
        lower(made, "taisce", "nearest_vectors", "integer := 4000;", "integer := 20;")
        yield made


def lower(conn: Connection, schema: str, name: str, old: str, new: str) -> None:
    """Put another number in a function, so that little counts as much."""
    row = conn.execute(
        "select pg_get_functiondef(p.oid) from pg_proc as p where p.proname = %s"
        " and p.pronamespace = %s::regnamespace",
        (name, schema),
    ).fetchone()
    assert row is not None
    assert row[0].count(old) == 1
    conn.execute(row[0].replace(old, new).encode())


def indexed(conn: Connection, dimensions: int) -> tuple[str | None, bool, Any]:
    """Fill and index a generation; return its index, whether it says so, and what was filled."""
    made = fill(conn, "long", "message", dimensions=dimensions, model=f"m{dimensions}")
    conn.execute("set maintenance_work_mem = '64MB'")
    row = conn.execute(
        "select own_index from memory_v1.index_generation(%s, 'long')", (made.number,)
    ).fetchone()
    found = conn.execute(
        "select pg_get_indexdef(to_regclass(format('taisce.embedding_%%s_near', %s::bigint)))",
        (made.number,),
    ).fetchone()
    assert row is not None
    assert found is not None
    return found[0], row[0], made


def test_halved_numbers_nominate_and_whole_ones_decide(conn: Connection) -> None:
    row = conn.execute("select to_regtype('halfvec') is not null").fetchone()
    dimensions = 2001
    index, own, made = indexed(conn, dimensions)
    if row == (False,):
        assert (index, own) == (None, False), "this pgvector has no halfvec"
    else:
        assert own
        assert index is not None
        assert "halfvec_cosine_ops" in index
    for text in ("one", "two", "three"):
        vector = embed(text, dimensions, f"m{dimensions}")
        rows = conn.execute(
            "select passage_id, score, approximate from memory_v1.semantic_passages(k => 10,"
            " project => 'long', query_embedding => %s, embedding_model => %s)",
            (literal(vector), f"m{dimensions}"),
        ).fetchall()
        exact = {one: cosine(item.vector, vector) for one, item in made.items.items()}
        best = sorted(exact, key=lambda one: -exact[one])[:10]
        assert len(set(best) & {row[0] for row in rows}) >= 9
        for passage, score, near in rows:
            assert score == pytest.approx(exact[passage], abs=1e-6), "of the whole numbers"
            assert near is own
        narrow = conn.execute(
            "select count(*) from memory_v1.semantic_passages(k => 10, project => 'long',"
            " query_embedding => %s, embedding_model => %s, data_subject_id => 's1')",
            (literal(vector), f"m{dimensions}"),
        ).fetchone()
        assert narrow == (10,)


def test_what_no_index_can_hold_is_compared_exactly(conn: Connection) -> None:
    index, own, made = indexed(conn, 4001)
    assert (index, own) == (None, False)
    vector = embed("long", 4001, "m4001")
    row = conn.execute(
        "select passage_id, approximate from memory_v1.semantic_passages(k => 1,"
        " project => 'long', query_embedding => %s, embedding_model => 'm4001')",
        (literal(vector),),
    ).fetchone()
    best = max(made.items, key=lambda one: cosine(made.items[one].vector, vector))
    assert row == (best, False)
