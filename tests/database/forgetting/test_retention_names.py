"""A name that only a passed source brought is unknown at once, as it will be after expire()."""

from __future__ import annotations

import json
from typing import Any, LiteralString

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from taisce_pg.load.export import export_lines
from tests.support.buffers import buffers
from tests.support.memories import fact, turn
from tests.support.retention import LATER, pass_by

Connection = psycopg.Connection[Any]


def told(until: str) -> list[dict[str, Any]]:
    """Return a memory of which one turn may be read until an instant.

    Zorg comes from that turn alone. Dublin comes from it too, and is spelled in another. Acme is
    the second name of what that turn calls Zorgcorp.
    """
    return [
        turn("passing", "Zorg of Zorgcorp lives in Dublin.", retention_until=until),
        turn("kept", "I like Dublin."),
        {"type": "entity", "key": "one", "name": "Zorg", "aliases": ["Zorgy"],
         "source": "passing", "entity_type": "zorgtype"},
        {"type": "entity", "key": "two", "name": "Zorgcorp", "source": "passing",
         "entity_type": "zorgtype"},
        {"type": "entity", "key": "city", "name": "Dublin", "source": "passing"},
        fact("f1", {"key": "one"}, "lives in Dublin", "passing", "Zorg of Zorgcorp lives in Dublin",
             predicate="lives_in", object="Dublin"),
        {"type": "claim", "key": "c1", "observation": "kept", "quote": "I like Dublin",
         "claim_text": "I like Dublin", "mentions": ["Dublin"]},
    ]  # fmt: skip


READS = {
    "anchors": "select name, entity_type, matched from memory_v1.recall_anchors("
    "'Zorg, Zorgy, Zorgcorp, Acme and Dublin?', project => 'p')",
    "bundle": "select memory_v1.recall('Zorg, Zorgy, Zorgcorp, Acme and Dublin?', project => 'p')"
    " -> 'anchors'",
    "resolve": "select c.canonical_name, c.entity_type, c.spelling from"
    " (values ('Zorg'), ('Zorgy'),"
    " ('Zorgcorp'), ('Acme'), ('Dublin')) as n (name) cross join lateral"
    " memory_v1.resolve_entity(n.name, project => 'p') as c",
    "list": "select name, entity_type, names from memory_v1.list_entities(project => 'p')",
    "get": "select memory_v1.get_entity(e.entity_id, 'p')"
    " - '{contract,first_seen_at,names}'::text[] from"
    " memory_v1.list_entities(project => 'p') as e",
    "suggestions": "select memory_v1.resolve_entity_envelope('Zorg Nowhere', project => 'p')"
    " -> 'negative'",
    "entities": "select canonical_name, entity_type, identity_kind from memory_v1.entities",
    "names": "select spelling, normalized_name from memory_v1.entity_names",
    "mentions": "select entity from memory_v1.entity_mentions",
}


def answers(conn: Connection) -> dict[str, list[str]]:
    conn.execute("select set_config('taisce.project', 'p', false)")
    return {
        name: sorted(str(row) for row in conn.execute(query.encode()).fetchall())
        for name, query in READS.items()
    }


@pytest.fixture
def boss(conn: Connection) -> Connection:
    load_lines(conn, "p", told(LATER))
    conn.execute(
        "select memory_v1.add_alias(entity_id, 'Acme', project => 'p') from taisce.entity"
        " where canonical_name = 'Zorgcorp'"
    )
    return conn


def test_a_name_of_a_passed_source_is_unknown_at_once(boss: Connection) -> None:
    before = answers(boss)
    assert all(any("Zorg" in row for row in before[name]) for name in before)
    pass_by(boss)
    passed = answers(boss)
    for name, rows in passed.items():
        assert not any("zorg" in row.lower() for row in rows), (name, rows)
    assert passed["anchors"] == ["('Acme', None, 'acme')", "('Dublin', None, 'dublin')"]
    assert passed["names"] == ["('Acme', 'acme')", "('Dublin', 'dublin')"]
    boss.execute("select * from memory_v1.expire(project => 'p')").fetchall()
    assert answers(boss) == passed, "nothing changes when it is taken away"


def test_an_entity_without_a_name_is_not_found(boss: Connection) -> None:
    row = boss.execute(
        "select entity_id from taisce.entity where canonical_name = 'Zorg'"
    ).fetchone()
    pass_by(boss)
    with pytest.raises(psycopg.Error) as caught:
        boss.execute("select memory_v1.get_entity(%s, 'p')", row)
    assert caught.value.sqlstate == "TS004"


def test_an_export_leaves_the_name_out_and_loads_again(boss: Connection) -> None:
    pass_by(boss)
    passed = answers(boss)
    lines = list(export_lines(boss, "p"))
    assert not any("zorg" in line.lower() for line in lines)
    retired = [json.loads(line) for line in lines if '"retired"' in line]
    assert [line["name"] for line in retired] == ["(erased)"]
    boss.execute("select memory_v1.create_project('q')")
    load_lines(boss, "q", lines)
    boss.execute("select set_config('taisce.project', 'q', false)")
    names = boss.execute("select spelling from memory_v1.entity_names order by 1").fetchall()
    assert names == [("Acme",), ("Dublin",)]
    assert len(passed["entities"]) == 2


def test_a_look_at_a_name_reads_no_more_in_a_large_store(boss: Connection) -> None:
    """The mentions of an entity that are looked at for a passed name are bounded."""
    query: LiteralString = (
        "select * from memory_v1.recall_anchors('Dublin and Zorg', project => 'p')"
    )
    pass_by(boss)
    small = buffers(boss, query)
    boss.execute(
        "insert into taisce.entity_mention (project_id, entity_id, observation_id, ordinal)"
        " select e.project_id, e.entity_id, gen_random_uuid(), 0"
        " from taisce.entity as e, generate_series(1, 20000)"
    )
    boss.execute("vacuum analyze taisce.entity_mention")
    assert buffers(boss, query) < small + 256 * 4
