"""Vectors while others write, erase and switch: nothing stale is kept, no search finds a gap."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.vectors import embed, fill, literal, store

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def tell(conn: Connection, project: str, count: int) -> None:
    lines = [
        {"type": "observation", "key": f"o{n}", "messages": [{"role": "user", "content": f"t{n}"}]}
        for n in range(count)
    ]
    load_lines(conn, project, [json.dumps(line) for line in lines], name="vectors")


def test_what_is_being_erased_is_not_stored(conn: Connection, module_database: Database) -> None:
    tell(conn, "race", 3)
    row = conn.execute(
        "select generation_id from memory_v1.begin_generation('message', 'toy', '', 8,"
        " project => 'race')"
    ).fetchone()
    assert row is not None
    due = conn.execute(
        "select * from memory_v1.embedding_due(%s, project => 'race')", row
    ).fetchall()
    erased = conn.execute(
        "select observation_id from taisce.message where passage_id = %s", (due[0][0],)
    ).fetchone()

    def late() -> tuple[Any, ...]:
        with module_database.connect() as other:
            return store(other, "race", row[0], due, [embed(one[2]) for one in due])

    with ThreadPoolExecutor(1) as pool:
        with conn.transaction():
            conn.execute(
                "select * from memory_v1.erase_observations(%s::uuid[], project => 'race')",
                ([erased and erased[0]],),
            )
            stored = pool.submit(late)
            waiting = (
                "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                " and datname = current_database()"
            )
            for _ in range(500):
                found = conn.execute(waiting).fetchone()
                if found == (1,):
                    break
                conn.execute("select pg_sleep(0.02)")
                conn.execute("select pg_stat_clear_snapshot()")
            assert found == (1,), "the other waits for the clock of the project"
        assert stored.result()[:3] == (2, 0, 1)
    left = conn.execute(
        "select count(*) from taisce.embedding where generation_id = %s", row
    ).fetchone()
    assert left == (2,)


def test_no_search_finds_a_gap_while_generations_are_switched(
    conn: Connection, module_database: Database
) -> None:
    tell(conn, "gap", 25)
    first = fill(conn, "gap", "message")
    done = Event()

    def read() -> list[int]:
        found = []
        with module_database.connect() as other:
            while not done.is_set() or len(found) < 5:
                rows = other.execute(
                    "select generation from memory_v1.semantic_passages(project => 'gap',"
                    " query_embedding => %s, embedding_model => 'toy')",
                    (literal(embed(f"q{len(found)}")),),
                ).fetchall()
                assert len(rows) == 20
                assert len(set(rows)) == 1, "one answer comes from one generation"
                found.append(rows[0][0])
        return found

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        last = first
        try:
            for _ in range(size(4, 20)):
                conn.execute(
                    "update taisce.embedding_generation set input_version = '0'"
                    " where generation_id = %s",
                    (last.number,),
                )
                following = fill(conn, "gap", "message")
                assert following.number != last.number
                conn.execute("select * from memory_v1.retire_generation(%s, 'gap')", (last.number,))
                last = following
        finally:
            done.set()
        seen = {number for reader in readers for number in reader.result()}
    assert len(seen) > 1
