"""What was made of something erased goes with it, by each way it may rest on it; the rest stays."""

from __future__ import annotations

import json
from typing import Any, LiteralString

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.memories import turn

Connection = psycopg.Connection[Any]


def said(key: str, *sources: str) -> dict[str, Any]:
    return {
        "type": "fact", "key": key, "subject": "Ann", "predicate": "likes", "value": key,
        "statement": f"likes {key}",
        "evidence": [{"observation": source, "quote": "so it is"} for source in sources],
    }  # fmt: skip


def report(title: str, **more: Any) -> list[dict[str, Any]]:
    """Tell a report about a community of its own."""
    return [
        {"type": "community", "key": title, "members": ["Ann"]},
        {"type": "report", "community": title, "title": title, "summary": "s", **more},
    ]


def segment(subject: str, level: int, first: int, last: int) -> dict[str, Any]:
    return {
        "type": "segment", "data_subject_id": subject, "level": level, "from_offset": first,
        "to_offset": last, "summary": f"{subject} {level} {first}-{last}",
    }  # fmt: skip


@pytest.fixture
def ids(conn: Connection) -> dict[str, Any]:
    """Tell a memory of four turns, of which the third will go; name its rows."""
    lines = [
        turn("t1", "so it is"), turn("t2", "so it is"), turn("t3", "so it is"),
        turn("t4", "so it is"),
        said("lost", "t3"), said("both", "t3", "t4"), said("free", "t1"),
        *report("of a lost fact", facts=["lost"]),
        *report("of a fact with other evidence", facts=["both", "free"]),
        *report("of the source", sources=["t1", "t3"]),
        *report("of others", facts=["free"], sources=["t1"]),
        segment("s1", 1, 1, 2), segment("s1", 1, 3, 3), segment("s1", 1, 4, 4),
        segment("s1", 2, 1, 3), segment("s1", 3, 3, 4), segment("s2", 1, 3, 3),
    ]  # fmt: skip
    load_lines(conn, "p", lines)
    # An older one about each of them, which gave way.
    conn.execute(
        "update taisce.report set withdrawn_at = now(), withdrawn_cause = 'replaced'"
        " where title = 'of a lost fact'"
    )
    conn.execute("select set_config('taisce.project', 'p', false)")
    made = dict(conn.execute("select statement, fact_id from taisce.fact").fetchall())
    made |= conn.execute(
        "select 't' || log_offset, observation_id from taisce.observation"
    ).fetchall()
    return made


def erase(conn: Connection, ids: dict[str, Any]) -> dict[str, int]:
    rows = conn.execute("select * from memory_v1.erase_observations(array[%s::uuid])", [ids["t3"]])
    return dict(rows.fetchall())


def values(conn: Connection, query: str) -> list[Any]:
    return [row[0] for row in conn.execute(query.encode()).fetchall()]


def test_reports_on_any_part_of_it_go(conn: Connection, ids: dict[str, Any]) -> None:
    before = {
        table: values(conn, f"select count(*) from taisce.{table}")[0]
        for table in ("report", "report_fact", "report_source")
    }
    counts = erase(conn, ids)
    assert values(conn, "select title from taisce.report") == ["of others"]
    for table, rows in before.items():
        left = values(conn, f"select count(*) from taisce.{table}")[0]
        assert counts[table] == rows - left, table


def test_segments_of_the_person_that_cover_it_go(conn: Connection, ids: dict[str, Any]) -> None:
    counts = erase(conn, ids)
    left = values(conn, "select summary from taisce.segment order by 1")
    assert left == ["s1 1 1-2", "s1 1 4-4", "s2 1 3-3"]
    assert counts["segment"] == 3


def test_feedback_about_its_facts_goes(conn: Connection, ids: dict[str, Any]) -> None:
    lost, both, free = (str(ids[f"likes {key}"]) for key in ("lost", "both", "free"))
    for note, fact, facts in (
        ("lost", lost, None),
        ("both", both, None),
        ("free", free, None),
        ("bundle of ids", None, [free, both]),
        ("bundle of objects", None, [{"fact_id": free}, {"fact_id": lost}]),
        ("bundle of others", None, [free, {"fact_id": free}]),
        ("bundle of nothing", None, []),
    ):
        bundle = None if facts is None else json.dumps({"facts": facts})
        conn.execute(
            "insert into taisce.feedback (project_id, feedback_id, fact_id, bundle, kind, note,"
            " reported_at, reported_by) select project_id, gen_random_uuid(), %s, %s, 'other',"
            " %s, now(), 'me' from taisce.project",
            [fact, bundle, note],
        )
    counts = erase(conn, ids)
    left = values(conn, "select note from taisce.feedback order by 1")
    assert left == ["bundle of nothing", "bundle of others", "free"]
    assert counts["feedback"] == 4


@pytest.mark.parametrize("end", ["last_fact", "after_fact"])
def test_blocks_that_name_its_facts_go_whole(
    conn: Connection, ids: dict[str, Any], end: str
) -> None:
    """A read over part of its blocks would miss versions: all of a list go, no other does."""
    lost, free = ids["likes lost"], ids["likes free"]
    for entity, one, other in (("1", lost, free), ("1", free, free), ("2", free, free)):
        conn.execute(
            "insert into taisce.version_block select project_id,"
            " lpad(%s, 32, '0')::uuid, 'subject', '', 'user', %s, %s, %s, now(), now(), now(),"
            " now(), now(), now() from taisce.project",
            [entity, one == lost, *((one, other) if end == "last_fact" else (other, one))],
        )
    counts = erase(conn, ids)
    left = values(conn, "select right(entity_id::text, 1) from taisce.version_block")
    assert left == ["2"]
    assert counts["version_block"] == 2


@pytest.mark.parametrize(("source", "left"), [("t3", (None, None)), ("t4", ("friendly", "t4"))])
def test_a_profile_goes_with_its_source_and_the_name_stays(
    conn: Connection, ids: dict[str, Any], source: str, left: tuple[Any, Any]
) -> None:
    name = {"type": "entity", "key": "eve", "name": "Eve"}
    load_lines(conn, "p", [name])
    load_lines(conn, "p", [{**name, "profile": "friendly", "source": source}])
    named: LiteralString = (
        "select profile, profile_source, canonical_name, status from taisce.entity"
        " where entity_id = (select id from taisce.load_key where key = 'eve')"
    )
    assert conn.execute(named).fetchall() == [("friendly", ids[source], "Eve", "active")]
    counts = erase(conn, ids)
    profile, kept = left
    assert conn.execute(named).fetchall() == [(profile, kept and ids[kept], "Eve", "active")]
    assert counts["entity"] == (2 if profile is None else 1), "one lost its only name"


@pytest.mark.parametrize(
    ("source", "left"), [("t3", ("Eve", None, "active")), ("t4", ("Evil", "badtype", "active"))]
)
def test_a_type_goes_with_the_name_that_it_came_with(
    conn: Connection, ids: dict[str, Any], source: str, left: tuple[Any, ...]
) -> None:
    line = {"type": "entity", "key": "eve", "name": "Evil"}
    load_lines(conn, "p", [{**line, "entity_type": "badtype", "source": source}])
    eve = conn.execute(
        "select entity_id from taisce.entity where entity_type = 'badtype'"
    ).fetchone()
    assert eve is not None
    conn.execute("select memory_v1.add_alias(%s, 'Eve')", eve)
    erase(conn, ids)
    row = conn.execute(
        "select canonical_name, entity_type, status from taisce.entity where entity_id = %s", eve
    ).fetchone()
    assert row == left


def test_who_has_no_name_left_is_a_member_of_nothing(conn: Connection, ids: dict[str, Any]) -> None:
    gone = {"type": "entity", "key": "zed", "name": "Zed", "source": "t3"}
    stays = {"type": "entity", "key": "yan", "name": "Yan", "source": "t4"}
    group = {"type": "community", "key": "k", "members": [{"key": "zed"}, {"key": "yan"}]}
    load_lines(conn, "p", [gone, stays, group])
    members: LiteralString = (
        "select e.canonical_name from taisce.community_member as m"
        " join taisce.entity as e using (project_id, entity_id)"
        " join taisce.load_key as k on k.id = m.community_id and k.key = 'k' order by 1"
    )
    assert conn.execute(members).fetchall() == [("Yan",), ("Zed",)]
    counts = erase(conn, ids)
    assert conn.execute(members).fetchall() == [("Yan",)]
    # Ann is called so by the first of her facts, which goes: she was in four communities.
    assert counts["community_member"] == 5
