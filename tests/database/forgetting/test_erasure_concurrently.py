"""Erasure while others read and write: nobody fails, nobody reads an erased word."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from tests.support.databases import Database
from tests.support.erasures import (
    MARK,
    dump,
    erase,
    lives,
    load,
    told,
)
from tests.support.memories import turn

Connection = psycopg.Connection[Any]
READS = (
    "select memory_v1.recall('me', project => 'p', data_subject_id => 's1',"
    " as_of => '2019-06-01Z')::text",
    "select f::text from memory_v1.list_records(project => 'p', max_rows => 100) as f",
    "select t::text from memory_v1.testimony_context('where I live', 'p') as t",
    "select t::text from memory_v1.fact_context('lives in', 'p',"
    ' time_scope => \'{"mode": "history"}\') as t',
    "select memory_v1.context('s1', project => 'p')::text",
    "select f::text from memory_v1.facts_at(project => 'p') as f",
    "select e::text from memory_v1.list_entities(project => 'p') as e",
)


def test_readers_and_writers_go_on(database: Database) -> None:
    """No reader sees a word after the commit, none fails, and what is told meanwhile stays."""
    with database.connect() as conn:
        load(conn, [turn(f"t{n}", f"I live in {MARK}{n}.") for n in range(20)])
        load(conn, [lives(f"f{n}", f"{MARK}{n}", f"t{n}", 2000 + n) for n in range(20)])
        gone = [told(conn, f"t{n}") for n in range(0, 20, 2)]
        stop = threading.Event()
        erased: set[int] = set()
        problems: list[str] = []
        facts: list[str] = []

        def read(own: Connection) -> None:
            before = set(erased)
            for query in READS:
                rows = own.execute(query.encode()).fetchall()
                for number in before:
                    if re.search(rf"{MARK}{number}(?!\d)", str(rows)):
                        problems.append(f"{number} read after its erasure: {query}")

        def write(own: Connection) -> None:
            key = uuid.uuid4().hex
            own.execute(
                "select * from memory_v1.observe(messages => %s, data_subject_id => 's1',"
                " idempotency_key => %s, project => 'p')",
                [Jsonb([{"role": "user", "content": f"said {key}, I live in {key}"}]), key],
            )
            # Told into the slot that the erasures mend, before everything else.
            own.execute(
                "select * from memory_v1.assert_fact(subject => '\"I\"', predicate => 'lives_in',"
                " value => %s, statement => 'lives', evidence => %s, cardinality => 'one',"
                " valid_from => %s, valid_until => %s, project => 'p')",
                [
                    key,
                    Jsonb([{"observation": key, "quote": f"I live in {key}"}]),
                    datetime(1900, 1, 1, tzinfo=UTC) + len(facts) * timedelta(days=9),
                    datetime(1900, 1, 2, tzinfo=UTC) + len(facts) * timedelta(days=9),
                ],
            )
            facts.append(key)

        def go_on(work: Callable[[Connection], None]) -> None:
            try:
                with database.connect() as own:
                    while not stop.is_set():
                        work(own)
            except (psycopg.Error, AssertionError) as error:
                problems.append(repr(error))

        threads = [threading.Thread(target=go_on, args=[work]) for work in (read, read, write)]
        for thread in threads:
            thread.start()
        for number, one in zip(range(0, 20, 2), gone, strict=True):
            erase(conn, one)
            erased.add(number)
        stop.set()
        for thread in threads:
            thread.join()
        assert problems == []
        assert len(facts) > 1
        assert conn.execute("select count(*) from taisce.fact").fetchone() == (10 + len(facts),)
        assert conn.execute(
            "select count(*) = (select stored - 10 from taisce.project_clock)"
            " from taisce.observation where not erased"
        ).fetchone() == (True,)
        found = "\n".join(dump(conn))
        for number in range(20):
            left = re.search(rf"{MARK}{number}(?!\d)", found)
            assert (left is None) == (number in erased), number
