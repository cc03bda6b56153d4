"""No setting of a client changes what a call of memory_v1 answers."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from tests.support.contract import Function, absent, arguments, call, functions
from tests.support.databases import Database
from tests.support.told import Ids, tell

Connection = psycopg.Connection[Any]

# What changes from one call to the next by itself.
_MOVING = re.compile(
    r'"(read_at|evaluated_at|as_of|snapshot|milliseconds|took|elapsed[a-z_]*)": ?("[^"]*"|[0-9.]+)'
)
_SCORE = re.compile(r'"(score|similarity|confidence)": ?[0-9.e+-]+')
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d(:?\d\d)?|Z)?")

SETTINGS: list[dict[str, str]] = [
    {"standard_conforming_strings": "off", "escape_string_warning": "off"},
    {"backslash_quote": "off"},
    {"datestyle": "German, DMY"},
    {"datestyle": "SQL, MDY"},
    {"datestyle": "Postgres, YMD"},
    {"intervalstyle": "sql_standard"},
    {"intervalstyle": "iso_8601"},
    {"timezone": "Asia/Kathmandu"},
    {"timezone": "<+13>-13"},
    {"bytea_output": "escape"},
    {"extra_float_digits": "-15"},
    {"xmlbinary": "hex", "xmloption": "document"},
    {"lc_numeric": "C", "lc_time": "C", "lc_monetary": "C"},
    {"quote_all_identifiers": "on"},
    {"array_nulls": "off"},
    {"transform_null_equals": "on"},
    {"default_text_search_config": "pg_catalog.german"},
    {"search_path": ""},
    {"search_path": "public, pg_catalog"},
    {"search_path": "trap, pg_catalog"},
    {"default_transaction_isolation": "serializable"},
    {"default_transaction_read_only": "on"},
    {"default_transaction_deferrable": "on"},
    {"row_security": "off"},
    {"check_function_bodies": "off"},
    {"plpgsql.variable_conflict": "use_variable"},
    {"plpgsql.variable_conflict": "use_column"},
    {"plpgsql.extra_errors": "all"},
    {"plpgsql.check_asserts": "off"},
    {"plan_cache_mode": "force_custom_plan"},
    {"enable_indexscan": "off", "enable_bitmapscan": "off", "enable_indexonlyscan": "off"},
    {"enable_seqscan": "off", "enable_sort": "off"},
    {"enable_nestloop": "off"},
    {"enable_hashjoin": "off", "enable_mergejoin": "off", "enable_material": "off"},
    {"enable_hashagg": "off", "enable_incremental_sort": "off"},
    {"from_collapse_limit": "1", "join_collapse_limit": "1"},
    {"constraint_exclusion": "on", "cursor_tuple_fraction": "0.001"},
    {"work_mem": "64kB", "hash_mem_multiplier": "1"},
    {"debug_parallel_query": "on", "min_parallel_table_scan_size": "0",
     "parallel_setup_cost": "0", "parallel_tuple_cost": "0"},
    {"jit": "on", "jit_above_cost": "0"},
    {"geqo_threshold": "2"},
    {"array_nulls": "off", "gin_fuzzy_search_limit": "1"},
    {"client_min_messages": "debug1"},
    {"application_name": "'; drop schema taisce cascade; --"},
    {"taisce.drift": "nonsense"},
]  # fmt: skip


@pytest.fixture(scope="module")
def north(module_database: Database) -> Ids:
    """Tell a memory, and lay a trap of false functions and operators into the search path."""
    with module_database.connect() as conn:
        ids = tell(conn, "north")
        conn.execute(
            """
            create schema trap;
            grant usage on schema trap to public;
            create function trap.now() returns timestamptz language sql
                as 'select timestamptz ''1999-01-01''';
            create function trap.lower(text) returns text language sql as 'select ''trapped''';
            create function trap.equal(text, text) returns boolean language sql as 'select true';
            create operator trap.= (function = trap.equal, leftarg = text, rightarg = text);
            create table trap.entity_name (normalized_name text);
            """
        )
        conn.execute("select set_config('taisce.project', 'north', false)")
    module_database.login("taisce_admin", inherit=True)
    with module_database.connect() as conn:
        conn.execute(
            "select memory_v1.grant_project('north', %s, 'admin')", [module_database.logins[-1]]
        )
    return ids


def connect(database: Database, settings: dict[str, str]) -> Connection:
    name = database.logins[0]
    conn = psycopg.connect(database.uri(user=name, password=name), autocommit=True)
    for key, value in settings.items():
        try:
            conn.execute("select set_config(%s, %s, false)", [key, value])
        except psycopg.errors.UndefinedObject:
            pytest.skip(f"this server has no {key}")
        except psycopg.Error as error:
            if "unrecognized configuration" in str(error):
                pytest.skip(f"this server has no {key}")
            raise
    return conn


def answers(conn: Connection, ids: Ids, asked: list[Function]) -> dict[str, Any]:
    """Call every read with what it takes, and once more with ids that nothing has."""
    found: dict[str, Any] = {}
    for function in asked:
        for name, about in (("", ids), (" of nothing", absent())):
            outcome = call(conn, function, arguments(function, about, "north"))
            rows = _INSTANT.sub(_in_utc, _MOVING.sub("", outcome.rows))
            if function.name in VARYING:
                rows = _INSTANT.sub("", rows)
            # How rows are printed is for the client to say; a document is the same for all.
            rows = rows if '"contract"' in rows else _SCORE.sub("", rows)
            found[str(function) + name] = (rows, outcome.error)
    return found


def _in_utc(match: re.Match[str]) -> str:
    return datetime.fromisoformat(match[0]).astimezone(UTC).isoformat() if match[2] else match[0]


# They answer with the instant of the call in places of their own.
VARYING = ("recall_plan", "explain_recall", "why_not", "freshness", "ready")


@pytest.fixture(scope="module")
def asked(module_database: Database, north: Ids) -> list[Function]:
    with connect(module_database, {}) as conn:
        return [_qualified(one) for one in functions(conn) if one.volatility != "v"]


def _qualified(function: Function) -> Function:
    """Name the type of pgvector so that any search path finds it."""
    named = [
        replace(one, type="public.vector") if one.type == "vector" else one
        for one in function.parameters
    ]
    return replace(function, parameters=type(function.parameters)(named))


@pytest.fixture(scope="module")
def usual(module_database: Database, north: Ids, asked: list[Function]) -> dict[str, Any]:
    with connect(module_database, {}) as conn:
        return answers(conn, north, asked)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_setting_changes_no_answer(
    module_database: Database,
    north: Ids,
    asked: list[Function],
    usual: dict[str, Any],
    settings: dict[str, str],
) -> None:
    assert len(asked) > 50
    with connect(module_database, settings) as conn:
        found = answers(conn, north, asked)
    differing = [
        f"{name}: {found[name]} where it is {usual[name]}"
        for name in usual
        if found[name] != usual[name]
    ]
    assert not differing, "\n".join(item[:600] for item in differing[:6])


@pytest.mark.parametrize("settings", SETTINGS[:2] + SETTINGS[5:7] + SETTINGS[13:16], ids=str)
def test_a_view_shows_the_same_under_every_setting(
    module_database: Database, north: Ids, settings: dict[str, str]
) -> None:
    def shown(conn: Connection) -> dict[str, int]:
        conn.execute("select set_config('taisce.project', 'north', false)")
        names = conn.execute(
            "select c.relname from pg_catalog.pg_class as c where c.relkind = 'v'"
            " and c.relnamespace = 'memory_v1'::regnamespace"
        ).fetchall()
        count = "select pg_catalog.count(*) from memory_v1.{}"
        return {
            name: (conn.execute(count.format(name).encode()).fetchone() or (0,))[0]
            for (name,) in names
        }

    with connect(module_database, {}) as plain, connect(module_database, settings) as odd:
        assert shown(odd) == shown(plain)
