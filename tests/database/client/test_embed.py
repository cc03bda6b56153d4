"""Generations filled by a run that is killed, doubled, followed and failing; the command line."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.embed import EmbedderFailed
from taisce_pg.embed import fill as filling
from taisce_pg.embed.fill import Filler
from taisce_pg.problem import Problem
from tests.support import embedders
from tests.support.databases import Database
from tests.support.embedded_memory import small, tell, turn
from tests.support.embedders import DIMENSIONS, Counting, Endpoint

PROGRAM = Path(sys.executable).with_name("taisce-pg")
TEXTS = 13


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with database.connect() as made:
        small(made)
        yield made


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with embedders.endpoint() as made:
        yield made


def states(conn: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
    return conn.execute(
        "select space, state, vectors from memory_v1.generations() order by generation_id"
    ).fetchall()


def sent(embedder: Counting) -> list[str]:
    return sorted(set(embedder.asked))


def test_a_space_is_filled_in_batches_and_then_searched_with(conn: psycopg.Connection[Any]) -> None:
    told: list[tuple[str, int, float | None]] = []
    embedder = Counting()
    filler = Filler(conn, embedder, "demo", lambda *one: told.append(one), page=5)
    done = filler.fill("message")
    assert (done.embedded, done.gone, done.vectors, done.state) == (TEXTS, 0, TEXTS, "active")
    assert done.covered_through_offset == done.through_offset == TEXTS
    assert len(embedder.asked) == TEXTS
    assert [(count, share) for _, count, share in told] == [
        (5, pytest.approx(5 / TEXTS)),
        (10, pytest.approx(10 / TEXTS)),
        (TEXTS, 1.0),
    ]
    again = filler.fill("message")
    assert (again.embedded, again.generation_id) == (0, done.generation_id)
    assert len(embedder.asked) == TEXTS


def test_what_comes_while_a_pass_runs_is_embedded_too(conn: psycopg.Connection[Any]) -> None:
    embedder = Counting()
    more = iter([[turn("late", "Later news.")]])
    embedder.before = lambda: [tell(conn, lines) for lines in [next(more, [])] if lines] and None
    assert Filler(conn, embedder, page=100).fill("message").vectors == TEXTS + 1


def test_what_comes_after_the_last_pass_is_embedded_too(
    conn: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    filler = Filler(conn, Counting(), page=100)
    settle = filler._one
    late = iter([[turn("late", "Later news.")], [turn("later", "Still later news.")]])

    def told(name: str, generation_id: int, **values: Any) -> Any:
        lines = next(late, []) if name == "ready_generation" else []
        if lines:
            tell(conn, lines)
        return settle(name, generation_id, **values)

    monkeypatch.setattr(filler, "_one", told)
    done = filler.fill("message")
    assert (done.vectors, done.state) == (TEXTS + 2, "active")
    monkeypatch.setattr(filling, "_ATTEMPTS", 1)
    other = Filler(conn, Counting(), page=100)
    settle = other._one
    late = iter([[turn("last", "The last news.")]])
    monkeypatch.setattr(other, "_one", told)
    other._embedder.revision = "2"
    with pytest.raises(errors.InvalidArgument, match="not filled"):
        other.fill("message")


def test_a_text_erased_while_it_is_embedded_is_not_stored(conn: psycopg.Connection[Any]) -> None:
    embedder = Counting()
    ids = "(select array_agg(observation_id) from taisce.observation where log_offset = 1)"
    erase = iter([f"select memory_v1.erase_observations({ids})"])

    def before() -> None:
        for query in [next(erase, None)]:
            if query:
                conn.execute(query.encode())

    embedder.before = before
    done = Filler(conn, embedder).fill("message")
    assert (done.embedded, done.gone, done.vectors) == (TEXTS - 1, 1, TEXTS - 1)


def test_a_new_model_takes_over_only_when_it_is_complete(conn: psycopg.Connection[Any]) -> None:
    Filler(conn, Counting("old")).fill("message")
    failing = Counting("new", 16)
    asked = iter([None, EmbedderFailed("down")])
    failing.before = lambda: setattr(failing, "failure", next(asked))
    with pytest.raises(EmbedderFailed, match="down"):
        Filler(conn, failing, page=5).fill("message")
    assert states(conn) == [("message", "active", TEXTS), ("message", "building", 5)]
    resumed = Counting("new", 16)
    waiting = Filler(conn, resumed).fill("message", activate=False)
    assert (waiting.state, len(resumed.asked)) == ("ready", TEXTS - 5)
    assert Filler(conn, resumed).fill("message").state == "active"


def test_two_runs_do_not_do_the_same_work(
    database: Database, conn: psycopg.Connection[Any]
) -> None:
    first, second = Counting(), Counting()
    met = threading.Event()
    other_is_done = threading.Event()

    def wait() -> None:
        met.set()
        assert other_is_done.wait(30)

    first.before = wait
    done = []
    thread = threading.Thread(target=lambda: done.append(Filler(conn, first).fill("message")))
    thread.start()
    assert met.wait(30)
    with database.connect() as beside:
        assert Filler(beside, second).fill("message").state == "busy"
        assert Filler(beside, second).follow("message").state == "busy"
        assert second.asked == []
        other_is_done.set()
        thread.join(30)
        assert done[0].vectors == TEXTS
        assert Filler(beside, second).fill("message").embedded == 0


def test_following_embeds_what_is_new_and_what_changed(conn: psycopg.Connection[Any]) -> None:
    embedder = Counting()
    filler = Filler(conn, embedder)
    for space in ("message", "entity"):
        assert filler.follow(space).state == "active"
    embedder.asked.clear()
    tell(conn, [turn("n", "New words."), {"type": "entity", "name": "Marta", "profile": "Singer."}])
    done = filler.follow("message")
    assert (done.embedded, done.covered_through_offset) == (1, TEXTS + 1)
    assert filler.follow("message").embedded == 0
    assert filler.follow("entity").embedded == 1
    assert len(embedder.asked) == 2
    assert any("Singer" in text for text in embedder.asked)


def test_a_large_generation_gets_its_index(
    conn: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = Filler._call

    def call(self: Filler, name: str, **values: Any) -> list[Any]:
        asked.append(name)
        return real(self, name, **values)

    monkeypatch.setattr(Filler, "_call", call)
    Filler(conn, Counting()).fill("message")
    assert "index_generation" not in asked
    monkeypatch.setattr(filling, "INDEXED_FROM", TEXTS - 1)
    Filler(conn, Counting()).fill("message")
    assert "index_generation" in asked


def test_both_clients_fill_and_name_what_they_need(database: Database) -> None:
    with database.connect() as conn:
        small(conn)
    with Memory(database.uri(), embedder=Counting()) as memory:
        done = memory.embed(["message", "fact"])
        assert [(one.space, one.state) for one in done] == [
            ("message", "active"),
            ("fact", "active"),
        ]
        assert {one.embedding_model for one in memory.active_model()} == {"words"}
        assert memory.active_model(space="claim") == ()
        with pytest.raises(errors.InvalidArgument, match="no space"):
            memory.embed(["rumour"])
        gone = memory.retire_generation(done[1].generation_id)
        assert (gone.state, gone.vectors) == ("retired", 0)

    async def asked() -> None:
        async with AsyncMemory(database.uri(), embedder=Counting()) as memory:
            assert [one.state for one in await memory.embed()] == ["active"] * 5
            assert len(await memory.generations(space="fact")) == 2

    asyncio.run(asked())
    with (
        Memory(database.uri(), embedder="none") as memory,
        pytest.raises(Problem, match="embedder"),
    ):
        memory.embed()


def test_vectors_can_be_kept_by_hand(database: Database) -> None:
    with database.connect() as conn:
        small(conn)
    with Memory(database.uri()) as memory:
        begun = memory.begin_generation("fact", "m", 3, revision="2")
        assert (begun.embedding_model, begun.state) == ("m@2", "building")
        [due] = memory.embedding_due(begun.generation_id)
        assert "Marta likes Acme" in due.input_text
        assert (
            memory.embedding_due(
                begun.generation_id, after_offset=due.log_offset, after_id=due.item_id
            )
            == ()
        )
        wrong = memory.store_embeddings(
            begun.generation_id, [due.item_id], [b"x" * 32], [[1, 0, 0]]
        )
        assert (wrong.stored, wrong.stale) == (0, 1)
        kept = memory.store_embeddings(
            begun.generation_id, [due.item_id], [due.input_digest], [[1, 0, 0]]
        )
        assert (kept.stored, kept.stale, kept.gone) == (1, 0, 0)
        for step in (
            memory.settle_generation,
            memory.ready_generation,
            memory.index_generation,
            memory.activate_generation,
        ):
            shown = step(begun.generation_id)
        assert (shown.state, shown.vectors, shown.own_index) == ("active", 1, False)
        with pytest.raises(errors.EmbeddingMismatch):
            memory.store_embeddings(
                begun.generation_id, [due.item_id], [due.input_digest], [[1, 0]]
            )
        with pytest.raises(errors.InvalidArgument):
            memory.store_embeddings(begun.generation_id, [due.item_id], ["zz"], [[1, 0, 0]])


def run(database: Database, *arguments: str, **environment: str) -> Any:
    return CliRunner().invoke(
        cli, ["--dsn", database.uri(), *arguments], env=environment, catch_exceptions=True
    )


def http(endpoint: Endpoint) -> list[str]:
    return ["--embedder", "http", "--url", endpoint.url, "--model", "m", "--project", "demo"]


def test_the_command_fills_shows_and_retires(
    database: Database, conn: psycopg.Connection[Any], endpoint: Endpoint
) -> None:
    done = run(database, "embed", *http(endpoint), "--space", "message", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["space"], told["embedded"], told["state"]) == ("message", TEXTS, "active")
    [probe, *rest] = endpoint.asked
    assert len(probe["input"]) == 1
    assert sum(len(one["input"]) for one in rest) == TEXTS
    [listed] = json.loads(run(database, "embed", "status", "--json").stdout)
    assert (listed["embedding_model"], listed["dimensions"]) == ("m", DIMENSIONS)
    assert "message" in run(database, "embed", "status").stdout
    gone = run(database, "embed", "retire", str(listed["generation_id"]))
    assert "retired" in gone.stdout
    assert states(conn) == [("message", "retired", 0)]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ([], "no embedder chosen"),
        (["--embedder", "http"], "needs a URL"),
        (["--url", "http://127.0.0.1/"], "no embedder chosen"),
        (["--embedder", "cloud"], "no embedder 'cloud'"),
    ],
)
def test_mistakes_of_the_command_are_one_line(
    database: Database, arguments: list[str], what: str
) -> None:
    done = run(database, "embed", *arguments)
    assert isinstance(done.exception, Problem)
    assert what in str(done.exception)
    assert done.exception.exit_code == 2


def test_an_embedder_that_is_down_leaves_what_was_stored(
    database: Database, conn: psycopg.Connection[Any], endpoint: Endpoint,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(filling, "PAGE", 5)
    monkeypatch.setattr(Filler.__init__, "__defaults__", (None, None, 5, None))
    endpoint.script += [embedders.right, embedders.right, embedders.status(400, "bad")]
    done = run(database, "embed", *http(endpoint), "--space", "message")
    assert "400: bad" in str(done.exception)
    assert "run it again" in str(done.exception)
    assert states(conn) == [("message", "building", 5)]
    done = run(database, "embed", *http(endpoint), "--space", "message")
    assert done.exit_code == 0, done.output
    assert states(conn) == [("message", "active", TEXTS)]


def started(database: Database, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(PROGRAM), "--dsn", database.uri(), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until(ready: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@pytest.mark.slow
def test_a_run_that_is_killed_is_taken_up_where_it_was(
    database: Database, conn: psycopg.Connection[Any], endpoint: Endpoint
) -> None:
    tell(conn, [turn(f"x{n}", f"Text {n}.") for n in range(700)])
    hold = threading.Event()

    def late(handler: Any, body: Any) -> None:
        hold.wait(60)
        embedders.right(handler, body)

    # The probe, and the first page of 512 in four requests; then it hangs.
    endpoint.script += [embedders.right] * 5 + [late]
    killed = started(database, "embed", *http(endpoint), "--space", "message")
    try:
        wait_until(lambda: len(endpoint.asked) >= 6)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
    finally:
        hold.set()
        killed.stdout.close() if killed.stdout else None
    assert states(conn) == [("message", "building", 512)]
    endpoint.asked.clear()
    wait_until(lambda: run(database, "embed", *http(endpoint), "--space", "message").exit_code == 0)
    assert states(conn) == [("message", "active", TEXTS + 700)]
    assert sum(len(one["input"]) for one in endpoint.asked) == 1 + TEXTS + 700 - 512


@pytest.mark.slow
def test_following_goes_on_through_faults_until_interrupted(
    database: Database, conn: psycopg.Connection[Any], endpoint: Endpoint
) -> None:
    arguments = ["embed", *http(endpoint), "--space", "message", "--follow", "--every", "0.2"]
    following = started(database, *arguments)
    try:
        wait_until(lambda: states(conn) == [("message", "active", TEXTS)])
        endpoint.script.append(embedders.status(400, "bad"))
        tell(conn, [turn("n1", "New words.")])
        wait_until(lambda: states(conn) == [("message", "active", TEXTS + 1)])
        conn.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
            " and datname = current_database() and application_name = 'taisce-pg'"
        )
        tell(conn, [turn("n2", "Newer words.")])
        wait_until(lambda: states(conn) == [("message", "active", TEXTS + 2)])
    finally:
        following.send_signal(signal.SIGINT)
        said, _ = following.communicate(timeout=30)
    assert following.returncode == 130, said
    assert "400: bad" in said
    assert "Traceback" not in said
