"""A call that embeds and is cancelled: its thread stops, and so does the statement it waits for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg import AsyncMemory, Memory
from taisce_pg.embed import fill as filling
from tests.support.databases import Database
from tests.support.embedded_memory import small
from tests.support.embedders import Counting


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with database.connect() as made:
        small(made)
        yield made


def states(conn: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
    return conn.execute(
        "select space, state, vectors from memory_v1.generations() order by generation_id"
    ).fetchall()


def idle(conn: psycopg.Connection[Any]) -> bool:
    """Whether no other session of this database is there."""
    row = conn.execute(
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and pid <> pg_backend_pid() and application_name not like 'taisce%'"
        " and backend_type = 'client backend'"
    ).fetchone()
    return row == (0,)


def until(true: Callable[[], bool]) -> bool:
    """Wait for something to become true, at most 20 seconds."""
    end = time.monotonic() + 20
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_a_cancelled_embed_stops_its_thread(
    database: Database, conn: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "SLICE", 2)
    embedder = Counting()
    begun, go_on = threading.Event(), threading.Event()

    def held() -> None:
        begun.set()
        assert go_on.wait(20)

    embedder.before = held

    async def cancel() -> None:
        async with AsyncMemory(database.uri(), embedder=embedder) as memory:
            task = asyncio.create_task(memory.embed())
            assert await asyncio.to_thread(begun.wait, 20)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert not idle(conn), "the batch in hand is still being embedded"
            go_on.set()
            assert await asyncio.to_thread(until, lambda: idle(conn))

    asyncio.run(cancel())
    assert len(embedder.asked) == 2, "nothing was embedded after it"
    assert {row[1:] for row in states(conn)} == {("building", 0)}
    embedder.before = lambda: None
    with Memory(database.uri(), embedder=embedder) as memory:
        assert [one.state for one in memory.embed()] == ["active"] * 5


def test_a_cancelled_embed_ends_the_statement_it_waits_for(
    database: Database, conn: psycopg.Connection[Any]
) -> None:
    def waits() -> bool:
        row = conn.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and wait_event_type = 'Lock' and query like '%begin_generation%'"
        ).fetchone()
        return row != (0,)

    async def cancel() -> None:
        async with AsyncMemory(database.uri(), embedder=Counting()) as memory:
            task = asyncio.create_task(memory.embed(["message"]))
            assert await asyncio.to_thread(until, waits)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            ended = await asyncio.to_thread(until, lambda: not waits())
            # A thread that goes on waiting would keep the loop from closing: a red test must end.
            conn.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and wait_event_type = 'Lock'"
            )
            assert ended

    with database.connect() as other, other.transaction():
        other.execute("lock table taisce.embedding_generation in access exclusive mode")
        asyncio.run(cancel())
    assert states(conn) == []
