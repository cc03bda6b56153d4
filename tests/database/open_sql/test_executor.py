"""The executor: values, errors, plans, logins, and the queries that must work."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import jsonschema
import psycopg
import pytest

from taisce_pg import errors, schema
from taisce_pg.sandbox import check
from taisce_pg.sandbox.execute import Analyst, _options
from taisce_pg.sandbox.result import QueryResult
from taisce_pg.sandbox.session import Query
from taisce_pg.sandbox.values import convert, converter
from tests.support.analysts import ENDLESS, SECRETS, SLOW, Stage, build, failure, rows, unchecked
from tests.support.databases import Database
from tests.support.sandbox import label, read_table


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    return build(module_database)


@pytest.fixture(scope="module")
def analyst(stage: Stage) -> Iterator[Analyst]:
    made = stage.analyst()
    yield made
    made.close()


LEGITIMATE = [line for line in read_table("legitimate.jsonl") if "semantic_" not in line["sql"]]
OF_THE_MOMENT = (
    "now", "_current", "current_", "clock", "random", "gen_", "age(", "timestamp()", "today",
    "freshness", "sample", "shuffle", "limit",
)  # fmt: skip
"""Words of queries whose rows are others the next time."""


@pytest.mark.parametrize("line", LEGITIMATE, ids=label)
def test_ordinary_sql_runs_and_gives_what_the_server_gives(
    stage: Stage, analyst: Analyst, line: dict[str, Any]
) -> None:
    checked = check(line["sql"])
    result = analyst.run(Query(line["sql"]))
    if result.error is not None:
        if result.error.code == "not_found":
            return  # It names a row that this memory does not have.
        assert stage_cannot(stage, line["sql"]), result.error
        return
    assert result.query_hash == checked.query_hash
    assert plain(stage, line["sql"], result) == sorted(map(json.dumps, result.rows))


def stage_cannot(stage: Stage, text: str) -> bool:
    """Tell whether this version of PostgreSQL does not know what a query uses."""
    with psycopg.connect(stage.uri, autocommit=True) as conn:
        conn.execute("set search_path = memory_v1")
        try:
            conn.execute(text.encode())
        except (psycopg.errors.SyntaxError, psycopg.errors.UndefinedFunction) as error:
            return conn.info.server_version < 180000 and bool(error.sqlstate)
    return False


def plain(stage: Stage, text: str, result: QueryResult) -> list[str]:
    """Run a text as any client does, and return its rows as JSON, as many as the result has."""
    if any(word in text.lower() for word in OF_THE_MOMENT):
        return sorted(map(json.dumps, result.rows))
    with psycopg.connect(stage.uri, **_options(stage.uri)) as conn:
        conn.execute("set search_path = memory_v1, pg_catalog, public; set timezone = 'UTC'")
        cursor = conn.execute(text.encode())
        makers = [converter(column.type_code) for column in cursor.description or ()]
        found = [convert(row, makers) for row in cursor.fetchmany(200)]
    return sorted(map(json.dumps, found))


def test_a_result_says_all_that_its_contract_promises(analyst: Analyst) -> None:
    result = analyst.run(
        Query("select subject, count(*) as n from facts_current group by 1 order by 2 desc, 1")
    )
    jsonschema.validate(result.to_dict(), schema("QueryResult/v1"))
    assert [(column.name, column.type) for column in result.columns] == [
        ("subject", "text"), ("n", "bigint"),
    ]  # fmt: skip
    assert result.returned_rows == len(result.rows) > 0
    assert result.ordered
    assert result.views == ("facts_current",)
    assert result.functions == ("count",)
    assert result.grains[0].grain == "one row a current version of a fact"
    assert result.evaluated_at is not None
    assert not result.truncated
    assert result.limits is not None
    assert (result.limits.seconds, result.limits.rows, result.limits.bytes) == (5, 200, 1048576)
    assert result.elapsed_ms > 0
    assert result.records()[0]["n"] == result.rows[0][1]
    assert analyst.run(Query("select * from facts_history")).evaluated_at is None


@pytest.mark.parametrize(
    "text",
    [
        "select subject::int from facts_current",
        "select subject::uuid from facts_history",
        "select (statement || '}')::jsonb from facts_current",
        "select to_date(statement, 'YYYY') from facts_current",
        "select cast(subject as date) from facts_current",
        "select regexp_replace(subject, statement || '(', '') from facts_current",
        "select array_to_string(statement::int[], ',') from facts_current",
        "select statement::tsrange from facts_current",
        "select ('{' || statement)::text[] from facts_current",
        "select json_object(statement::text[]) from facts_current",
    ],
)
def test_an_error_never_repeats_data(stage: Stage, text: str) -> None:
    result = unchecked(stage.uri, text)
    assert result.error is not None
    told = json.dumps(result.error.to_dict())
    for word in ("Marta", "Acme", "Cork", "nuts", "invalid input", "DETAIL"):
        assert word not in told


@pytest.mark.parametrize(
    "text",
    [
        "select * from taisce.fact",
        "select * from taisce.no_such_table",
        "select taisce.caller()",
        "select * from memory_v1.load_stage",
        "select nosuch from facts_current",
        "select project_id from facts_current",
    ],
)
def test_an_error_does_not_tell_of_hidden_objects(stage: Stage, text: str) -> None:
    result = unchecked(stage.uri, text)
    assert result.error is not None
    told = f"{result.error.message} {result.error.hint}"
    for word in ("taisce.", "load_stage", "schema", "fact_version", "entity"):
        assert word not in told


def test_hidden_and_absent_objects_are_one_error_to_the_checker(analyst: Analyst) -> None:
    one, other = (failure(analyst, f"select * from taisce.{name}") for name in ("fact", "nothing"))
    assert one.message == other.message
    assert one.code == other.code == "relation"


def test_an_error_points_into_the_query(analyst: Analyst) -> None:
    error = failure(analyst, "select\n  1, pg_sleep(1)")
    assert (error.code, error.fragment, error.position) == ("function", "pg_sleep", 13)
    assert failure(analyst, "select 1 / (g - 1) from generate_series(1, 2) g").code == (
        "division_by_zero"
    )
    error = failure(analyst, "select 'é', subject + 1 from facts_current")
    assert error.code == "undefined_function"
    assert error.position == "select 'é', subject + 1".index("+") + 1
    assert error.fragment == "+"


def test_a_project_is_chosen_by_name_and_only_among_the_granted(analyst: Analyst) -> None:
    assert rows(analyst, "select project from project_freshness", project="north") == [["north"]]
    codes = [
        failure(analyst, "select count(*) from entities", project=name).to_dict()
        for name in ("south", "nowhere", "asleep", "it's")
    ]
    assert codes.count(codes[0]) == len(codes)
    assert codes[0]["code"] == "unknown_project"


def test_the_plan_is_shown_without_names_and_numbers(analyst: Analyst) -> None:
    plan = analyst.explain(Query("select subject from facts_current where fact_id = $1::uuid",
                                 ["00000000-0000-8000-8000-000000000001"]))  # fmt: skip
    assert plan.error is None
    assert plan.cost_class in ("light", "moderate", "heavy")
    assert plan.shape
    told = json.dumps(plan.to_dict())
    for word in ("fact_version", "taisce", "project_id", "pkey", "rows=", "cost="):
        assert word not in told
    jsonschema.validate(plan.to_dict(), schema("QueryPlan/v1"))
    assert analyst.explain(Query("drop table x")).error is not None


def test_a_plan_is_not_run(stage: Stage) -> None:
    analyst = stage.analyst()
    started = time.monotonic()
    plan = analyst.explain(Query(SLOW))
    assert plan.error is None
    assert time.monotonic() - started < 2
    analyst.close()


def test_a_login_that_may_do_more_is_refused(stage: Stage) -> None:
    database = stage.database
    for groups in (("taisce_analyst", "taisce_reader"), ("taisce_admin",),
                   ("taisce_analyst", "pg_read_all_data"), ("taisce_owner",)):  # fmt: skip
        analyst = Analyst(database.login(*groups))
        with pytest.raises((errors.Boundary, psycopg.errors.InsufficientPrivilege)):
            analyst.run(Query("select 1"))
        analyst.close()
    for uri in (database.uri(), database.login()):
        analyst = Analyst(uri)
        with pytest.raises((errors.Boundary, psycopg.errors.InsufficientPrivilege)):
            analyst.run(Query("select 1"))
        analyst.close()


def test_a_login_in_a_group_of_analysts_is_fine(stage: Stage) -> None:
    stage.database.login("taisce_analyst")
    group = stage.database.logins[-1]
    uri = stage.database.login(group)
    with psycopg.connect(stage.database.uri(), autocommit=True) as conn:
        conn.execute(
            "insert into taisce.project_grant (project_id, grantee, access) "
            "select p.project_id, %s::regrole, 'read' from taisce.project as p "
            "where p.name = 'north'",
            [group],
        )
    analyst = Analyst(uri)
    assert rows(analyst, "select project from project_freshness") == [["north"]]
    analyst.close()


def test_two_at_once_and_no_third(stage: Stage) -> None:
    uri = stage.database.login("taisce_analyst")
    done = []

    def slow() -> None:
        done.append(unchecked(uri, ENDLESS, seconds=1.5))

    threads = [threading.Thread(target=slow) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.7)
    try:
        with pytest.raises(errors.RateLimited):
            unchecked(uri, "select 1")
    finally:
        for thread in threads:
            thread.join()
    assert len(done) == 2
    assert unchecked(uri, "select 1").rows == ((1,),)


def test_nothing_of_one_run_is_left_for_the_next(stage: Stage, analyst: Analyst) -> None:
    """The connection is the same one; what a query may have set is gone."""
    with psycopg.connect(stage.uri, **_options(stage.uri)) as conn:
        conn.execute("select set_config('taisce.project', 'south', false)")
    for project in ("north", None, "south", None):
        result = analyst.run(Query("select current_setting('a')", project=project))
        assert result.error is not None
        seen = analyst.run(Query("select project from project_freshness", project=project))
        if project == "south":
            assert seen.error is not None
        else:
            assert seen.rows == (("north",),)
        assert not any(secret in json.dumps(seen.to_dict()) for secret in SECRETS)


def test_a_connection_that_died_is_replaced(stage: Stage) -> None:
    analyst = stage.analyst()
    rows(analyst, "select 1")
    with stage.database.connect() as conn:
        conn.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = %s",
            [stage.login],
        )
    assert rows(analyst, "select 1") == [[1]]
    analyst.close()
