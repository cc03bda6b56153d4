"""Open SQL through the clients: what they raise, and how queries wait for each other."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.sandbox.execute import Analyst, AsyncAnalyst
from taisce_pg.sandbox.result import QueryFailed, QueryResult
from taisce_pg.sandbox.session import Query
from tests.support.analysts import SLOW, Stage, build
from tests.support.databases import Database

ENDLESS_BUT_CHECKED = SLOW.replace("a.x = b.x + 1", "a.x % 50 = b.x % 50").replace(
    "b.x::text", "b.x::text || repeat('x', 90000)"
)


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    return build(module_database)


@pytest.fixture
def memory(stage: Stage) -> Iterator[Memory]:
    with Memory(stage.database.uri(), analyst_dsn=stage.uri) as made:
        yield made


def test_memory_raises_what_a_result_only_says(memory: Memory) -> None:
    result = memory.query("select count(*) from entities where canonical_name = $1", ["Acme"])
    assert result.rows == ((1,),)
    with pytest.raises(QueryFailed) as failed:
        memory.query("select * from no_such_view")
    assert (failed.value.code, failed.value.reason) == ("TS009", "relation")
    assert failed.value.fragment == "no_such_view"
    assert failed.value.result.error is not None
    with pytest.raises(errors.QueryRejected):
        memory.explain_query("select 1; select 2")
    assert memory.explain_query("select 1").cost_class == "light"


def test_memory_without_a_login_says_what_to_do(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAISCE_ANALYST_DSN", raising=False)
    with Memory(stage.database.uri()) as memory, pytest.raises(errors.TaisceError) as told:
        memory.query("select 1")
    assert "TAISCE_ANALYST_DSN" in str(told.value)
    monkeypatch.setenv("TAISCE_ANALYST_DSN", stage.uri)
    with Memory(stage.database.uri()) as memory:
        assert memory.query("select 1").rows == ((1,),)


def test_the_async_client_does_the_same(stage: Stage) -> None:
    async def main() -> None:
        async with AsyncMemory(stage.database.uri(), analyst_dsn=stage.uri) as memory:
            result = await memory.query("select count(*) from entities")
            assert result.returned_rows == 1
            with pytest.raises(QueryFailed):
                await memory.query("delete from entities")
            assert (await memory.explain_query("select 1")).cost_class == "light"
        analyst = AsyncAnalyst(stage.uri)
        assert (await analyst.run(Query("select 1"))).rows == ((1,),)
        await analyst.close()

    asyncio.run(main())


def own_login(stage: Stage) -> str:
    """Make another analyst of north, whose two slots nothing else holds."""
    uri = stage.database.login("taisce_analyst")
    with stage.database.connect() as conn:
        conn.execute(
            "insert into taisce.project_grant (project_id, grantee, access) "
            "select p.project_id, %s::regrole, 'read' from taisce.project as p "
            "where p.name = 'north'",
            [stage.database.logins[-1]],
        )
    return uri


def test_more_than_two_queries_of_one_client_wait_for_each_other(stage: Stage) -> None:
    """A client has the two connections that its login may use, so no slot is ever missing."""
    uri = own_login(stage)
    text = "select count(*) from entities, generate_series(1, 1000)"

    async def main() -> None:
        async with AsyncMemory(stage.database.uri(), analyst_dsn=uri) as memory:
            results = await asyncio.gather(*(memory.query(text) for _ in range(7)))
        assert len({result.rows for result in results}) == 1

    asyncio.run(main())
    found: list[Any] = []
    analyst = Analyst(uri)
    threads = [
        threading.Thread(target=lambda: found.append(analyst.run(Query(text)))) for _ in range(7)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    analyst.close()
    assert [result.error for result in found] == [None] * 7
    assert len({result.rows for result in found}) == 1


def test_waiting_for_a_connection_takes_nothing_off_the_time(stage: Stage) -> None:
    login = own_login(stage)
    analyst = Analyst(login)
    slow = Query(ENDLESS_BUT_CHECKED, seconds=1.5)
    results: list[QueryResult] = []
    threads = [threading.Thread(target=lambda: results.append(analyst.run(slow))) for _ in range(2)]
    for thread in threads:
        thread.start()
    at_work = "select count(*) from pg_stat_activity where usename = %s and state <> 'idle'"
    end = time.monotonic() + 1.4
    with stage.database.connect() as conn:
        while conn.execute(at_work, [conninfo_to_dict(login)["user"]]).fetchone() != (2,):
            assert time.monotonic() < end, "both have not begun"
            time.sleep(0.02)
    late = analyst.run(Query("select 1", seconds=0.9))
    for thread in threads:
        thread.join()
    analyst.close()
    assert late.rows == ((1,),)
    assert late.elapsed_ms > 900
    assert [result.error and result.error.code for result in results] == ["timeout"] * 2
