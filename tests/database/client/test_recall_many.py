"""Many questions in one pipeline: answers in order, errors in their places, one transaction."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.client import session
from taisce_pg.client.models import Bundle
from taisce_pg.embed import EmbedderFailed
from taisce_pg.embed.fill import Filler
from tests.support import answers as contracts
from tests.support.databases import Database
from tests.support.embedded_memory import small
from tests.support.embedders import Counting

STUB = Path(__file__).with_name("client_stub.sql").read_bytes()


@pytest.fixture
def stub(empty_database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    # Its answers tell more than the contract knows.
    monkeypatch.setattr(contracts, "check", lambda value: value)
    with empty_database.connect() as conn:
        conn.execute(STUB)
    return empty_database


@pytest.fixture(scope="module")
def embedded(module_database: Database) -> str:
    with module_database.connect() as conn:
        small(conn)
        for space in ("message", "claim", "fact", "entity", "report"):
            Filler(conn, Counting()).fill(space)
    return module_database.uri()


def both(dsn: str, questions: Any, options: dict[str, Any], **controls: Any) -> Iterator[Any]:
    """Ask the blocking client and then the other one."""
    with Memory(dsn, **options) as memory:
        yield memory.recall_many(questions, **controls)

    async def ask() -> Any:
        async with AsyncMemory(dsn, **options) as memory:
            return await memory.recall_many(questions, **controls)

    yield asyncio.run(ask())


def told(answers: Any) -> list[Any]:
    """Return the question of each answer, or the class of its error."""
    return [
        one.controls.to_dict()["question"] if isinstance(one, Bundle) else type(one)
        for one in answers
    ]


@pytest.mark.parametrize("count", [0, 1, 2 * session.TOGETHER + 1])
def test_answers_come_in_the_order_of_the_questions(stub: Database, count: int) -> None:
    questions = [f"question {n}" for n in range(count)]
    for answers in both(stub.uri(), questions, {"max_connections": 1}):
        assert told(answers) == questions


def test_an_error_stands_in_its_place_and_loses_no_other(stub: Database) -> None:
    questions = ["a", "refuse TS001", "b", "with \0", "refuse TS010", "nothing", "wait 9", "c"]
    for answers in both(stub.uri(), questions, {"deadline": 1.0}):
        assert told(answers) == [
            "a",
            errors.InvalidQuestion,
            "b",
            errors.InvalidQuestion,
            errors.LimitExceeded,
            psycopg.InternalError,
            psycopg.errors.QueryCanceled,
            "c",
        ]
        assert (answers[1].detail, answers[1].hint) == ("the detail", "the hint")
        assert isinstance(answers[1].__cause__, psycopg.Error)


def test_every_question_has_the_time_of_a_call(stub: Database) -> None:
    started = time.monotonic()
    questions = ["wait 0.7", "wait 0.7", "wait 9", "wait 0.7", "a"]
    for answers in both(stub.uri(), questions, {"deadline": 1.5}):
        assert told(answers)[3:] == ["wait 0.7", "a"]
        assert told(answers)[2] is psycopg.errors.QueryCanceled
    assert time.monotonic() - started < 15


def test_controls_are_those_of_every_question(stub: Database) -> None:
    for roles in ("user", "tool"), iter(("user", "tool")):
        with Memory(stub.uri(), project="mine") as memory:
            answers = memory.recall_many(
                iter(["a", "b"]), source_roles=roles, hops=2, as_of="2024-01-01T00:00Z"
            )
        for one in answers:
            assert isinstance(one, Bundle)
            assert one.controls.source_roles == ("user", "tool")
            assert (one.controls.project, one.controls.hops) == ("mine", 2)


@pytest.mark.parametrize("questions", ["Who?", b"Who?", 7, None, {"Who?": 1}])
def test_what_is_no_list_of_questions_is_refused(stub: Database, questions: Any) -> None:
    with Memory(stub.uri()) as memory, pytest.raises(errors.InvalidArgument):
        memory.recall_many(questions)


def test_all_questions_are_one_transaction_and_statements_are_prepared_once(
    stub: Database,
) -> None:
    with stub.connect() as conn:
        conn.execute("create table public.seen (x xid8)")
        conn.execute("alter function memory_v1.recall rename to answer")
        conn.execute(
            """
            create function memory_v1.recall(question text) returns jsonb
            language sql volatile as $$
                insert into public.seen values (pg_current_xact_id());
                select memory_v1.answer(question);
            $$
            """
        )
    with Memory(stub.uri()) as memory:
        answers: Any = memory.recall_many([f"q{n}" for n in range(5)])
    assert [one.controls.session["prepared"] for one in answers] == [2] * 5
    with stub.connect() as conn:
        seen = conn.execute("select count(*), count(distinct x) from public.seen").fetchone()
    assert seen == (5, 1)


def test_cancelling_stops_the_rest_and_frees_the_connection(stub: Database) -> None:
    async def run() -> None:
        async with AsyncMemory(stub.uri(), max_connections=1) as memory:
            task = asyncio.create_task(memory.recall_many(["a", *["wait 3"] * 10]))
            await asyncio.sleep(0.5)
            began = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await memory.recall("Who?")).contract == "recall/v1"
            assert time.monotonic() - began < 2.5

    asyncio.run(run())


def test_a_connection_lost_in_between_is_tried_once_more(stub: Database) -> None:
    with Memory(stub.uri()) as memory:

        def cut() -> None:
            with stub.connect() as conn:
                end = time.monotonic() + 5
                while time.monotonic() < end:
                    found = conn.execute(
                        "select pg_terminate_backend(pid, 2000) from pg_stat_activity"
                        " where datname = current_database() and pid <> pg_backend_pid()"
                        " and state = 'active'"
                    ).fetchall()
                    if found:
                        return
                    time.sleep(0.02)

        helper = threading.Thread(target=cut)
        helper.start()
        assert told(memory.recall_many(["a", "wait 0.5", "b"])) == ["a", "wait 0.5", "b"]
        helper.join()


def test_the_embedder_is_called_once_for_all_and_its_failure_is_told(embedded: str) -> None:
    embedder = Counting()
    questions = ["likes green tea", "", "who likes what", "likes green tea"]
    with Memory(embedded, project="demo", embedder=embedder) as memory:
        answers = memory.recall_many(questions)
        assert embedder.asked == ["likes green tea", "who likes what"]
        assert isinstance(answers[1], errors.InvalidQuestion)
        for one in (answers[0], answers[2], answers[3]):
            assert isinstance(one, Bundle)
            assert one.controls.embedding_model == "words"
            assert "embedder" not in one.degraded
        embedder.failure = EmbedderFailed("down")
        known, new = memory.recall_many(["likes green tea", "something new"])
        assert isinstance(known, Bundle)
        assert isinstance(new, Bundle)
        assert "embedder" not in known.degraded
        assert "embedder" in new.degraded


def test_each_answer_is_that_of_its_own_call(embedded: str) -> None:
    questions = ["Who is Ann Byrne?", "likes green tea", "?!", "Nobody Known"]
    for answers in both(embedded, questions, {"project": "demo"}, hops=2):
        with Memory(embedded, project="demo") as memory:
            for question, one in zip(questions, answers, strict=True):
                alone, many = memory.recall(question, hops=2).to_dict(), one.to_dict()
                for answer in (alone, many):
                    answer["freshness"].pop("read_at")
                assert alone == many


def test_the_command_asks_each_line_of_a_file(stub: Database, tmp_path: Path) -> None:
    lines = tmp_path / "questions.txt"
    lines.write_text("Who?\n\n  refuse TS010 \nWhere? \x1b[31m\n", encoding="utf-8")

    def run(*args: str, text: str | None = None) -> Any:
        return CliRunner().invoke(cli, ["--dsn", stub.uri(), "recall", *args], input=text)

    done = run("--file", str(lines), "--json")
    assert done.exit_code == 1
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert (first["index"], first["answer"]["controls"]["question"]) == (0, "Who?")
    assert second == {
        "index": 1,
        "error": {
            "code": "TS010",
            "message": "word",
            "detail": "the detail",
            "hint": "the hint",
            "retryable": False,
        },
    }
    assert third["index"] == 2
    shown = run("--file", str(lines))
    assert shown.exit_code == 1
    assert [line for line in shown.stdout.splitlines() if line[:2] in ("1.", "2.", "3.")] == [
        "1. Who?",
        "2. refuse TS010",
        "3. Where? \\x1b[31m",
    ]
    assert shown.stderr.startswith("question 2: error TS010: word: the detail")
    assert run("--file", "-", "--render", text="Who?\nWhere?\n").stdout.count("<memory") == 2
    for wrong in ((), ("Who?", "--file", str(lines)), ("--file", str(tmp_path / "none"))):
        assert run(*wrong).exit_code == 2
