"""Two analysts, a project each: no statement of open SQL tells one about the other's."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.sandbox.execute import Analyst, AsyncAnalyst
from taisce_pg.sandbox.result import QueryResult
from taisce_pg.sandbox.session import Query
from tests.support.databases import Database
from tests.support.told import Ids
from tests.support.world import World, build

IDS = {
    "entity": ("entity_id", "subject_id", "object_id", "survivor_id", "absorbed_id"),
    "fact": ("fact_id", "superseded_by"),
    "observation": ("observation_id",),
    "claim": ("claim_id",),
    "passage": ("passage_id",),
    "group": ("contradiction_group",),
}
KIND_OF = {column: kind for kind, columns in IDS.items() for column in columns}

HELPERS = {
    "entity": [
        "select * from fact_walk(array[$1::uuid])",
        "select * from fact_walk(array[$1::uuid], hops => 2, as_of => now())",
        "select * from graph_neighborhood($1::uuid, 2)",
        "select p.* from entities e, lateral graph_path(e.entity_id, $1::uuid, 2) p",
        "select * from lexical_facts('Marta', entity_ids => array[$1::uuid])",
        "select * from lexical_claims('Marta', entity_ids => array[$1::uuid])",
        "select * from entities e where $1::uuid in (select subject_id from facts_current)",
    ],
    "passage": ["select passage_body($1::uuid)"],
}
"""Calls that take an id of a kind."""

WHOLE = [
    "select * from recall_anchors('Where does Marta work? Acme, {word}')",
    "select * from resolve_entity('{word}')",
    "select * from resolve_entity('Marta')",
    "select * from lexical_claims('{word}', 100)",
    "select * from lexical_passages('{word}', 100)",
    "select * from lexical_facts('{word}', 100)",
    "select * from facts_as_of(now(), now(), 1000)",
    "select * from facts_as_of(now(), now(), 10, project => 'south')",
    "select * from lexical_facts('Marta', project => 'south')",
    "select * from fact_walk(array['{entity}'::uuid], project => 'south')",
    "select passage_body('{passage}', 'south')",
    "select * from facts_history where statement ilike '%{word}%'",
    "select * from entities where canonical_name ~ '{word}' or profile ~ '{word}'",
    "select * from messages where to_tsvector('simple', content) @@ to_tsquery('simple', '{word}')",
    "select * from project_freshness where project <> 'north'",
    "select count(*) from facts_history f full join entities e on false where f.project = 'south'",
    "select * from facts_current f where not exists "
    "(select from entities e where e.entity_id = f.subject_id)",
    "select to_jsonb(f)::text from facts_history f where to_jsonb(f)::text ~ '{word}'",
    "select 1 / (case when statement ~ '{word}' then 0 else 1 end) from facts_history",
    "select (statement || '{word}')::int from facts_history where statement ~ '{word}'",
    "select max(log_offset), max(stored) from observations, project_freshness",
    "select relname, reltuples from pg_class",
    "select most_common_vals::text from pg_stats",
    "select * from pg_stat_user_tables",
    "select * from pg_stat_activity",
    "select current_setting('taisce.project')",
    "select set_config('taisce.project', 'south', true), count(*) from entities",
]


@pytest.fixture(scope="module")
def world(module_database: Database) -> World:
    return build(module_database)


@pytest.fixture(scope="module")
def logins(world: World) -> dict[str, str]:
    """Make an analyst for each project."""
    made = {}
    with world.connect() as conn:
        for project in ("north", "south"):
            made[project] = world.database.login("taisce_analyst")
            conn.execute(
                "insert into taisce.project_grant (project_id, grantee, access) "
                "select p.project_id, %s::regrole, 'read' from taisce.project as p "
                "where p.name = %s",
                [world.database.logins[-1], project],
            )
    return made


@pytest.fixture(scope="module")
def analyst(logins: dict[str, str]) -> Iterator[Analyst]:
    made = Analyst(logins["north"])
    yield made
    made.close()


@pytest.fixture(scope="module")
def keyed(world: World) -> list[tuple[str, str]]:
    """Return every statement that takes an id, with the kind of the id."""
    with world.connect() as conn:
        columns = conn.execute(
            "select table_name, column_name from information_schema.columns "
            "where table_schema = 'memory_v1' and data_type = 'uuid' and table_name in "
            "(select viewname from pg_views where schemaname = 'memory_v1')"
        ).fetchall()
    reads = [
        (KIND_OF[column], f"select * from {view} where {column} = $1::uuid")
        for view, column in columns
        if column in KIND_OF
    ]
    return reads + [(kind, text) for kind, texts in HELPERS.items() for text in texts]


def told(result: QueryResult) -> dict[str, Any]:
    """Return what a result says, without what changes by itself."""
    said = result.to_dict()
    for part in ("elapsed_ms", "evaluated_at"):
        said.pop(part)
    return said


def shows(result: QueryResult, ids: Ids, given: str) -> list[str]:
    text = json.dumps(result.to_dict())
    return [mark for mark in (*ids.words, *ids.all()) if mark in text and mark not in given]


def test_a_foreign_id_is_as_unknown_as_one_that_does_not_exist(
    world: World, analyst: Analyst, keyed: list[tuple[str, str]]
) -> None:
    assert len(keyed) > 40
    problems, hits = [], 0
    for kind, text in keyed:
        own, foreign, nothing = (
            analyst.run(Query(text, [str(one)]))
            for one in (getattr(world.north, kind), getattr(world.south, kind), uuid.uuid4())
        )
        hits += own.returned_rows > 0
        if told(foreign) != told(nothing) or shows(foreign, world.south, ""):
            problems.append(f"{text}: {told(foreign)} {told(nothing)}")
    assert not problems, "\n".join(problems)
    assert hits > 25, "the statements find something where there is something"


def read(conn: psycopg.Connection[Any], text: str, one: object) -> int:
    """Return how many buffers a statement reads."""
    statement = text.replace("$1", f"'{one}'")
    row = conn.execute(f"explain (analyze, buffers, format json) {statement}".encode()).fetchone()
    assert row is not None
    plan = row[0][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


def test_the_work_for_a_foreign_id_is_that_for_an_absent_one(
    world: World, logins: dict[str, str], keyed: list[tuple[str, str]]
) -> None:
    """Time cannot be tested, what it is made of can: a foreign row costs no more reading."""
    problems = []
    with psycopg.connect(logins["north"], autocommit=True) as conn:
        conn.execute(
            "set search_path = memory_v1, pg_catalog; set plan_cache_mode = force_generic_plan"
        )
        for kind, text in keyed:
            foreign, nothing = getattr(world.south, kind), uuid.uuid4()
            try:
                for one in (foreign, nothing):
                    read(conn, text, one)  # The first call fills caches.
                work = [read(conn, text, one) for one in (foreign, nothing)]
            except psycopg.Error as error:
                if not str(error.sqlstate).startswith("TS"):
                    problems.append(f"{text}: {error}")
                continue
            if abs(work[0] - work[1]) > 3:
                problems.append(f"{text}: {work[0]} buffers for a foreign id, {work[1]} for none")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "text",
    [
        "select * from entities where canonical_name = $1",
        "select * from entity_names where normalized_name = lower($1)",
        "select * from facts_current where subject = $1",
        "select * from facts_history where object = $1",
        "select * from graph_edges_current where subject = $1",
    ],
)
def test_the_work_for_a_foreign_name_is_that_for_an_absent_one(
    world: World, logins: dict[str, str], text: str
) -> None:
    with world.connect() as boss:
        boss.execute(
            "insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name, "
            "first_seen_at) select p.project_id, gen_random_uuid(), 'named', 'Only In South', "
            "now() from taisce.project p where p.name = 'south'"
        )
        boss.execute(
            "insert into taisce.entity_name (project_id, name_key, entity_id, normalized_name, "
            "spelling, kind, words) select e.project_id, 'only in south', e.entity_id, "
            "'only in south', 'Only In South', 'canonical', 3 from taisce.entity e "
            "where e.canonical_name = 'Only In South' on conflict do nothing"
        )
    with psycopg.connect(logins["north"], autocommit=True) as conn:
        conn.execute("set search_path = memory_v1, pg_catalog")
        names = ("Only In South", "Only In Nowhere")
        for one in names:
            read(conn, text, one)
        work = [read(conn, text, one) for one in names]
    assert abs(work[0] - work[1]) <= 1


@pytest.mark.parametrize("text", WHOLE)
def test_no_statement_tells_of_the_other_project(world: World, analyst: Analyst, text: str) -> None:
    word = world.south.words[0]
    sql = text.format(word=word, entity=world.south.entity, passage=world.south.passage)
    result = analyst.run(Query(sql))
    assert shows(result, world.south, sql) == []
    for row in result.rows:
        assert "south" not in row
    same = analyst.run(Query(sql.replace(word, "qnothingq").replace("'south'", "'nowhere'")))
    if not result.rows:
        assert (result.error and result.error.code) == (same.error and same.error.code)


def test_the_plan_tells_nothing_of_the_size_of_another_project(
    world: World, logins: dict[str, str]
) -> None:
    plans = []
    for project in ("north", "south"):
        analyst = Analyst(logins[project])
        plans.append(analyst.explain(Query("select * from facts_current where fact_id = $1::uuid",
                                           [str(world.south.fact)])).to_dict())  # fmt: skip
        analyst.close()
    assert plans[0] == plans[1]


def test_connections_of_a_pool_show_the_project_of_each_query(
    world: World, logins: dict[str, str]
) -> None:
    """One login with both projects, in turn and at once: what one query chose ends with it."""
    uri = world.database.login("taisce_analyst")
    with world.connect() as conn:
        conn.execute(
            "insert into taisce.project_grant (project_id, grantee, access) "
            "select p.project_id, %s::regrole, 'read' from taisce.project as p "
            "where p.name in ('north', 'south')",
            [world.database.logins[-1]],
        )
    text = "select distinct project from facts_history union select project from messages"

    async def main() -> list[tuple[str, QueryResult]]:
        analyst = AsyncAnalyst(uri)
        wanted = ["north", "south"] * 6
        found = await asyncio.gather(
            *(analyst.run(Query(text, project=project)) for project in wanted)
        )
        unnamed = await analyst.run(Query(text))
        await analyst.close()
        return [*zip(wanted, found, strict=True), ("none", unnamed)]

    for project, result in asyncio.run(main()):
        if project == "none":
            assert result.error is not None
            assert not result.rows
        else:
            assert result.rows == ((project,),)


def test_a_login_that_loses_its_grant_sees_nothing_more(world: World) -> None:
    uri = world.database.login("taisce_analyst")
    login = world.database.logins[-1]
    analyst = Analyst(uri)
    with world.connect() as conn:
        conn.execute(
            "insert into taisce.project_grant (project_id, grantee, access) "
            "select p.project_id, %s::regrole, 'read' from taisce.project as p "
            "where p.name = 'north'",
            [login],
        )
        assert analyst.run(Query("select project from project_freshness")).rows == (("north",),)
        conn.execute("delete from taisce.project_grant where grantee = %s::regrole", [login])
    after = analyst.run(Query("select project from project_freshness"))
    assert after.error is not None
    assert not after.rows
    analyst.close()
