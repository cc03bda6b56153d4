"""An assertion that changes nothing lets its caller see that."""

from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg.cli.main import cli
from tests.support.databases import Database
from tests.support.writing import Writer

ONCE = "t1: I live in Dublin."
HOME = {"object": "Dublin", "statement": "lives in Dublin"}


@pytest.fixture
def notices(conn: psycopg.Connection[Any]) -> list[tuple[str, str, str]]:
    heard: list[tuple[str, str, str]] = []
    conn.add_notice_handler(
        lambda one: heard.append(
            (one.message_primary or "", one.message_detail or "", one.message_hint or "")
        )
    )
    return heard


@pytest.fixture
def writer(conn: psycopg.Connection[Any], notices: list[Any]) -> Writer:
    made = Writer(conn)
    made.say("I live in Dublin. Yes, I live in Dublin now.", "t1")
    notices.clear()
    return made


def test_a_repeat_of_a_believed_fact_is_believed_since_before(
    writer: Writer, notices: list[Any]
) -> None:
    first = writer.believe("I", "lives_in", ONCE, **HOME)
    before = writer.dump()
    assert writer.believe("I", "lives_in", ONCE, **HOME) == first
    assert writer.dump() == before
    # More evidence is linked, and the belief is as old as it was.
    more = writer.believe("I", "lives_in", "t1: I live in Dublin now", **HOME)
    assert more == first
    assert writer.value("select count(*) from taisce.fact_evidence") == 2
    assert notices == []


def test_a_repeat_of_a_retracted_fact_says_that_it_is_not_believed(
    writer: Writer, notices: list[Any]
) -> None:
    first = writer.believe("I", "lives_in", ONCE, **HOME)
    writer.do("retract_fact", fact_id=first["fact_id"], reason="a joke")
    before = writer.dump()
    again = writer.believe("I", "lives_in", ONCE, **HOME)
    assert again["fact_id"] == first["fact_id"]
    assert again["known_from"] is None
    assert writer.dump() == before
    [(message, detail, hint)] = notices
    assert message == "not_believed"
    assert "retracted" in detail
    assert "correct_fact" in hint
    assert "Dublin" not in message + detail + hint

    notices.clear()
    back = writer.believe("I", "lives_in", "t1: I live in Dublin now", **HOME)
    assert back["fact_id"] == first["fact_id"]
    assert back["known_from"] > first["known_from"]
    assert notices == []
    # Now it is believed, and both are repeats of that.
    for told in (ONCE, "t1: I live in Dublin now"):
        assert writer.believe("I", "lives_in", told, **HOME) == back
    assert notices == []


def test_the_command_says_that_a_fact_is_not_believed(database: Database, writer: Writer) -> None:
    first = writer.believe("I", "lives_in", ONCE, **HOME)
    call = [
        "--dsn", database.uri(), "assert", "I", "--predicate", "lives_in", "--object", "Dublin",
        "--statement", HOME["statement"], "--cardinality", "one", "--project", "p",
        "--evidence", '{"observation": "t1", "quote": "I live in Dublin."}',
    ]  # fmt: skip
    told = CliRunner().invoke(cli, call, catch_exceptions=False)
    assert told.exit_code == 0
    assert "known from" in told.stdout
    assert told.stderr == ""
    writer.do("retract_fact", fact_id=first["fact_id"])
    told = CliRunner().invoke(cli, call, catch_exceptions=False)
    assert told.exit_code == 0
    assert "known from" not in told.stdout
    assert told.stderr.startswith("not believed: ")
