"""How the views are made: flat, of their owner, behind a barrier, with the columns they promise."""

from __future__ import annotations

import json
import random
import re
import string
from collections import Counter
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.support.databases import Database

Connection = psycopg.Connection[Any]

FACTS = """
project fact_id fact_kind subject_id subject predicate object_id object value statement source_role
data_subject_id confidence valid_from valid_until valid known_from known_until known evidence_count
contradict_count contradiction_group support recorded_at
"""
CLAIMS = """
project claim_id passage_id observation_id ordinal role claim_text quote byte_start byte_end
asserted_at claim_valid_from claim_valid_until claim_valid_precision is_attributed lineage
ingested_at
"""
COLUMNS = {
    "facts_current": FACTS + "evaluated_at",
    "facts_history": FACTS,
    "entities": "project entity_id canonical_name entity_type identity_kind profile first_seen_at"
    " fact_count",
    "entity_names": "project entity_id spelling normalized_name kind",
    "claims_current": CLAIMS,
    "claims_history": CLAIMS + "is_current_testimony",
    "messages": "project passage_id observation_id ordinal role content characters occurred_at"
    " log_offset data_subject_id",
    "observations": "project observation_id log_offset kind source_role data_subject_id"
    " occurred_at ingested_at lineage title source_kind source_ref formed_at parked_at"
    " message_count",
    "fact_evidence": "project fact_kind fact_id claim_id stance observation_id lineage asserted_at"
    " linked_at",
}
"""The first columns of the main views, in order; others may follow."""

OTHERS = {
    "evidence_lineage", "graph_edges_current", "graph_edges_history", "contradictions_current",
    "entity_mentions", "identity_events", "segments", "communities", "community_reports",
    "changes", "project_freshness",
}  # fmt: skip

READ_AGAIN = {
    "facts_current": {"entity": "both ends"},
    "facts_history": {"entity": "both ends", "fact": "what came after, if that has expired"},
    "graph_edges_current": {"entity": "both ends"},
    "graph_edges_history": {"entity": "both ends"},
    "contradictions_current": {
        "entity": "both ends",
        "fact": "the other side",
        "fact_version": "the other side",
    },
    "entities": {
        "entity": "names for the index, names too long for it, names that have passed",
        "fact_version": "facts by either end",
    },
    "entity_names": {"entity_name": "names for the index and names too long for it"},
    "changes": {
        "fact_version": "begun and ended",
        "entity_merge": "merged and taken apart",
        "observation": "causes that have expired",
    },
    "identity_events": {
        "entity_merge": "merged and taken apart",
        "entity": "both ends of either",
    },
}
"""Which tables a view reads more than once, and what for."""


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as boss:
        boss.execute("select memory_v1.create_project('mine')")
        boss.execute("select memory_v1.grant_project('mine', 'taisce_analyst', 'read')")
        yield boss


def views(conn: Connection) -> set[str]:
    found = conn.execute("select viewname from pg_views where schemaname = 'memory_v1'")
    return {name for (name,) in found}


def test_all_views_are_there_with_their_columns_in_order(conn: Connection) -> None:
    assert views(conn) == COLUMNS.keys() | OTHERS
    for view, wanted in COLUMNS.items():
        columns = [
            name
            for (name,) in conn.execute(
                "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 "
                "order by attnum",
                [f"memory_v1.{view}"],
            )
        ]
        assert columns[: len(wanted.split())] == wanted.split(), view


def test_each_shows_its_project_first_and_no_vector(conn: Connection) -> None:
    rows = conn.execute(
        "select c.relname, a.attname, a.attnum, t.typname from pg_class c "
        "join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 "
        "join pg_type t on t.oid = a.atttypid "
        "where c.relnamespace = 'memory_v1'::regnamespace and c.relkind = 'v'"
    ).fetchall()
    assert {view for view, name, number, _ in rows if (name, number) == ("project", 1)} == (
        views(conn)
    )
    assert not [row for row in rows if row[3] in ("vector", "halfvec")]


def test_each_is_its_owner_s_behind_a_barrier(conn: Connection) -> None:
    for view, owner, options in conn.execute(
        "select relname, relowner::regrole::text, coalesce(reloptions, '{}') from pg_class "
        "where relnamespace = 'memory_v1'::regnamespace and relkind = 'v'"
    ).fetchall():
        assert owner == "taisce_owner", view
        assert "security_barrier=true" in options, view
        assert not [option for option in options if option.startswith("security_invoker")], view


def test_no_view_reads_a_view(conn: Connection) -> None:
    over = conn.execute(
        "select distinct v.relname, r.relname from pg_rewrite w "
        "join pg_class v on v.oid = w.ev_class and v.relkind = 'v' "
        "join pg_depend d on d.objid = w.oid and d.refclassid = 'pg_class'::regclass "
        "join pg_class r on r.oid = d.refobjid and r.relkind in ('v', 'm') and r.oid <> v.oid "
        "where v.relnamespace = 'memory_v1'::regnamespace"
    ).fetchall()
    assert over == []


def reads(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the table of every scan; of a scan of partitions, once."""
    name = plan.get("Relation Name")
    if name and not re.search(r"_[1-9]\d*$", name):
        yield name.removesuffix("_0")
    for part in plan.get("Plans", []):
        yield from reads(part)


def test_no_view_reads_a_table_twice_without_need(
    module_database: Database, conn: Connection
) -> None:
    with psycopg.connect(module_database.login("taisce_analyst"), autocommit=True) as analyst:
        for view in sorted(views(conn)):
            row = analyst.execute(
                f"explain (format json) select * from memory_v1.{view}".encode()
            ).fetchone()
            assert row is not None
            again = {name for name, times in Counter(reads(row[0][0]["Plan"])).items() if times > 1}
            assert again == READ_AGAIN.get(view, {}).keys(), view


@pytest.mark.parametrize("characters", [40, 1_000, 1_500, 2_600, 2_601, 4_000])
def test_names_of_any_length_are_shown_and_found(
    module_database: Database, conn: Connection, characters: int
) -> None:
    name = "".join(random.Random(characters).choices(string.ascii_letters, k=characters))
    lines = [
        {"type": "observation", "key": "t", "messages": [{"role": "user", "content": "It is so."}]},
        {
            "type": "fact",
            "subject": name,
            "statement": "is so",
            "evidence": [{"observation": "t", "quote": "is so"}],
        },
    ]
    with conn.transaction():
        conn.cursor().executemany(
            "insert into memory_v1.load_stage (line, body) values (%s, %s)",
            [(place, json.dumps(body)) for place, body in enumerate(lines, 1)],
        )
        conn.execute("select count(*) from memory_v1.load('mine')")
    with psycopg.connect(module_database.login("taisce_analyst"), autocommit=True) as analyst:
        analyst.execute("set search_path = memory_v1")
        found = analyst.execute(
            "select entity_id from entities where canonical_name = %s", [name]
        ).fetchall()
        assert len(found) == 1
        named = "select entity_id from entity_names where normalized_name = lower(%s)"
        assert analyst.execute(named.encode(), [name]).fetchall() == found
        assert analyst.execute(
            "select canonical_name from entities where entity_id = %s", found[0]
        ).fetchall() == [(name,)]
        shown = name if characters <= 2_600 else name[:650]
        for view in ("facts_current", "facts_history"):
            assert analyst.execute(
                f"select subject from {view} where subject_id = %s".encode(), found[0]
            ).fetchall() == [(shown,)]
            assert (
                analyst.execute(
                    f"select subject_id from {view} where subject = %s".encode(), [shown]
                ).fetchall()
                == found
            )
