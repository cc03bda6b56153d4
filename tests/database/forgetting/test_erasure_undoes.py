"""What an erased turn did to others is undone: ends, corrections, names, merges."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.support import erasures
from tests.support.erasures import (
    MARK,
    erase,
    home,
    lives,
    load,
    told,
    versions,
    year,
)
from tests.support.memories import fact, turn

Connection = psycopg.Connection[Any]


def test_what_it_ended_holds_again(conn: Connection) -> None:
    ids = erasures.tell(conn)
    assert versions(conn, "home") == [(2026, None, False, False), (2026, 2026, True, True)]
    erase(conn, ids[f"key {MARK}"])
    assert versions(conn, "home") == [(2026, None, True, False)]
    row = conn.execute(
        "select superseded_by, supersession_source from taisce.fact where fact_id = %s",
        [ids["home"]],
    ).fetchone()
    assert row == (None, None)


def test_a_fact_with_other_evidence_stays(conn: Connection) -> None:
    ids = erasures.tell(conn)
    erase(conn, ids[f"key {MARK}"])
    row = conn.execute("select memory_v1.recall('Acme', project => 'p')").fetchone()
    assert row is not None
    [found] = row[0]["facts"]
    assert (found["statement"], len(found["evidence"])) == ("is in Dublin", 1)
    # What was left alone in its group contradicts nothing.
    assert found["contradicts"] == []


@pytest.mark.parametrize(
    ("erased", "wanted"),
    [
        ("B", [(2000, None, False, False), (2000, 2020, True, True)]),
        ("C", [(2000, None, False, False), (2000, 2010, True, True)]),
        ("BC", [(2000, None, True, False)]),
    ],
)
def test_what_was_cut_twice_ends_at_the_next_start(
    conn: Connection, erased: str, wanted: list[Any]
) -> None:
    load(
        conn,
        [
            *home("A", "B", "C"),
            lives("a", "A", "in A", 2000),
            lives("b", "B", "in B", 2010),
            lives("c", "C", "in C", 2020),
        ],
    )
    erase(conn, *(told(conn, f"in {place}") for place in erased))
    assert versions(conn, "a") == wanted
    row = conn.execute(
        "select n.statement from taisce.fact f left join taisce.fact n on n.fact_id ="
        " f.superseded_by where f.statement = 'lives in A'"
    ).fetchone()
    assert row == ({"B": "lives in C", "C": "lives in B", "BC": None}[erased],)


def test_a_middle_cut_is_taken_out_of_history(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A", "B", "C"),
            lives("a", "A", "in A", 2000),
            lives("b", "B", "in B", 2010),
            lives("c", "C", "in C", 2005, valid_until=year(2006)),
        ],
    )
    assert len(versions(conn, "a")) == 3
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == [(2000, None, False, False), (2000, 2005, True, True)]
    assert conn.execute(
        "select count(*) from taisce.fact_version v join taisce.fact_version w"
        " using (project_id, fact_id) where v.known_from < w.known_from"
        " and v.known_to > w.known_from"
    ).fetchone() == (0,)


def test_an_end_that_gave_way_is_as_stated(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A", "B"),
            lives("b", "B", "in B", 2010),
            lives("a", "A", "in A", 2000, on_conflict="truncate"),
        ],
    )
    assert versions(conn, "a") == [(2000, 2010, True, True)]
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == [(2000, None, True, False)]


def test_a_cut_by_a_fact_that_stays_stays(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A", "B"),
            turn("again", "As I said, I live in B."),
            lives("a", "A", "in A", 2000),
            lives("b", "B", "in B", 2010),
            lives("b2", "B", "again", 2010),
        ],
    )
    before = versions(conn, "a")
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == before
    assert versions(conn, "b") == [(2010, None, True, False)]
    again = told(conn, "again")
    assert conn.execute(
        "select count(*) from taisce.fact_version where %s in (caused_by, closed_by)", [again]
    ).fetchone() == (3,)
    assert conn.execute(
        "select supersession_source from taisce.fact where statement = 'lives in A'"
    ).fetchone() == (again,)
    erase(conn, again)
    assert versions(conn, "a") == [(2000, None, True, False)]


def test_a_correction_is_taken_back(conn: Connection) -> None:
    load(conn, [*home("A", "B"), lives("a", "A", "in A", 2000)])
    conn.execute(
        "select * from memory_v1.correct_fact(fact_id => (select fact_id from taisce.fact),"
        " subject => '{\"speaker\": \"s1\"}', predicate => 'lives_in', value => 'B',"
        " statement => 'lives in B', cardinality => 'one', valid_from => '2000-01-01Z',"
        " evidence => %s)",
        [Jsonb([{"observation": {"id": str(told(conn, "in B"))}, "quote": "I live in B"}])],
    )
    assert versions(conn, "a") == [(2000, None, False, False)]
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == [(2000, None, True, False)]
    assert conn.execute(
        "select retracted_at, retraction_reason, superseded_by from taisce.fact"
    ).fetchall() == [(None, None, None)]


def test_what_it_told_again_is_retracted_again(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A"),
            turn("again", "I live in A, again."),
            lives("a", "A", "in A", 2000),
            {"type": "retract", "fact": "a"},
            lives("a2", "A", "again", 2000),
        ],
    )
    assert [row[2] for row in versions(conn, "a")] == [False, True]
    erase(conn, told(conn, "again"))
    assert [row[2] for row in versions(conn, "a")] == [False]
    [(at,)] = conn.execute("select retracted_at from taisce.fact").fetchall()
    assert isinstance(at, datetime)


def test_names_go_with_their_only_source(conn: Connection) -> None:
    load(
        conn,
        [
            turn("one", "Ann Smith, whom they call Annie, likes Mary-Jane."),
            turn("two", "ANN SMITH is here, she likes tea."),
            turn("three", "Annie's friend Robert Jones is a Robertson."),
            fact("f1", "Ann Smith", "likes Mary-Jane", "one", "likes Mary-Jane",
                 predicate="likes", object="Mary-Jane"),
            {"type": "entity", "name": "Ann Smith", "aliases": ["Annie"], "source": "one",
             "entity_type": "person"},
            fact("f2", "Ann Smith", "likes tea", "two", "she likes tea", value="tea"),
            fact("f3", "Robert Jones", "exists", "three", "Robert Jones", value="here"),
            {"type": "claim", "observation": "three", "quote": "Robertson",
             "mentions": ["Robert Jones"]},
        ],
    )  # fmt: skip
    counted = erase(conn, told(conn, "one"))
    names = "select canonical_name, status from taisce.entity where identity_kind = 'named'"
    assert set(conn.execute(names.encode()).fetchall()) == {
        ("Ann Smith", "active"),
        ("(erased)", "retired"),
        ("Robert Jones", "active"),
    }
    assert counted["entity_name"] == 2
    row = conn.execute("select memory_v1.recall('annie and ann smith', project => 'p')").fetchone()
    assert row is not None
    assert [one["name"] for one in row[0]["anchors"]] == ["Ann Smith"]
    load(
        conn,
        [
            turn("four", "Ann Smith likes Mary-Jane."),
            fact("f4", "Ann Smith", "likes her", "four", "likes Mary-Jane",
                 predicate="likes", object="Mary-Jane"),
        ],
    )  # fmt: skip
    assert ("Mary-Jane", "active") in conn.execute(names.encode()).fetchall()


def test_another_name_takes_the_place_of_the_canonical_one(conn: Connection) -> None:
    load(
        conn,
        [
            turn("one", "Zed is here."),
            fact("f1", "Zed", "is here", "one", "Zed is here", value="here"),
            {"type": "entity", "name": "Other", "aliases": ["Aaa"]},
            {"type": "entity", "name": "Aaa"},
        ],
    )
    [(entity,)] = conn.execute("select entity_id from taisce.entity where canonical_name = 'Zed'")
    for alias in ("Aaa", "The Doctor", "Who"):
        conn.execute("select * from memory_v1.add_alias(%s, %s)", [entity, alias])
    erase(conn, told(conn, "one"))
    assert conn.execute(
        "select e.canonical_name, e.status, n.spelling from taisce.entity e"
        " left join taisce.entity_name n on n.entity_id = e.entity_id and n.kind = 'canonical'"
        " where e.entity_id = %s",
        [entity],
    ).fetchall() == [("The Doctor", "active", "The Doctor")]


def test_a_merge_can_still_be_taken_back(conn: Connection) -> None:
    load(
        conn,
        [
            turn("one", "Bob is tall."),
            turn("two", "Bobby is old."),
            fact("f1", "Bob", "is tall", "one", "Bob is tall", value="tall"),
            {"type": "entity", "name": "Bob", "aliases": ["Bobby"]},
            fact("f2", "Bobby", "is old", "two", "Bobby is old", value="old"),
            {"type": "entity", "name": "Robert", "source": "one"},
            {"type": "merge", "absorbed": "Bob", "survivor": "Robert"},
        ],
    )
    erase(conn, told(conn, "one"))
    [(merge,)] = conn.execute("select merge_id from taisce.entity_merge")
    conn.execute("select * from memory_v1.unmerge(%s)", [merge])
    found = conn.execute("select canonical_name, status from taisce.entity").fetchall()
    assert set(found) == {("Bob", "active"), ("(erased)", "retired")}
