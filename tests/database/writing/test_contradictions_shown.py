"""A fact names the facts that contradict it, as far as who asks may read them."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.memories import turn
from tests.support.retention import LATER, pass_by

Connection = psycopg.Connection[Any]
THEN, LONG_AGO = "2025-06-01T00:00:00Z", "2020-01-01T00:00:00Z"


def said(key: str, source: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "fact", "key": key, "subject": "Ann", "predicate": "age", "value": key,
        "statement": key, "evidence": [{"observation": source, "quote": "Ann is so"}], **more,
    }  # fmt: skip


@pytest.fixture
def ids(conn: Connection) -> dict[Any, str]:
    """Tell one fact that is disputed by others: of a tool, of another person, ended, passing."""
    tool = turn("t2", "Ann is so")
    tool["messages"][0]["role"] = "tool"
    lines = [
        turn("t1", "Ann is so"), tool, turn("t3", "Ann is so", data_subject_id="s2"),
        turn("t4", "Ann is so", retention_until=LATER),
        said("own", "t1"), said("of a tool", "t2"), said("of another", "t3"),
        said("passing", "t4"), said("beside", "t1"),
        said("ended", "t1", valid_from=LONG_AGO, valid_until=THEN),
        said("retracted", "t1"), said("apart", "t1"),
        {"type": "contradiction", "facts": [
            "own", "of a tool", "of another", "passing", "beside", "ended", "retracted"]},
        {"type": "retract", "fact": "retracted"},
    ]  # fmt: skip
    load_lines(conn, "p", lines)
    rows = conn.execute("select fact_id::text, statement from taisce.fact").fetchall()
    return dict(rows)


def against(conn: Connection, ids: dict[Any, str], **controls: Any) -> list[str] | None:
    """Return what contradicts the first fact in a recall."""
    given = "".join(f", {name} => %({name})s" for name in controls)
    row = conn.execute(
        f"select memory_v1.recall('Ann', project => 'p'{given}) -> 'facts'".encode(), controls
    ).fetchone()
    assert row is not None
    facts = {ids[one["fact_id"]]: one["contradicts"] for one in row[0]}
    assert facts.get("apart") == []
    assert facts["own"] == sorted(facts["own"]), "in the order in which facts were told"
    return [ids[one] for one in facts["own"]]


def test_all_that_hold_are_named(conn: Connection, ids: dict[Any, str]) -> None:
    everyone = ["user", "tool"]
    assert set(against(conn, ids, source_roles=everyone) or ()) == {
        "of a tool", "of another", "passing", "beside",
    }  # fmt: skip


def test_none_of_a_role_that_is_not_asked(conn: Connection, ids: dict[Any, str]) -> None:
    assert set(against(conn, ids, source_roles=["user"]) or ()) == {
        "of another", "passing", "beside",
    }  # fmt: skip


def test_none_of_another_person(conn: Connection, ids: dict[Any, str]) -> None:
    named = against(conn, ids, source_roles=["user", "tool"], data_subject_id="s1")
    assert set(named or ()) == {"of a tool", "passing", "beside"}


def test_none_that_has_passed(conn: Connection, ids: dict[Any, str]) -> None:
    pass_by(conn)
    assert set(against(conn, ids, source_roles=["user"]) or ()) == {"of another", "beside"}


def test_those_of_the_time_that_is_asked_for(conn: Connection, ids: dict[Any, str]) -> None:
    named = against(conn, ids, source_roles=["user"], as_of="2025-01-01T00:00:00Z")
    assert set(named or ()) == {"of another", "passing", "beside", "ended"}
