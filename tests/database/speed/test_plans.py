"""What recall reads on skewed data: plan shapes and counted buffers, never times.

A memory with a hub of a tenth of all facts is asked under every state of the planner's
statistics: fresh, stale (gathered when the tables were a small part of what they are) and none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

from taisce_pg.bench import generator, probe
from taisce_pg.bench.generator import generate
from taisce_pg.bench.measures import Bench, Call
from tests.support.databases import Database
from tests.support.planner import STATES, put_back, save, scans
from tests.support.sizes import size

FACTS = size(20_000, 100_000)
SMALL = 10_000
CALLS = 10
# What a call reads before the first fact, and a little more.
START = 300
ALL_ROLES = ["user", "assistant", "system", "tool", "document"]
WHOLE = {"max_characters": 1_000_000}
LARGE = ("observation", "message", "claim", "entity_mention", "fact", "fact_version")
LARGE_AND_NAMES = (*LARGE, "fact_evidence", "entity", "entity_name", "posting")


@dataclass(frozen=True)
class Pair:
    """A hub and an ordinary entity asked with the same controls."""

    hub: str
    twin: str
    controls: dict[str, Any]


PAIRS = {
    "default role": Pair(generator.HUB, generator.ORDINARY, {}),
    "role of 0.1 %": Pair(
        generator.HUB, generator.ROLE_TWIN, {"source_roles": [generator.RARE_ROLE]}
    ),
    "subject of 0.1 %": Pair(
        generator.HUB, generator.SUBJECT_TWIN, {"data_subject_id": generator.SUBJECT}
    ),
    "five roles": Pair(generator.HUB, generator.ORDINARY, {"source_roles": ALL_ROLES}),
    "first 90 % superseded": Pair(generator.CHURN_HUB, generator.ORDINARY, {}),
}
SHAPES = {
    "one hop": {},
    "two hops": {"hops": 2},
    "rare role": {"source_roles": [generator.RARE_ROLE]},
    "named subject": {"data_subject_id": generator.SUBJECT},
    "five roles, two hops": {"source_roles": ALL_ROLES, "hops": 2},
}


@pytest.fixture(scope="module")
def filled(module_database: Database) -> Database:
    """Give a database with a small and a large memory, and the statistics of either state."""
    with module_database.connect() as conn:
        conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        generate(conn, SMALL, project="small")
        save(conn, "stale")
        generate(conn, FACTS)
        save(conn, "fresh")
    return module_database


@pytest.fixture(params=STATES)
def bench(request: pytest.FixtureRequest, filled: Database) -> Iterator[Bench]:
    """Give a fresh session under one state of the statistics."""
    with filled.connect() as conn:
        put_back(conn, request.param)
    with filled.connect() as conn, filled.connect() as other:
        row = conn.execute(
            "select project_id from taisce.project where name = %s", [generator.PROJECT]
        ).fetchone()
        assert row is not None
        made = generator.Generated(generator.PROJECT, int(row[0]), FACTS, 0.0)
        yield Bench(probe.plain(conn), other, made)


@pytest.mark.parametrize("case", PAIRS)
def test_a_hub_reads_no_more_for_a_fact_than_an_ordinary_entity(bench: Bench, case: str) -> None:
    pair = PAIRS[case]
    wide, narrow = (
        Call(f"What of {name}?", {**WHOLE, **pair.controls}) for name in (pair.hub, pair.twin)
    )
    for _ in range(CALLS):
        many, few = len(bench.ask(wide)["facts"]), len(bench.ask(narrow)["facts"])
    assert many > 0
    assert few > 0
    hub, twin = bench.counts(wide), bench.counts(narrow)
    assert hub.buffers <= 1.5 * twin.buffers / few * many + START
    assert hub.buffers <= START + 26 * many
    assert hub.entries <= START + 9 * many


@pytest.mark.parametrize("mode", ["force_generic_plan", "force_custom_plan", "auto"])
def test_reads_are_the_same_under_generic_and_custom_plans(bench: Bench, mode: str) -> None:
    call = Call(f"What of {generator.HUB}?", WHOLE)
    first = bench.counts(call)
    row = bench.conn.execute("select to_regproc('memory_v1.recall')::oid::regprocedure").fetchone()
    assert row is not None
    with bench.conn.transaction(force_rollback=True):
        # The function's own setting is what rules inside it.
        bench.conn.execute(f"alter function {row[0]} set plan_cache_mode = {mode}".encode())
        bench.conn.execute(f"set local plan_cache_mode = {mode}".encode())
        for _ in range(CALLS):
            bench.ask(call)
        again = bench.counts(call)
    # A table of a few rows may be read either way.
    assert again.rows <= first.rows + 8
    # Planning anew reads the catalog.
    assert again.buffers <= first.buffers + (8 if mode == "force_generic_plan" else START)


def test_a_vacuumed_walk_reads_no_row_of_a_version(bench: Bench) -> None:
    def fetched() -> int:
        row = bench.conn.execute(
            "select sum(pg_stat_get_xact_tuples_fetched(indexrelid))::int from pg_index"
            r" where indrelid::regclass::text ~ '^taisce\.fact_version(_\d+)?$'"
        ).fetchone()
        assert row is not None
        return int(row[0])

    query, values = Call(f"What of {generator.HUB}?", {**WHOLE, "hops": 2}).sql(generator.PROJECT)
    bench.conn.execute(query.encode(), values)
    with bench.conn.transaction():
        before = fetched()
        bench.conn.execute(query.encode(), values)
        assert fetched() == before
        # What the counter tells when rows are read.
        bench.conn.execute(
            "select cause from taisce.fact_version where project_id = %s"
            " order by project_id, fact_id limit 3",
            [bench.made.project_id],
        )
        assert fetched() == before + 3


def test_two_hops_read_what_they_return_and_pass_by(bench: Bench) -> None:
    call = Call(f"What of {generator.HUB}?", {**WHOLE, "hops": 2})
    facts = len(bench.ask(call)["facts"])
    assert facts == 200
    # At most 128 entities beside the hub, each read in two directions of at most 65 entries.
    counts = bench.counts(call)
    assert counts.entries <= START + 9 * facts + 128 * 2 * 65
    assert counts.buffers <= START + 26 * facts + 128 * 2 * 20


def test_a_walk_by_itself_reads_no_more_than_recall(bench: Bench) -> None:
    row = bench.conn.execute(
        "select entity_id from taisce.entity_name where project_id = %s and spelling = %s",
        [bench.made.project_id, generator.HUB],
    ).fetchone()
    assert row is not None
    query = "select * from memory_v1.fact_walk(array[%(id)s::uuid], 2, %(project)s)"
    values = {"id": row[0], "project": generator.PROJECT}
    facts = len(bench.conn.execute(query.encode(), values).fetchall())
    assert facts == 200
    assert probe.count(bench.conn, query, values).buffers <= START + 26 * facts + 128 * 2 * 20


def test_nothing_known_reads_almost_nothing(bench: Bench) -> None:
    counts = bench.counts(Call("Who is Ottilie Quandt of Reykjavik?"))
    assert counts.entries <= 100
    assert counts.buffers <= 250


@pytest.mark.parametrize("case", SHAPES)
def test_no_large_table_is_scanned(bench: Bench, case: str) -> None:
    query, values = Call(f"What of {generator.HUB}?", {**WHOLE, **SHAPES[case]}).sql(
        generator.PROJECT
    )
    bench.conn.execute(query.encode(), values)
    with bench.conn.transaction():
        before = scans(bench.conn, LARGE_AND_NAMES)
        bench.conn.execute(query.encode(), values)
        assert scans(bench.conn, LARGE_AND_NAMES) == before


@pytest.mark.parametrize("case", SHAPES)
def test_the_walk_reads_its_indexes_in_order(bench: Bench, case: str) -> None:
    query, values = Call(f"What of {generator.HUB}?", {**WHOLE, **SHAPES[case]}).sql(
        generator.PROJECT
    )
    plans = nested_plans(bench.conn, query, values)
    if plans is None:
        # The counters of the test above hold the same, less precisely.
        return
    versions = 0
    for plan in plans:
        for node in nodes(plan):
            rows = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
            table = re.sub(r"_\d+$", "", node.get("Relation Name", ""))
            assert not (node["Node Type"] == "Seq Scan" and table in LARGE_AND_NAMES), node
            assert "Bitmap" not in node["Node Type"], node
            if table == "fact_version":
                versions += 1
                assert node["Node Type"] in ("Index Scan", "Index Only Scan"), node
                assert node["Index Name"].startswith("fact_version_"), node
            if table in LARGE_AND_NAMES:
                assert rows <= 300, node
            if node["Node Type"] == "Sort":
                # 128 entities beside the hub, 65 entries in each of two directions.
                assert node.get("Actual Rows", 0) <= 128 * 130, node
    assert versions > 0


def nested_plans(
    conn: psycopg.Connection[Any], query: str, values: dict[str, Any]
) -> list[dict[str, Any]] | None:
    """Return the plans of all statements inside a call; None where the server cannot tell."""
    try:
        conn.execute("load 'auto_explain'")
    except psycopg.errors.UndefinedFile:
        return None
    for setting in (
        "log_min_duration = 0",
        "log_analyze = on",
        "log_timing = off",
        "log_nested_statements = on",
        "log_format = json",
        "log_level = notice",
    ):
        conn.execute(f"set auto_explain.{setting}".encode())
    found: list[dict[str, Any]] = []

    def take(diagnostic: psycopg.errors.Diagnostic) -> None:
        match = re.match(r"duration: .*?plan:\n(.*)", diagnostic.message_primary or "", re.DOTALL)
        if match:
            found.append(json.loads(match[1])["Plan"])

    for _ in range(CALLS):
        conn.execute(query.encode(), values)
    conn.add_notice_handler(take)
    conn.execute(query.encode(), values)
    conn.execute("set auto_explain.log_min_duration = -1")
    conn.remove_notice_handler(take)
    return found


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a node of a plan and all below it."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)
