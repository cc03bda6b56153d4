"""The clients' connections, deadlines and errors, against a stand-in for recall."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, connect, errors
from tests.support import answers
from tests.support.databases import Database

STUB = Path(__file__).with_name("client_stub.sql").read_bytes()
CONTROLS = {
    "project": "p",
    "data_subject_id": "s",
    "max_characters": 10,
    "source_roles": ["user", "tool"],
    "hops": 2,
    "surfaces": ("facts",),
    "themes": True,
    "as_of": "2024-01-01T00:00Z",
    "as_known_at": datetime(2024, 1, 2, tzinfo=UTC),
    "evidence_per_fact": 3,
    "query_embedding": [1, 2.5],
    "embedding_model": "m",
}


@pytest.fixture
def stub(empty_database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    # Its answers tell more than the contract knows.
    monkeypatch.setattr(answers, "check", lambda value: value)
    with empty_database.connect() as conn:
        conn.execute(STUB)
    return empty_database


def busy(database: Database) -> int:
    """Count the clients' statements that run at this moment."""
    with database.connect() as conn:
        row = conn.execute(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and state = 'active' and pid <> pg_backend_pid()"
        ).fetchone()
    return int(row[0]) if row else 0


def wait_until(ready: Callable[[], bool], seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def terminate(database: Database) -> None:
    with database.connect() as conn:
        conn.execute(
            "select pg_terminate_backend(pid, 2000) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )


def session(bundle: Any) -> dict[str, Any]:
    found: dict[str, Any] = bundle.controls.session
    return found


@contextmanager
def occupied(memory: Memory, database: Database, count: int) -> Iterator[None]:
    """Keep connections busy with waiting statements, that end when the block does."""

    def ask() -> None:
        with pytest.raises(psycopg.Error):
            memory.recall("wait 20")

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    wait_until(lambda: busy(database) == count)
    yield
    with database.connect() as conn:
        conn.execute(
            "select pg_cancel_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
    for thread in threads:
        thread.join()


def in_loop(
    database: Database, body: Callable[[AsyncMemory], Awaitable[None]], **options: Any
) -> None:
    async def run() -> None:
        async with AsyncMemory(database.uri(), **options) as memory:
            await body(memory)

    asyncio.run(run())


def test_what_is_left_out_is_the_servers_default(stub: Database) -> None:
    with connect(stub.uri()) as memory:
        controls = memory.recall("Who?").controls
    assert controls.project == "stub default"
    assert controls.max_characters == 16000
    assert controls.source_roles == ("user",)


def test_every_control_arrives_in_both_clients(stub: Database) -> None:
    def check(bundle: Any) -> None:
        controls = bundle.to_dict()["controls"]
        for name in set(CONTROLS) & set(controls) - {"surfaces", "query_embedding"}:
            assert controls[name] == CONTROLS[name]
        assert controls["surfaces"] == ["facts"]
        assert controls["query_embedding"] == "[1,2.5]"
        assert bundle.scope.as_of == datetime(2024, 1, 1, tzinfo=UTC)
        assert bundle.scope.as_known_at == datetime(2024, 1, 2, tzinfo=UTC)

    async def body(memory: AsyncMemory) -> None:
        check(await memory.recall("Who?", **CONTROLS))

    with Memory(stub.uri()) as memory:
        check(memory.recall("Who?", **CONTROLS))
    in_loop(stub, body)


@pytest.mark.parametrize("question", ["%s %(x)s %%", "'; drop schema memory_v1 --", "Ü \u2028 \\"])
def test_a_question_is_data_whatever_it_holds(stub: Database, question: str) -> None:
    with Memory(stub.uri()) as memory:
        assert memory.recall(question).controls.to_dict()["question"] == question


def test_a_project_of_the_client_is_the_default_of_its_calls(stub: Database) -> None:
    with Memory(stub.uri(), project="mine") as memory:
        assert memory.recall("Who?").controls.project == "mine"
        assert memory.recall("Who?", project="other").controls.project == "other"


@pytest.mark.parametrize("code", errors.CLASSES)
def test_errors_of_the_server_arrive_as_their_class(stub: Database, code: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        with pytest.raises(errors.CLASSES[code]):
            await memory.recall(f"refuse {code}")
        assert (await memory.recall("Who?")).contract == "recall/v1"

    with Memory(stub.uri()) as memory:
        with pytest.raises(errors.CLASSES[code]) as caught:
            memory.recall(f"refuse {code}")
        assert (caught.value.detail, caught.value.hint) == ("the detail", "the hint")
        assert memory.recall("Who?").contract == "recall/v1"
    in_loop(stub, body)


def test_a_missing_privilege_stays_psycopgs(stub: Database) -> None:
    with Memory(stub.login()) as memory, pytest.raises(psycopg.errors.InsufficientPrivilege):
        memory.recall("Who?")


def test_a_server_that_is_not_there_is_said_at_once() -> None:
    started = time.monotonic()
    with pytest.raises(psycopg.OperationalError):
        Memory("host=/nonexistent dbname=x").open()
    assert time.monotonic() - started < 2


def test_a_statement_past_the_deadline_is_stopped_on_the_server(stub: Database) -> None:
    async def body(memory: AsyncMemory) -> None:
        with pytest.raises(psycopg.errors.QueryCanceled):
            await memory.recall("wait 20")
        assert (await memory.recall("Who?")).contract == "recall/v1"

    started = time.monotonic()
    with Memory(stub.uri(), deadline=0.3) as memory:
        with pytest.raises(psycopg.errors.QueryCanceled):
            memory.recall("wait 20")
        assert memory.recall("Who?").contract == "recall/v1"
    in_loop(stub, body, deadline=0.3)
    assert time.monotonic() - started < 5
    assert busy(stub) == 0


def test_the_default_deadline_is_30_seconds(stub: Database) -> None:
    with Memory(stub.uri()) as memory:
        assert 29_000 < session(memory.recall("Who?"))["limit"] <= 30_000


def test_a_shorter_time_out_of_the_role_stays(stub: Database) -> None:
    with Memory(stub.uri(options="-c statement_timeout=1500")) as memory:
        assert session(memory.recall("Who?"))["limit"] == 1500


def test_the_wait_for_a_connection_and_the_statement_share_the_deadline(stub: Database) -> None:
    with Memory(stub.uri(), max_connections=1, deadline=5) as memory:
        first = threading.Thread(target=memory.recall, args=["wait 1"])
        first.start()
        wait_until(lambda: busy(stub) == 1)
        left = session(memory.recall("Who?"))["limit"]
        first.join()
    assert 3000 < left < 4500


def test_no_connection_in_time_is_no_database_capacity(stub: Database) -> None:
    with Memory(stub.uri(), max_connections=2) as memory:
        with occupied(memory, stub, 2):
            memory.deadline = 0.2
            with pytest.raises(errors.NoDatabaseCapacity) as caught:
                memory.recall("Who?")
        memory.deadline = 10
        assert caught.value.retryable
        assert memory.recall("Who?").contract == "recall/v1"


def test_async_no_connection_in_time_is_no_database_capacity(stub: Database) -> None:
    async def body(memory: AsyncMemory) -> None:
        task = asyncio.create_task(memory.recall("wait 20"))
        await asyncio.to_thread(wait_until, lambda: busy(stub) == 1)
        memory.deadline = 0.2
        with pytest.raises(errors.NoDatabaseCapacity):
            await memory.recall("Who?")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    in_loop(stub, body, max_connections=1)


def test_cancelling_a_task_stops_the_statement_and_frees_the_connection(stub: Database) -> None:
    async def body(memory: AsyncMemory) -> None:
        before = session(await memory.recall("Who?"))["pid"]
        task = asyncio.create_task(memory.recall("wait 20"))
        await asyncio.to_thread(wait_until, lambda: busy(stub) == 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(busy, stub) == 0
        assert session(await memory.recall("Who?"))["pid"] == before

    in_loop(stub, body, max_connections=1)


def test_a_time_out_of_the_caller_frees_the_connection(stub: Database) -> None:
    async def body(memory: AsyncMemory) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await memory.recall("wait 20")
        assert (await memory.recall("Who?")).contract == "recall/v1"

    in_loop(stub, body, max_connections=1)


@pytest.mark.skipif(os.name == "nt", reason="a signal to this process")
def test_an_interrupt_stops_the_statement_and_frees_the_connection(stub: Database) -> None:
    with Memory(stub.uri(), max_connections=1) as memory:
        before = session(memory.recall("Who?"))["pid"]

        def interrupt() -> None:
            wait_until(lambda: busy(stub) == 1)
            os.kill(os.getpid(), signal.SIGINT)

        helper = threading.Thread(target=interrupt)
        helper.start()
        with pytest.raises(KeyboardInterrupt):
            memory.recall("wait 20")
        helper.join()
        assert busy(stub) == 0
        assert session(memory.recall("Who?"))["pid"] == before


def test_a_dead_connection_is_replaced_without_an_error(stub: Database) -> None:
    async def body(memory: AsyncMemory) -> None:
        await asyncio.gather(*(memory.recall("wait 0.1") for _ in range(3)))
        await asyncio.to_thread(terminate, stub)
        assert (await memory.recall("Who?")).contract == "recall/v1"

    with Memory(stub.uri(), max_connections=3) as memory:
        threads = [threading.Thread(target=memory.recall, args=["wait 0.2"]) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        terminate(stub)
        assert memory.recall("Who?").contract == "recall/v1"
    in_loop(stub, body, max_connections=3)


def test_a_connection_lost_during_the_statement_is_tried_once_more(stub: Database) -> None:
    with Memory(stub.uri()) as memory:

        def cut() -> None:
            wait_until(lambda: busy(stub) == 1)
            terminate(stub)

        helper = threading.Thread(target=cut)
        helper.start()
        assert memory.recall("wait 0.5").contract == "recall/v1"
        helper.join()


def test_a_connection_lost_twice_is_psycopgs_own_error(stub: Database) -> None:
    with Memory(stub.uri(), deadline=10) as memory:
        done = threading.Event()

        def cut() -> None:
            while not done.wait(0.05):
                if busy(stub):
                    terminate(stub)

        helper = threading.Thread(target=cut)
        helper.start()
        with pytest.raises(psycopg.OperationalError):
            memory.recall("wait 20")
        done.set()
        helper.join()


def test_statements_are_prepared_unless_told_not_to(stub: Database) -> None:
    for prepare, count in ((True, 2), (False, 0)):
        with Memory(stub.uri(), max_connections=1, prepare=prepare) as memory:
            for _ in range(8):
                found = session(memory.recall("Who?"))["prepared"]
        assert found == count


def test_the_deadline_of_one_call_does_not_stay_on_the_connection(stub: Database) -> None:
    with Memory(stub.uri(), max_connections=1, deadline=1) as memory:
        memory.recall("Who?")
        with memory._pool.connection() as conn:
            row = conn.execute("show statement_timeout").fetchone()
    assert row == ("0",)


def test_a_function_that_gives_nothing_is_an_error_and_not_an_answer(stub: Database) -> None:
    with Memory(stub.uri()) as memory, pytest.raises(psycopg.InternalError):
        memory.recall("nothing")


def test_the_command_prints_what_the_client_answers(stub: Database) -> None:
    from taisce_pg.cli.main import cli

    def run(*args: str, input: str | None = None) -> str:
        done = CliRunner().invoke(cli, ["--dsn", stub.uri(), "recall", *args], input=input)
        assert done.exit_code == 0, done.output
        return done.stdout

    assert '"question": "Who?"' in run("Who?", "--json")
    assert '"question": "Who?\\nNow?"' in run("-", "--json", input="Who?\nNow?\n")
    assert '"source_roles": ["user", "tool"]' in run("x", "--json", "--role=user", "--role=tool")
    assert run("Who?", "--render").startswith("<memory untrusted>")


def test_a_client_that_asks_one_thing_makes_one_connection(stub: Database) -> None:
    def connections() -> int:
        with stub.connect() as conn:
            row = conn.execute(
                "select count(*) from pg_stat_activity"
                " where datname = current_database() and application_name = 'taisce-pg counted'"
            ).fetchone()
        assert row is not None
        return int(row[0])

    async def body(memory: AsyncMemory) -> None:
        await memory.recall("Who?")
        assert await asyncio.to_thread(connections) == 1

    dsn = stub.uri(application_name="taisce-pg counted")
    with Memory(dsn) as memory:
        memory.recall("Who?")
        assert connections() == 1
        assert memory.open() is memory
        assert connections() == 1

    async def run() -> None:
        async with AsyncMemory(dsn) as memory:
            await body(memory)

    asyncio.run(run())
    wait_until(lambda: connections() == 0)
