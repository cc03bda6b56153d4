"""Cancelling a task cancels its query, wherever the query stands just then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from taisce_pg import AsyncMemory, errors
from taisce_pg.sandbox import execute, session
from taisce_pg.sandbox.execute import AsyncAnalyst
from taisce_pg.sandbox.session import Query
from tests.support.analysts import Stage, build
from tests.support.databases import Database

LONG = (
    "select count(*) from generate_series(1, 3000) as a(x) "
    "join generate_series(1, 3000) as b(x) on a.x % 50 = b.x % 50 "
    "where md5(a.x::text || b.x::text || repeat('x', 90000)) = 'x'"
)
"""A query that passes the checker and runs for longer than any test here waits."""

SOON = 8.0
"""Seconds within which a cancelled task has ended, however busy the machine is."""


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    return build(module_database)


def running(stage: Stage) -> list[Any]:
    """Return the statements of the login that the server is at work on."""
    with stage.database.connect() as conn:
        return conn.execute(
            "select pid, query from pg_stat_activity where usename = %s and state <> 'idle'",
            [stage.login],
        ).fetchall()


async def gone(stage: Stage) -> bool:
    """Wait a little for the server to end what it was at."""
    end = time.monotonic() + SOON
    while await asyncio.to_thread(running, stage):
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.05)
    return True


async def at_work(stage: Stage, number: int = 1) -> None:
    """Wait until that many statements of the login run."""
    end = time.monotonic() + SOON
    while len(await asyncio.to_thread(running, stage)) < number:
        assert time.monotonic() < end, "nothing runs"
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.1)


async def cancel_after(seconds: float, call: Callable[[], Awaitable[Any]]) -> float:
    """Start a call, cancel it after a while, and return the seconds that its end took."""
    task = asyncio.ensure_future(call())
    await asyncio.sleep(seconds)
    started = time.monotonic()
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=SOON)
    assert done, f"cancelled after {seconds} s, it goes on"
    assert task.cancelled() or task.exception() is None
    return time.monotonic() - started


@pytest.mark.parametrize("warm", [False, True], ids=["first query", "later query"])
def test_a_task_may_be_cancelled_at_any_moment(stage: Stage, warm: bool) -> None:
    async def main() -> None:
        analyst = AsyncAnalyst(stage.uri)
        for milliseconds in range(0, 51, 2):
            if not warm:
                await analyst.close()
                analyst = AsyncAnalyst(stage.uri)
            await cancel_after(milliseconds / 1000, partial(analyst.run, Query(LONG, seconds=15)))
            assert await gone(stage)
            result = await asyncio.wait_for(analyst.run(Query("select 1")), SOON)
            assert result.rows == ((1,),), milliseconds
        await analyst.close()

    asyncio.run(main())


def test_a_plan_and_a_method_of_the_memory_are_cancelled_as_well(stage: Stage) -> None:
    async def main() -> None:
        async with AsyncMemory(stage.database.uri(), analyst_dsn=stage.uri) as memory:
            for seconds in (0.0, 0.005, 0.3):
                await cancel_after(seconds, lambda: memory.query(LONG, seconds=15))
                await cancel_after(seconds / 10, lambda: memory.explain_query(LONG))
                assert await gone(stage)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await memory.query(LONG, seconds=15)
            assert await gone(stage)
            assert (await memory.query("select 2")).rows == ((2,),)

    asyncio.run(main())


def test_who_cancels_twice_goes_at_once(stage: Stage) -> None:
    async def main() -> None:
        analyst = AsyncAnalyst(stage.uri)
        task = asyncio.ensure_future(analyst.run(Query(LONG, seconds=15)))
        await at_work(stage)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task}, timeout=SOON)
        assert task.cancelled()
        assert await gone(stage)
        assert (await analyst.run(Query("select 1"))).rows == ((1,),)
        await analyst.close()

    asyncio.run(main())


def test_closing_stops_what_runs(stage: Stage) -> None:
    async def main() -> None:
        analyst = AsyncAnalyst(stage.uri)
        task = asyncio.ensure_future(analyst.run(Query(LONG, seconds=15)))
        await at_work(stage)
        await asyncio.wait_for(analyst.close(), SOON)
        await asyncio.wait({task}, timeout=SOON)
        assert task.done()
        task.exception()
        assert await gone(stage)

    asyncio.run(main())


def test_waiting_for_a_connection_ends_by_itself(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "WAIT", 0.5)

    async def main() -> None:
        analyst = AsyncAnalyst(stage.uri)
        busy = [asyncio.ensure_future(analyst.run(Query(LONG, seconds=15))) for _ in range(2)]
        await at_work(stage, 2)
        with pytest.raises(errors.NoDatabaseCapacity):
            await analyst.run(Query("select 1"))
        assert await cancel_after(0.1, lambda: analyst.run(Query("select 1"))) < SOON
        for task in busy:
            task.cancel()
        await asyncio.wait(busy, timeout=SOON)
        assert all(task.cancelled() for task in busy)
        assert await gone(stage)
        assert (await analyst.run(Query("select 1"))).rows == ((1,),)
        await analyst.close()

    asyncio.run(main())


def test_the_time_of_an_asynchronous_query_runs_out(stage: Stage) -> None:
    async def main() -> None:
        analyst = AsyncAnalyst(stage.uri)
        result = await asyncio.wait_for(analyst.run(Query(LONG, seconds=0.4)), SOON)
        assert result.error is not None
        assert result.error.code == "timeout"
        assert await gone(stage)
        assert (await analyst.run(Query("select 1"))).rows == ((1,),)
        await analyst.close()

    asyncio.run(main())


def test_what_the_server_never_stops_is_cut_off(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loop that does not look for interrupts, which only a hole in the checker lets through."""
    deaf = "select array_fill(repeat('x', 1000), array[20000000])"
    good = session.checked(Query("select 1"))
    monkeypatch.setattr(session, "checked", lambda query: good)

    async def main() -> None:
        analyst = AsyncAnalyst(stage.uri)
        took = await cancel_after(0.2, lambda: analyst.run(Query(deaf, seconds=15)))
        assert took < SOON
        assert (await analyst.run(Query("select 1"))).rows == ((1,),)
        await analyst.close()

    asyncio.run(main())
