"""The executor: limits, values, errors, cancelling, and the queries that must work."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import jsonschema
import psycopg
import pytest

from taisce_pg import AsyncMemory, Memory, errors, schema
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.sandbox import check
from taisce_pg.sandbox.execute import Analyst, AsyncAnalyst, _options
from taisce_pg.sandbox.result import QueryFailed, QueryResult
from taisce_pg.sandbox.session import Query
from taisce_pg.sandbox.values import convert, converter
from tests.support.analysts import SECRETS, Stage, build, unchecked
from tests.support.databases import Database
from tests.support.sandbox import full_catalogue, label, read_table

SLOW = (
    "select count(*) from generate_series(1, 3000) as a(x) "
    "join generate_series(1, 3000) as b(x) on a.x = b.x + 1 "
    "where md5(a.x::text || b.x::text) = 'x'"
)
ENDLESS = "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b"


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    return build(module_database)


@pytest.fixture(scope="module")
def analyst(stage: Stage) -> Iterator[Analyst]:
    made = stage.analyst()
    yield made
    made.close()


@pytest.fixture
def memory(stage: Stage) -> Iterator[Memory]:
    with Memory(stage.database.uri(), analyst_dsn=stage.uri) as made:
        yield made


def rows(analyst: Analyst, text: str, *values: Any, **limits: Any) -> list[list[Any]]:
    result = analyst.run(Query(text, values, **limits))
    assert result.error is None, result.error
    return [list(row) for row in result.rows]


def failure(analyst: Analyst, text: str, *values: Any, **limits: Any) -> Any:
    result = analyst.run(Query(text, values, **limits))
    assert result.error is not None
    assert not result.rows
    return result.error


LEGITIMATE = read_table("legitimate.jsonl")
OF_THE_MOMENT = (
    "now", "_current", "current_", "clock", "random", "gen_", "age(", "timestamp()", "today",
    "freshness", "sample", "shuffle", "limit",
)  # fmt: skip
"""Words of queries whose rows are others the next time."""


@pytest.mark.parametrize("line", LEGITIMATE, ids=label)
def test_ordinary_sql_runs_and_gives_what_the_server_gives(
    stage: Stage, analyst: Analyst, line: dict[str, Any]
) -> None:
    checked = check(line["sql"], catalogue=full_catalogue())
    with stage.database.connect() as conn:
        installed = {
            name
            for (name,) in conn.execute(
                "select proname from pg_proc where pronamespace = 'memory_v1'::regnamespace"
            )
        }
    if not set(checked.helpers) <= installed or checked.semantic:
        pytest.skip("needs a function that is not installed")
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
    ("text", "value"),
    [
        ("1::smallint", 1),
        ("12345678901234567890::numeric", 12345678901234567890),
        ("1.5::numeric", 1.5),
        ("'NaN'::float8", "NaN"),
        ("'-infinity'::timestamptz", "-infinity"),
        ("timestamptz '2026-01-02 03:04:05.5+02'", "2026-01-02T01:04:05.5+00:00"),
        ("timestamptz '0044-03-15 BC'", "0044-03-15 00:00:00+00 BC"),
        ("date '12026-01-01'", "12026-01-01"),
        ("interval '1 day 2 hours'", "1 day 02:00:00"),
        ("true", True),
        ("null", None),
        ("array[1, null, 3]", [1, None, 3]),
        ("array['a,b', 'c\"d', null, 'NULL', '', '{x}', E'e\\\\f']",
         ["a,b", 'c"d', None, "NULL", "", "{x}", "e\\f"]),
        ("array[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        ("'{}'::int[]", []),
        ("'[0:1]={5,6}'::int[]", [5, 6]),
        ("'{\"a\": [1, null]}'::jsonb", {"a": [1, None]}),
        ("'null'::jsonb", None),
        ("row(1, 'a')", "(1,a)"),
        ("'\\xff'::bytea", "\\xff"),
        ("'é\u202e\U0001f600'", "é\u202e\U0001f600"),
    ],
)  # fmt: skip
def test_values_become_json(stage: Stage, text: str, value: Any) -> None:
    result = unchecked(stage.uri, f"select {text}")
    assert result.error is None, result.error
    assert result.rows == ((value,),)
    json.dumps(result.to_dict())


def test_parameters_are_bound_and_percent_signs_are_text(analyst: Analyst) -> None:
    found = rows(
        analyst, "select $1::text || '%s%%', $2::int, $3::text[]", "a'; --", 2, ["x", None]
    )
    assert found == [["a'; --%s%%", 2, ["x", None]]]
    assert rows(analyst, "select '100%' like '%\\%'") == [[True]]
    assert failure(analyst, "select $1::text").code == "syntax"
    assert failure(analyst, "select $1::int", "x'y").code == "invalid_text_representation"


def test_limits_of_rows_and_bytes_cut_and_say_so(analyst: Analyst) -> None:
    result = analyst.run(Query("select g from generate_series(1, 201) g"))
    assert (result.returned_rows, result.truncation_reason) == (200, "rows")
    result = analyst.run(Query("select g from generate_series(1, 200) g"))
    assert (result.returned_rows, result.truncated) == (200, False)
    result = analyst.run(Query("select repeat('x', 100) from generate_series(1, 50) g", bytes=1050))
    assert (result.returned_rows, result.returned_bytes) == (10, 1000)
    assert result.truncation_reason == "bytes"
    result = analyst.run(Query("select repeat('x', 100)", bytes=50))
    assert (result.returned_rows, result.truncation_reason) == (0, "bytes")
    assert rows(analyst, "select 1") == [[1]]


@pytest.mark.parametrize(
    ("limits", "name"),
    [({"rows": 1001}, "rows"), ({"seconds": 16.0}, "seconds"), ({"bytes": 8 * 2**20 + 1}, "bytes"),
     ({"seconds": 0.0}, "seconds"), ({"rows": -1}, "rows")],
)  # fmt: skip
def test_more_than_a_tier_gives_is_an_error(
    analyst: Analyst, limits: dict[str, Any], name: str
) -> None:
    with pytest.raises(errors.InvalidArgument, match=name):
        analyst.run(Query("select 1", **limits))


def test_the_analytical_tier_is_for_roles_that_a_setting_names(stage: Stage) -> None:
    analyst = stage.analyst()
    try:
        with pytest.raises(errors.InvalidArgument, match="tier"):
            analyst.run(Query("select 1", tier="analytical"))
        with stage.database.connect() as conn:
            conn.execute(
                "update taisce.setting set value = %s where name = 'sandbox_analytical_roles'",
                [f"nobody, {stage.login}"],
            )
        try:
            result = analyst.run(
                Query("select g from generate_series(1, 5000) g", tier="analytical")
            )
        finally:
            with stage.database.connect() as conn:
                conn.execute(
                    "update taisce.setting set value = '' where name = 'sandbox_analytical_roles'"
                )
        assert result.limits is not None
        assert (result.returned_rows, result.limits.rows, result.limits.seconds) == (
            5000,
            10000,
            60,
        )
    finally:
        analyst.close()


def test_time_runs_out(stage: Stage) -> None:
    started = time.monotonic()
    result = unchecked(stage.uri, ENDLESS, seconds=0.5)
    assert time.monotonic() - started < 3
    assert result.error is not None
    assert result.error.code == "timeout"


def test_a_query_cannot_lift_its_own_time(stage: Stage) -> None:
    text = f"select set_config('statement_timeout', '0', true), count(*) from ({ENDLESS}) as x"
    started = time.monotonic()
    result = unchecked(stage.uri, text, seconds=0.5)
    assert time.monotonic() - started < 3
    assert result.error is not None
    assert result.error.code == "timeout"


def test_what_never_looks_up_is_cut_off_by_the_client(stage: Stage) -> None:
    """A loop in C that does not check for interrupts: the caller gets its thread back."""
    text = "select array_fill(repeat('x', 1000), array[20000000])"
    started = time.monotonic()
    result = unchecked(stage.uri, text, seconds=0.3)
    assert time.monotonic() - started < 8
    assert result.error is not None


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


def test_memory_raises_what_a_result_only_says(memory: Memory) -> None:
    result = memory.query("select count(*) from entities where canonical_name = $1", ["Acme"])
    assert result.rows == ((1,),)
    with pytest.raises(QueryFailed) as failed:
        memory.query("select * from no_such_view")
    assert (failed.value.code, failed.value.reason) == ("TS009", "relation")
    assert failed.value.fragment == "no_such_view"
    assert failed.value.result.error is not None
    with pytest.raises(errors.QueryRejected):
        memory.explain_query("select 1; select 2")
    assert memory.explain_query("select 1").cost_class == "light"


def test_memory_without_a_login_says_what_to_do(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAISCE_ANALYST_DSN", raising=False)
    with Memory(stage.database.uri()) as memory, pytest.raises(errors.TaisceError) as told:
        memory.query("select 1")
    assert "TAISCE_ANALYST_DSN" in str(told.value)
    monkeypatch.setenv("TAISCE_ANALYST_DSN", stage.uri)
    with Memory(stage.database.uri()) as memory:
        assert memory.query("select 1").rows == ((1,),)


def test_the_async_client_does_the_same(stage: Stage) -> None:
    async def main() -> None:
        async with AsyncMemory(stage.database.uri(), analyst_dsn=stage.uri) as memory:
            results = await asyncio.gather(
                *(memory.query("select count(*) from entities") for _ in range(2))
            )
            assert len({result.rows for result in results}) == 1
            with pytest.raises(QueryFailed):
                await memory.query("delete from entities")
            assert (await memory.explain_query("select 1")).cost_class == "light"
        analyst = AsyncAnalyst(stage.uri)
        assert (await analyst.run(Query("select 1"))).rows == ((1,),)
        await analyst.close()

    asyncio.run(main())


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


@pytest.fixture
def shell(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("TAISCE_ANALYST_DSN", stage.uri)
    return ["--dsn", stage.database.uri()]


def test_the_command_prints_tables_csv_and_json(shell: list[str], capsys: Any) -> None:
    text = "select subject, valid_from, evidence_count from facts_history order by fact_id limit 2"
    assert run(cli, [*shell, "query", text]) == 0
    out, err = capsys.readouterr()
    assert "subject" in out
    assert "2 rows" in err
    assert run(cli, [*shell, "query", text, "--format", "csv", "--rows", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "subject,valid_from,evidence_count"
    assert len(out.splitlines()) == 2
    assert "cut at 1 rows" in err
    assert run(cli, [*shell, "query", text, "--json"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), schema("QueryResult/v1"))


def test_the_command_reads_a_file_and_standard_input(
    shell: list[str], capsys: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    file = tmp_path / "q.sql"
    file.write_text("select $1::int * 2 as double")
    assert run(cli, [*shell, "query", "-f", str(file), "-v", "21", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "double\n42\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"select 'x' as a")))
    assert run(cli, [*shell, "query", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "a\nx\n"
    assert run(cli, [*shell, "query", "select 1", "-f", str(file)]) == 2


def test_the_command_says_why_and_ends_with_1(shell: list[str], capsys: Any) -> None:
    assert run(cli, [*shell, "query", "select statment from facts_current"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "error column: 'statment' at character 8" in err
    assert "hint: Did you mean statement?" in err
    assert run(cli, [*shell, "query", "select 1", "--explain"]) == 0
    assert capsys.readouterr().out.startswith("cost: light")
    assert run(cli, [*shell, "query", "drop table x", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not_a_query"


def test_the_command_without_a_server_says_so(
    shell: list[str], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAISCE_ANALYST_DSN", "host=/nowhere dbname=x connect_timeout=2")
    assert run(cli, [*shell, "query", "select 1"]) == 1
    assert "no connection" in capsys.readouterr().err
