"""Every write by the blocking client, the asynchronous one and the command line."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.client.writes import WRITES
from tests.support.databases import Database
from tests.support.writing import Writer

SAID = "Bob lives in Cork. Bob lives in Sligo. Robert knows Bob."


@pytest.fixture
def uri(database: Database) -> str:
    with database.connect() as conn:
        Writer(conn)
    return database.uri()


def quote(words: str) -> list[dict[str, Any]]:
    return [{"observation": "t1", "quote": words}]


def live(where: str, year: int) -> dict[str, Any]:
    return {
        "predicate": "lives_in",
        "object": where,
        "statement": f"Bob lives in {where}.",
        "evidence": quote(f"Bob lives in {where}"),
        "valid_from": datetime(year, 1, 1, tzinfo=UTC),
        "cardinality": "one",
    }


def tell(memory: Any, do: Callable[[Any], Any]) -> None:
    """Call every method that writes."""
    said = do(
        memory.observe(
            [{"role": "user", "content": SAID, "occurred_at": datetime(2024, 1, 1, tzinfo=UTC)}],
            data_subject_id="s1",
            idempotency_key="t1",
        )
    )
    assert said.log_offset == 1
    cork = do(memory.assert_fact("Bob", confidence=0.5, **live("Cork", 2020)))
    sligo = do(memory.assert_fact("Bob", **live("Sligo", 2021)))
    assert sligo.superseded == cork.fact_id
    assert sligo.known_from > cork.known_from
    other = {**live("Sligo", 2022), "valid_until": "2023-01-01T00:00:00Z"}
    new = do(memory.correct_fact(sligo.fact_id, "Bob", **other))
    assert new.superseded == sligo.fact_id
    assert do(memory.mark_contradiction([cork.fact_id, str(new.fact_id)])).facts == 2
    assert do(memory.withdraw_support(cork.fact_id)).support == "withdrawn"
    assert do(memory.mark_formed(said.observation_id)).formed == 1
    waiting = do(memory.observe([{"role": "user", "content": "Hm."}]))
    assert do(memory.park(waiting.observation_id, "no text")).formed == 2
    assert do(memory.register_segment("s1", 1, 1, 1, "Bob moved.")).covered == 1
    assert do(memory.register_community("k", ["Bob"])).members == 1
    report = do(
        memory.register_report(
            "k", "Bob", "He moved.", importance=2, fact_ids=[new.fact_id],
            observation_ids=[said.observation_id],
        )
    )  # fmt: skip
    assert report.withdrawn_at is None
    assert do(memory.retract_fact(new.fact_id, reason="a joke")).repeated is False
    begun = do(memory.begin_rebuild(1, 2))
    assert begun.at_offset == 0
    assert do(memory.advance_rebuild(2)).at_offset == 2
    assert do(memory.end_rebuild()).ended_at is not None
    do(
        memory.assert_fact(
            "Robert", predicate="knows", object="Bob", statement="Robert knows Bob.",
            evidence=quote("Robert knows Bob"),
        )
    )  # fmt: skip
    merged = do(memory.merge_entities("Bob", "Robert"))
    assert do(memory.add_alias(merged.absorbed, "Bobby")).entity_id == merged.survivor
    by_id = do(memory.merge_entities(merged.absorbed, merged.survivor))
    assert by_id.repeated
    assert do(memory.unmerge(merged.merge_id)).reversed_at is not None
    bundle = do(memory.recall("Where does Bob live?"))
    assert do(memory.report_feedback(bundle=bundle, kind="helpful")).feedback_id
    assert do(memory.report_feedback(fact_id=cork.fact_id, note="So it was.")).feedback_id


def test_every_write_of_the_blocking_client(uri: str) -> None:
    with Memory(uri, project="p") as memory:
        tell(memory, lambda done: done)


def test_every_write_of_the_asynchronous_client(uri: str) -> None:
    with asyncio.Runner() as runner:
        memory = runner.run(AsyncMemory(uri, project="p").open())
        tell(memory, runner.run)
        runner.run(memory.close())


def test_all_methods_are_called_above() -> None:
    source = inspect.getsource(tell)
    assert [one.name for one in WRITES if f"memory.{one.name}(" not in source] == []


def test_a_refusal_is_an_error_of_its_own_class(uri: str) -> None:
    with Memory(uri, project="p") as memory:
        memory.observe([{"role": "user", "content": SAID}], idempotency_key="t1")
        memory.assert_fact("Bob", **live("Cork", 2020))
        with pytest.raises(errors.ConflictingValue):
            memory.assert_fact("Bob", **live("Sligo", 2019))
        with pytest.raises(errors.IdempotencyConflict):
            memory.observe([{"role": "user", "content": "x"}], idempotency_key="t1")
        with pytest.raises(errors.NotFound):
            memory.retract_fact(UUID(int=0))
        with pytest.raises(errors.InvalidArgument, match="occurs more than once"):
            memory.assert_fact("Bob", statement="x", evidence=quote("Bob"))
        for bad in (5, None, ["Bob"]):
            with pytest.raises(errors.InvalidArgument, match="subject"):
                memory.assert_fact(bad, **live("Cork", 2020))  # type: ignore[arg-type]
        with pytest.raises(errors.InvalidArgument, match="NUL"):
            memory.assert_fact("B\0b", **live("Cork", 2020))
        with pytest.raises(errors.InvalidArgument, match="JSON"):
            memory.report_feedback(bundle={"facts": [object()]})
        with pytest.raises(errors.InvalidArgument, match="number"):
            memory.assert_fact("Bob", confidence="much", **live("Cork", 2020))  # type: ignore[arg-type]


def test_a_write_is_not_sent_twice_when_the_answer_is_lost(uri: str, database: Database) -> None:
    """The connection dies while the server works: nobody knows, so nobody repeats."""
    waiting = (
        "select pid from pg_stat_activity"
        " where wait_event_type = 'Lock' and datname = current_database()"
    )
    with Memory(uri, project="p") as memory, database.connect() as conn:
        with ThreadPoolExecutor(1) as pool, conn.transaction():
            conn.execute("select from taisce.project_clock for update")
            call = pool.submit(memory.observe, [{"role": "user", "content": SAID}])
            while (row := conn.execute(waiting).fetchone()) is None:
                time.sleep(0.02)
            conn.execute("select pg_terminate_backend(%s, 2000)", row)
        with pytest.raises(psycopg.OperationalError):
            call.result(10)
        assert memory.observe([{"role": "user", "content": SAID}]).log_offset == 1


def test_a_dead_connection_is_replaced_before_a_write(uri: str, database: Database) -> None:
    with Memory(uri, project="p", max_connections=1) as memory:
        memory.observe([{"role": "user", "content": "One."}])
        with database.connect() as conn:
            conn.execute(
                "select pg_terminate_backend(pid, 2000) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
        assert memory.observe([{"role": "user", "content": "Two."}]).log_offset == 2


def run(uri: str, *arguments: str, ends: int = 0, given: str | None = None) -> Any:
    """Run a command with --json and read what it prints."""
    done = CliRunner().invoke(
        cli, ["--dsn", uri, *arguments, "--project", "p", "--json"], input=given
    )
    assert (done.exit_code != 0) == (ends != 0), (done.output, done.exception)
    return json.loads(done.stdout) if not ends else done


def test_every_command_that_writes(uri: str) -> None:
    said = run(uri, "observe", SAID, "--subject", "s1", "--key", "t1")
    assert run(uri, "observe", "-", "--subject", "s1", "--key", "t1", given=SAID)["repeated"]
    more = [{"role": "user", "content": "Hm."}, {"role": "assistant", "content": "What?"}]
    waiting = run(uri, "observe", json.dumps(more), "--as-messages")
    evidence = json.dumps({"observation": "t1", "quote": "Bob lives in Cork"})
    told = ["--predicate", "lives_in", "--object", "Cork", "--statement", "Bob lives in Cork."]
    told += ["--evidence", evidence, "--cardinality", "one"]
    cork = run(uri, "assert", "Bob", *told, "--valid-from", "2020-01-01T00:00Z")
    new = run(uri, "correct", cork["fact_id"], "Bob", *told, "--valid-from", "2021-01-01T00:00Z")
    assert new["superseded"] == cork["fact_id"]
    group = run(uri, "contradict", cork["fact_id"], new["fact_id"])
    assert group["facts"] == 2
    assert run(uri, "withdraw", cork["fact_id"])["support"] == "withdrawn"
    assert run(uri, "retract", new["fact_id"], "--reason", "a joke")["repeated"] is False
    assert run(uri, "formed", said["observation_id"])["formed"] == 1
    assert run(uri, "park", waiting["observation_id"], "no text")["formed"] == 2
    assert run(uri, "register", "segment", "s1", "1", "1", "1", "Moved.")["covered"] == 1
    speaker = json.dumps({"speaker": "s1"})
    run(uri, "register", "community", "k", "Bob", speaker, ends=1)
    assert run(uri, "register", "community", "k", "Bob", "Cork", "--level", "0")["members"] == 2
    source = ["--observation", said["observation_id"]]
    assert run(uri, "register", "report", "k", "Bob", "He moved.", *source)["report_id"]
    assert run(uri, "rebuild", "begin", "1", "2")["at_offset"] == 0
    assert run(uri, "rebuild", "advance", "0")["at_offset"] == 0
    assert run(uri, "rebuild", "end")["ended_at"]
    merged = run(uri, "merge", "Bob", "Cork")
    assert run(uri, "alias", merged["absorbed"], "Bobby")["entity_id"] == merged["survivor"]
    assert run(uri, "unmerge", merged["merge_id"])["reversed_at"]
    assert run(uri, "feedback", "--fact", cork["fact_id"], "--kind", "wrong")["feedback_id"]


def test_the_command_line_shows_what_a_write_came_to(uri: str) -> None:
    done = CliRunner().invoke(cli, ["--dsn", uri, "observe", "Hello.", "--project", "p"])
    assert done.exit_code == 0
    assert "log offset" in done.stdout
    assert "repeated" in done.stdout


def test_the_command_line_refuses_broken_json(uri: str) -> None:
    done = run(uri, "assert", "Bob", "--evidence", "{", ends=2)
    assert "not JSON" in str(done.exception) or "not JSON" in done.output
