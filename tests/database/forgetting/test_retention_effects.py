"""What an expired turn did to other facts: it stays done until `expire`, and names nobody.

At the instant the turn and all that rests on it are gone from every read. That a kept fact ended
where a fact of that turn began, was corrected by it, or contradicted it, is undone by `expire`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import fact, turn
from tests.support.retention import LATER, pass_by

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def one(conn: Connection, query: str, *values: Any) -> Any:
    row = conn.execute(query.encode(), values).fetchone()
    return None if row is None else row[0]


def home(key: str, place: str, source: str, year: int, **more: Any) -> dict[str, Any]:
    return {
        "predicate": "lives_in", "cardinality": "one", "object": place,
        "valid_from": f"{year}-01-01T00:00:00Z",
        **fact(key, {"speaker": "s1"}, f"lives in {place}", source, f"live in {place}", **more),
    }  # fmt: skip


def tell(conn: Connection, project: str, *facts: dict[str, Any], **kept: str) -> None:
    turns = [
        turn(place.lower(), f"I live in {place}.",
             **({"retention_until": LATER} if place == "Zorgville" else {}))
        for place in ("Cork", "Zorgville", "Sligo")
    ]  # fmt: skip
    load_lines(conn, project, [json.dumps(line) for line in (*turns, *facts)])


def living(conn: Connection, project: str, **when: Any) -> list[str]:
    bundle = one(
        conn,
        "select memory_v1.recall('Where do I live?', project => %s, data_subject_id => 's1',"
        " as_of => %s::timestamptz, as_known_at => %s::timestamptz)",
        project,
        when.get("as_of"),
        when.get("as_known_at"),
    )
    return [one["object"] for one in bundle["facts"]]


def seen_of(conn: Connection, project: str, statement: str) -> dict[str, Any]:
    """What inspection says of a fact that is kept."""
    number = one(conn, "select project_id from taisce.project where name = %s", project)
    found = one(
        conn,
        "select fact_id from taisce.fact where project_id = %s and statement = %s",
        number,
        statement,
    )
    conn.execute("select set_config('taisce.project', %s, false)", [project])
    citation = one(conn, "select memory_v1.resolve_citation(%s, project => %s)", found, project)
    return {
        "status": citation["status"],
        "successor": citation["superseded_by"] or citation["supersession_source"],
        "intervals": conn.execute(
            "select cause, closed_cause, caused_by is not null and cause <> 'asserted',"
            " closed_by is not null, valid_until is null"
            " from memory_v1.record_history(%s, project => %s)",
            [found, project],
        ).fetchall(),
        "views": conn.execute(
            "select superseded_by is not null, version_cause from memory_v1.facts_history"
            " where fact_id = %s order by known_from",
            [found],
        ).fetchall(),
        "changes": conn.execute(
            "select event, observation_id is not null from memory_v1.changes"
            " where fact_id = %s order by changed_at, event",
            [found],
        ).fetchall(),
    }


def test_an_end_stays_until_expire_takes_it_back(conn: Connection) -> None:
    tell(conn, "ended", home("c", "Cork", "cork", 2020), home("z", "Zorgville", "zorgville", 2022))
    assert living(conn, "ended") == ["Zorgville"]
    assert seen_of(conn, "ended", "lives in Cork")["successor"] is not None
    pass_by(conn)
    assert living(conn, "ended") == []
    assert living(conn, "ended", as_of="2023-01-01Z") == []
    assert living(conn, "ended", as_of="2021-01-01Z") == ["Cork"]
    # That it ended, and when, is still to be seen; by what is not.
    assert seen_of(conn, "ended", "lives in Cork") == {
        "status": "validity_closed",
        "successor": None,
        "intervals": [("superseded", None, False, False, False),
                      ("asserted", "superseded", False, False, True)],
        "views": [(False, "asserted"), (False, "superseded")],
        "changes": [("asserted", True), ("superseded", False)],
    }  # fmt: skip
    conn.execute("select * from memory_v1.expire(project => 'ended')")
    assert living(conn, "ended") == ["Cork"]
    assert living(conn, "ended", as_of="2023-01-01Z") == ["Cork"]
    after = seen_of(conn, "ended", "lives in Cork")
    assert (after["status"], after["views"]) == ("current", [(False, "asserted")])


def test_what_was_cut_twice_reaches_to_the_next_that_is_kept(conn: Connection) -> None:
    tell(
        conn,
        "twice",
        home("c", "Cork", "cork", 2020),
        home("z", "Zorgville", "zorgville", 2022),
        home("s", "Sligo", "sligo", 2024),
    )
    pass_by(conn)
    years = ("2021-06-01Z", "2023-06-01Z", "2025-06-01Z")
    assert [living(conn, "twice", as_of=one) for one in years] == [["Cork"], [], ["Sligo"]]
    conn.execute("select * from memory_v1.expire(project => 'twice')")
    assert [living(conn, "twice", as_of=one) for one in years] == [["Cork"], ["Cork"], ["Sligo"]]


def test_a_correction_stays_until_expire_takes_it_back(conn: Connection) -> None:
    tell(conn, "corrected", home("c", "Cork", "cork", 2020))
    number = one(conn, "select project_id from taisce.project where name = 'corrected'")
    old = one(conn, "select fact_id from taisce.fact where project_id = %s", number)
    said = one(
        conn,
        "select observation_id from taisce.observation where project_id = %s"
        " and retention_until < 'infinity'",
        number,
    )
    conn.execute(
        'select * from memory_v1.correct_fact(fact_id => %s, subject => \'{"speaker": "s1"}\','
        " predicate => 'lives_in', object => '\"Zorgville\"', statement => 'lives in Zorgville',"
        " evidence => %s::jsonb, valid_from => '2020-01-01Z', cardinality => 'one',"
        " project => 'corrected')",
        [old, json.dumps([{"observation": {"id": str(said)}, "quote": "live in Zorgville"}])],
    )
    assert living(conn, "corrected") == ["Zorgville"]
    pass_by(conn)
    assert living(conn, "corrected") == []
    seen = seen_of(conn, "corrected", "lives in Cork")
    assert (seen["status"], seen["successor"]) == ("knowledge_closed", None)
    assert [interval[1:4] for interval in seen["intervals"]] == [("corrected", False, False)]
    assert all(not named for event, named in seen["changes"] if event != "asserted")
    conn.execute("select * from memory_v1.expire(project => 'corrected')")
    assert living(conn, "corrected") == ["Cork"]
    assert seen_of(conn, "corrected", "lives in Cork")["status"] == "current"


def test_a_contradiction_shows_no_side_that_has_expired(conn: Connection) -> None:
    """Its last side stays exempt from supersession until expire() has run."""
    tell(
        conn,
        "contested",
        home("c", "Cork", "cork", 2020),
        home("z", "Zorgville", "zorgville", 2020, on_conflict="contradict"),
    )
    ask = (
        "select memory_v1.recall('Where do I live?', project => 'contested',"
        " data_subject_id => 's1') -> 'facts'"
    )
    assert sorted(len(found["contradicts"]) for found in one(conn, ask)) == [1, 1]
    pass_by(conn)
    [left] = one(conn, ask)
    assert (left["object"], left["contradicts"]) == ("Cork", [])
    group = "select contradiction_group from memory_v1.facts_current where statement ~ 'Cork'"
    conn.execute("select set_config('taisce.project', 'contested', false)")
    assert one(conn, group) is not None
    conn.execute("select * from memory_v1.expire(project => 'contested')")
    assert one(conn, group) is None
    [left] = one(conn, ask)
    assert (left["object"], left["contradicts"]) == ("Cork", [])


def test_its_place_is_taken_for_writers_until_expire_has_run(conn: Connection) -> None:
    """A new value from the very start of the expired one is refused, then accepted."""
    tell(conn, "taken", home("c", "Cork", "cork", 2020), home("z", "Zorgville", "zorgville", 2022))
    pass_by(conn)
    number = one(conn, "select project_id from taisce.project where name = 'taken'")
    said = one(
        conn,
        "select observation_id from taisce.message where project_id = %s and content ~ 'Sligo'",
        number,
    )
    write = (
        'select superseded from memory_v1.assert_fact(subject => \'{"speaker": "s1"}\','
        " predicate => 'lives_in', object => '\"Sligo\"', statement => 'lives in Sligo',"
        " evidence => %s::jsonb, valid_from => '2022-01-01Z', cardinality => 'one',"
        " project => 'taken')"
    )
    evidence = json.dumps([{"observation": {"id": str(said)}, "quote": "live in Sligo"}])
    with pytest.raises(psycopg.Error) as caught:
        conn.execute(write.encode(), [evidence])
    assert caught.value.sqlstate == "TS006"
    assert "zorg" not in f"{caught.value.diag.message_detail} {caught.value}".lower()
    conn.execute("select * from memory_v1.expire(project => 'taken')")
    cork = one(
        conn,
        "select fact_id from taisce.fact where project_id = %s and statement ~ 'Cork'",
        number,
    )
    assert one(conn, write, evidence) == cork
    assert living(conn, "taken") == ["Sligo"]
