"""The database alone stops every attack: login, grants, cursor and hardening, without the checker.

What still runs shows only what the analyst may see anyway, changes nothing, and ends in time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg import errors
from taisce_pg.harden import harden
from taisce_pg.sandbox.result import QueryResult
from tests.support.analysts import SECRETS, Stage, build, snapshot, unchecked
from tests.support.databases import Database
from tests.support.sandbox import label, read_table

SECONDS = 1.0
LONGEST = SECONDS + 4.0
HARMLESS = {
    # Own rows in another form, names of things, plain computing: nothing is reached by these.
    "relations": "names of with queries only",
    "types": "casts and names",
    "information": "the login's own name",
    "hidden calls": "functions of the row's own values",
    "lexer": "spellings",
    "recursion": "rounds within the limits",
    "cost": "work within the limits",
    "growing values": "work and values within the limits",
    "size": "long texts",
    "by rule": "a clause that does nothing here",
    "every position": "functions of the row's own values, the login's own name",
}
"""Kinds of which some run without the checker, and what is left of them."""

ATTACKS = read_table("attacks.jsonl")


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    made = build(module_database)
    with module_database.connect() as conn:
        harden(conn)
    return made


@pytest.fixture(scope="module")
def untouched(stage: Stage) -> tuple[Any, ...]:
    with stage.database.connect() as made:
        return snapshot(made)


@pytest.fixture(scope="module")
def conn(stage: Stage) -> Iterator[psycopg.Connection[Any]]:
    with stage.database.connect() as made:
        yield made


def attack(uri: str, text: str) -> QueryResult:
    """Run an attack; slots that earlier attacks hold in the server are waited for."""
    end = time.monotonic() + 60
    while True:
        try:
            return unchecked(uri, text, seconds=SECONDS)
        except errors.RateLimited:
            assert time.monotonic() < end
            time.sleep(0.2)


@pytest.mark.slow
@pytest.mark.parametrize("line", ATTACKS, ids=label)
def test_an_attack_is_stopped_or_reaches_nothing(
    stage: Stage,
    conn: psycopg.Connection[Any],
    untouched: tuple[Any, ...],
    line: dict[str, Any],
) -> None:
    try:
        line["sql"].encode()
    except UnicodeEncodeError:
        return  # No client can send it.
    result = attack(stage.uri, line["sql"])
    assert snapshot(conn) == untouched
    assert result.elapsed_ms < LONGEST * 1000
    told = json.dumps(result.to_dict())
    for secret in (*SECRETS, "taisce.", "md5", "SCRAM"):
        assert secret not in told or secret in line["sql"]
    if result.error is None:
        assert line["kind"] in HARMLESS, f"it ran: {told[:300]}"
        limits = result.limits
        assert limits is not None
        assert result.returned_rows <= limits.rows
        assert result.returned_bytes <= limits.bytes


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "set role taisce_owner",
        "set session authorization postgres",
        "create temporary table mine (x int)",
        "create function pg_temp.mine() returns int language sql as 'select 1'",
        "do $$ begin end $$",
        "create schema mine",
        "select * from taisce.fact",
        "insert into memory_v1.load_stage (line, body) values (1, '{}')",
        "select set_config('statement_timeout', '0', false)",
        "select pg_advisory_lock(1)",
        "select count(*) from pg_proc",
        "select count(*) from information_schema.tables",
        "select pg_terminate_backend(1)",
        "select lo_create(0)",
        "copy memory_v1.entities to program 'true'",
        "select pg_read_file('PG_VERSION')",
        "update pg_settings set setting = '0' where name = 'statement_timeout'",
    ],
)
def test_in_a_client_of_his_own_an_analyst_is_stopped_as_well(stage: Stage, statement: str) -> None:
    with (
        psycopg.connect(stage.uri, autocommit=True) as own,
        pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.WrongObjectType)),
    ):
        own.execute(statement.encode())
