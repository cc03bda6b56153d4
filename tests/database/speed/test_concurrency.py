"""Readers and writers at once: nobody waits for a lock of the other side, and nothing deadlocks."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.bench import clients, generator
from taisce_pg.bench.generator import generate
from tests.support.contract import Function, arguments, call, functions
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.told import Ids, tell

OPERATIONS = size(2_000, 6_000)
Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def told(module_database: Database) -> Ids:
    with module_database.connect() as conn:
        return tell(conn, "north")


@pytest.fixture(scope="module")
def memory(module_database: Database) -> Database:
    with module_database.connect() as conn:
        generate(conn, generator.FEWEST)
    return module_database


@pytest.fixture
def others(memory: Database, told: Ids) -> Iterator[tuple[Connection, Connection]]:
    """Give two sessions that do not wait for locks, the first within a transaction."""
    with memory.connect() as first, memory.connect() as second:
        for conn in (first, second):
            conn.execute("set taisce.project = 'north'")
            conn.execute("set lock_timeout = '100ms'")
        first.execute("begin")
        yield first, second
        first.execute("rollback")


def writing(conn: Connection) -> list[Function]:
    return [function for function in functions(conn) if function.volatility == "v"]


def reading(conn: Connection) -> list[Function]:
    return [function for function in functions(conn) if function.volatility != "v"]


LOCKED = {"55P03", "40P01"}
WRITTEN = (
    "observe", "assert_fact", "correct_fact", "load", "merge_entities", "maintain",
    "register_report", "set_setting", "erase_observations",
)  # fmt: skip
TAKING = re.compile("erase|expire|release|retract|merge|suspend|drop|remove")


def test_readers_wait_for_no_write_that_is_not_committed(
    others: tuple[Connection, Connection], told: Ids
) -> None:
    """All writes stay open in one transaction while every reading function runs beside it."""
    writer, reader = others
    done = {}
    # What takes something away comes last, or the others would find nothing.
    for function in sorted(writing(writer), key=lambda one: TAKING.search(one.name) is not None):
        values = arguments(function, told, "north")
        if function.takes("predicate"):
            values["predicate"] = "likes"
        done[function.name] = call(writer, function, values).error
    assert not any(done[name] for name in WRITTEN), done
    for function in reading(reader):
        outcome = call(reader, function, arguments(function, told, "north"))
        assert outcome.code not in LOCKED, function
    for (view,) in reader.execute(
        "select oid::regclass::text from pg_class"
        " where relnamespace = 'memory_v1'::regnamespace and relkind = 'v'"
    ).fetchall():
        reader.execute(f"select * from {view}".encode()).fetchall()


def test_writers_wait_for_no_reader(others: tuple[Connection, Connection], told: Ids) -> None:
    """A transaction that has read everything stays open while every write is made beside it."""
    reader, writer = others
    for function in reading(reader):
        call(reader, function, arguments(function, told, "north"))
    held = reader.execute(
        "select distinct l.mode from pg_locks as l where l.pid = pg_backend_pid()"
        " and l.locktype <> 'virtualxid'"
    ).fetchall()
    assert held == [("AccessShareLock",)]
    for function in writing(writer):
        with writer.transaction(force_rollback=True):
            outcome = call(writer, function, arguments(function, told, "north"))
        assert outcome.code not in LOCKED, function


@pytest.mark.parametrize(("readers", "writers"), [(4, 1), (2, 4)])
def test_mixed_clients_neither_wait_nor_deadlock(
    memory: Database, readers: int, writers: int
) -> None:
    outcome = clients.run(
        memory.uri(),
        generator.PROJECT,
        readers,
        writers,
        calls=OPERATIONS // 2,
        processes=0,
        sample_seconds=0.01,
    )
    assert outcome.errors == {}
    assert outcome.calls >= OPERATIONS // 2 - readers - writers
    assert outcome.mixed_waits == 0, outcome.waits
    # Writers of one project come one after the other: that wait is meant.
    meant = {"writer for writer", "writer for nobody"} if writers > 1 else set()
    assert set(outcome.waits) <= meant
    assert outcome.samples > 10


def test_what_every_write_updates_stays_within_its_page(memory: Database) -> None:
    """The rows that all writers of a project update in place leave nothing in an index."""
    clients.run(memory.uri(), generator.PROJECT, 0, 1, calls=200, processes=0)
    with memory.connect() as conn:
        # A session tells what it did when it ends, a moment after its client has left.
        for _ in range(50):
            counts = conn.execute(
                """
                select sum(n_tup_upd)::bigint, sum(n_tup_hot_upd)::bigint from pg_stat_user_tables
                where schemaname = 'taisce' and relname ~ '^(project_clock|word_space)(_\\d+)?$'
                """
            ).fetchone()
            assert counts is not None
            if counts[0] >= 200:
                break
            time.sleep(0.1)
    assert counts[0] >= 200
    assert counts[1] >= 0.9 * counts[0]


def test_what_the_watcher_looks_for_would_be_seen(memory: Database) -> None:
    """A lock that does make readers wait is counted, so that none counted means none held."""
    with memory.connect(application_name="taisce bench writer") as conn:
        conn.execute("begin; lock table taisce.fact_version in access exclusive mode")
        outcome = None
        with memory.connect() as other:
            other.execute("set application_name = 'taisce bench reader'")
            other.execute("set statement_timeout = '1s'")
            stop = threading.Event()
            outcome = clients.Outcome(1, 1)
            watcher = threading.Thread(
                target=clients._watch, args=(memory.uri(), stop, outcome, 0.02)
            )
            watcher.start()
            with pytest.raises(psycopg.errors.QueryCanceled):
                other.execute(
                    "select memory_v1.recall(%s, %s)",
                    [f"What of {generator.HUB}?", generator.PROJECT],
                )
            stop.set()
            watcher.join()
        conn.execute("rollback")
    assert outcome.waits.get("reader for writer", 0) > 0
