"""Nothing of a project shows outside it, whatever a session does with its roles and settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg_pool import ConnectionPool

from tests.support.databases import Database, as_role
from tests.support.told import MARKERS
from tests.support.world import World, build, open_tables

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def world(module_database: Database) -> World:
    return build(module_database)


@pytest.fixture
def conn(world: World) -> Iterator[Connection]:
    with world.connect() as made:
        yield made


def answer(conn: Connection) -> str:
    row = conn.execute("select memory_v1.recall('Marta')::text").fetchone()
    assert row is not None
    return str(row[0])


def test_the_setting_chooses_among_granted_projects_only(world: World) -> None:
    with psycopg.connect(world.northern_uri, autocommit=True) as conn:
        for project in ("south", "asleep", "nowhere", "north'; reset role; --"):
            conn.execute("select set_config('taisce.project', %s, false)", [project])
            with pytest.raises(psycopg.Error) as told:
                answer(conn)
            assert told.value.sqlstate == "TS003"
        conn.execute("set taisce.project = 'north'")
        assert MARKERS["north"] in answer(conn)


@pytest.mark.parametrize("how", ["set role {}", "select set_config('role', {}, false)"])
def test_a_login_cannot_take_a_role_it_was_not_given(world: World, how: str) -> None:
    with psycopg.connect(world.northern_uri, autocommit=True) as conn:
        quote = sql.Identifier if how.startswith("set role") else sql.Literal
        for role in (world.southern, "taisce_owner"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(sql.SQL(how).format(quote(role)))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(
                sql.SQL("set session authorization {}").format(sql.Identifier(world.southern))
            )
        assert MARKERS["south"] not in answer(conn)


def test_a_prepared_statement_follows_the_role(world: World, conn: Connection) -> None:
    with conn.transaction(force_rollback=True):
        open_tables(conn, world)
        conn.execute("prepare facts as select string_agg(statement, ';') from taisce.fact")
        conn.execute("prepare bundle as select memory_v1.recall('Marta')::text")
        for _ in range(7):
            for role, own, other in [
                (world.northern, "north", "south"),
                (world.southern, "south", "north"),
            ]:
                with as_role(conn, role):
                    for name in ("facts", "bundle"):
                        row = conn.execute(f"execute {name}".encode()).fetchone()
                        assert row is not None
                        assert MARKERS[own] in row[0]
                        assert MARKERS[other] not in row[0]
        with as_role(conn, "taisce_owner"):
            assert conn.execute("execute facts").fetchone() == (None,)


def test_an_open_cursor_keeps_to_the_project_it_began_with(world: World, conn: Connection) -> None:
    with conn.transaction(force_rollback=True):
        open_tables(conn, world)
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(world.northern)))
        conn.execute("declare facts cursor for select statement from taisce.fact")
        first = conn.execute("fetch 1 from facts").fetchall()
        conn.execute("reset role")
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(world.southern)))
        rest = conn.execute("fetch all from facts").fetchall()
        assert len(first + rest) == 3
        assert all(MARKERS["north"] in row[0] for row in first + rest)


def test_a_cursor_over_a_function_shows_one_project(world: World, conn: Connection) -> None:
    with conn.transaction(force_rollback=True):
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(world.northern)))
        conn.execute(
            "declare facts cursor for select statement from memory_v1.recall_facts('Marta')"
        )
        first = conn.execute("fetch 1 from facts").fetchall()
        conn.execute("reset role")
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(world.southern)))
        rest = conn.execute("fetch all from facts").fetchall()
        assert first
        assert all(MARKERS["north"] in row[0] for row in first + rest)


def test_a_pooled_connection_shows_what_the_present_role_may_see(world: World) -> None:
    uri = world.database.login(world.northern, world.southern, inherit=False)
    with ConnectionPool(uri, min_size=1, max_size=1, open=True) as pool:
        for _ in range(2):
            for role, own, other in [
                (world.northern, "north", "south"),
                (world.southern, "south", "north"),
            ]:
                with pool.connection() as conn:
                    conn.autocommit = True
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        answer(conn)
                    with as_role(conn, role):
                        conn.execute("select set_config('taisce.project', %s, false)", [own])
                        told = answer(conn)
                        assert MARKERS[own] in told
                        assert MARKERS[other] not in told
                    # What the last one chose is left behind: it must not open anything.
                    with (
                        as_role(conn, world.southern if own == "north" else world.northern),
                        pytest.raises(psycopg.Error) as refused,
                    ):
                        answer(conn)
                    assert refused.value.sqlstate == "TS003"
                    conn.execute("reset role")
                    conn.execute("reset taisce.project")
                    conn.autocommit = False


def test_roles_within_one_transaction_do_not_mix(world: World, conn: Connection) -> None:
    with conn.transaction(force_rollback=True):
        for role, own, other in [
            (world.northern, "north", "south"),
            (world.southern, "south", "north"),
            (world.northern, "north", "south"),
        ]:
            with as_role(conn, role):
                told = answer(conn)
                assert MARKERS[own] in told
                assert MARKERS[other] not in told


def test_a_grant_that_goes_takes_effect_with_the_next_statement(world: World) -> None:
    reader = world.database.login("taisce_reader")
    name = world.database.logins[-1]
    with (
        psycopg.connect(world.northern_uri, autocommit=True) as boss,
        psycopg.connect(reader, autocommit=True) as conn,
    ):
        boss.execute("select memory_v1.grant_project('north', %s, 'read')", [name])
        assert MARKERS["north"] in answer(conn)
        boss.execute("select memory_v1.revoke_project('north', %s)", [name])
        with pytest.raises(psycopg.Error) as told:
            answer(conn)
        assert told.value.sqlstate == "TS003"


def test_nobody_can_put_a_function_of_his_own_in_the_way(world: World, conn: Connection) -> None:
    """A definer function must not find the caller's objects before the server's own."""
    with conn.transaction(force_rollback=True):
        conn.execute("create schema trap")
        conn.execute("grant create, usage on schema trap to public")
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(world.northern)))
        for body in ("trap", "pg_temp"):
            conn.execute(
                sql.SQL(
                    "create function {}.statement_timestamp() returns timestamptz language sql "
                    "as $$ select '2000-01-01Z'::timestamptz $$"
                ).format(sql.SQL(body))
            )
            conn.execute(
                sql.SQL(
                    "create function {}.pg_has_role(name, oid, text) returns boolean "
                    "language sql as $$ select true $$"
                ).format(sql.SQL(body))
            )
        conn.execute("create temporary table project_grant (project_id bigint)")
        conn.execute("set local search_path = pg_temp, trap, pg_catalog, memory_v1")
        told = conn.execute("select memory_v1.recall('Marta')::text").fetchone()
        assert told is not None
        assert MARKERS["north"] in told[0]
        assert MARKERS["south"] not in told[0]
