"""Hardening: what goes, what stays usable, and that undoing it leaves nothing behind."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.harden import harden, is_hardened, undo, undo_script
from taisce_pg.harden.run import script
from taisce_pg.install.run import install, status
from taisce_pg.problem import Problem
from tests.support.contract import arguments, call, functions
from tests.support.databases import Database
from tests.support.world import World
from tests.support.world import build as build_world

Connection = psycopg.Connection[Any]

ACLS = """
select 'function', p.oid::regprocedure::text, a::text
from pg_proc as p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
union all
select 'relation', c.oid::regclass::text, a::text
from pg_class as c, aclexplode(c.relacl) as a
union all
select 'column', t.attrelid::regclass || '.' || t.attname, a::text
from pg_attribute as t, aclexplode(t.attacl) as a
union all
select 'language', l.lanname, a::text
from pg_language as l, aclexplode(coalesce(l.lanacl, acldefault('l', l.lanowner))) as a
union all
select 'schema', n.nspname, a::text
from pg_namespace as n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) as a
where n.nspname !~ '^pg_(toast_)?temp'
union all
select 'database', d.datname, a::text
from pg_database as d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) as a
where d.datname = current_database()
union all
select 'setting', s.setrole::regrole::text, s.setconfig::text
from pg_db_role_setting as s
where s.setdatabase = (select oid from pg_database where datname = current_database())
order by 1, 2, 3
"""


def rights(conn: Connection) -> list[tuple[Any, ...]]:
    return conn.execute(ACLS).fetchall()


@pytest.fixture
def analyst(database: Database) -> str:
    return database.login("taisce_analyst")


@pytest.mark.slow
def test_undoing_gives_back_exactly_what_was_taken(
    database: Database, conn: Connection, analyst: str
) -> None:
    before = rights(conn)
    done = harden(conn)
    assert len(done) > 20
    assert is_hardened(conn)
    after = set(rights(conn))
    assert not [one for one in after - set(before) if ",0," in one[2] or "(10,0" in one[2]]
    assert harden(conn) == []
    taken = undo(conn)
    assert len(taken) == len(done)
    assert rights(conn) == before
    assert not is_hardened(conn)
    assert undo(conn) == []


@pytest.mark.slow
def test_the_printed_sql_does_the_same_and_so_does_that_of_the_undo(
    database: Database, conn: Connection, analyst: str, capsys: Any
) -> None:
    before = rights(conn)
    assert run(cli, ["--dsn", database.uri(), "harden", "--sql"]) == 0
    printed = capsys.readouterr().out
    assert rights(conn) == before
    conn.execute(printed.encode())
    hardened = rights(conn)
    assert hardened != before
    assert harden(conn) == []
    assert run(cli, ["--dsn", database.uri(), "harden", "--undo", "--sql"]) == 0
    back = capsys.readouterr().out
    assert back == undo_script(conn)
    conn.execute(back.encode())
    assert rights(conn) == before
    assert run(cli, ["--dsn", database.uri(), "harden"]) == 0
    # Numbers of roles and the time apart, it is the same.
    assert len(rights(conn)) == len(hardened)
    assert run(cli, ["--dsn", database.uri(), "harden", "--undo"]) == 0
    assert "undone" in capsys.readouterr().err


@pytest.mark.slow
def test_a_role_that_is_named_keeps_what_it_had(
    database: Database, conn: Connection, analyst: str
) -> None:
    other = database.login()
    name = database.logins[-1]
    harden(conn, keep=[name])
    with psycopg.connect(other, autocommit=True) as spared:
        spared.execute("select set_config('a.b', 'c', false), count(*) from pg_class")
        spared.execute("create temporary table mine (x int)")
    with (
        psycopg.connect(analyst, autocommit=True) as one,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        one.execute("select set_config('a.b', 'c', false)")
    with psycopg.connect(analyst, autocommit=True) as one:
        assert one.execute("show temp_file_limit").fetchone() == ("64MB",)
    undo(conn)


def test_it_takes_a_superuser_and_a_memory(
    database: Database, empty_database: Database, analyst: str
) -> None:
    with psycopg.connect(analyst, autocommit=True) as one:
        for what in (harden, undo):
            with pytest.raises(Problem, match="superuser"):
                what(one)
    with empty_database.connect() as bare, pytest.raises(Problem, match="no memory"):
        harden(bare)


def test_a_record_that_is_not_a_superuser_s_is_not_run(
    database: Database, conn: Connection, analyst: str
) -> None:
    name = database.logins[-1]
    conn.execute(f"create schema taisce_hardening authorization {name}".encode())
    for what in (harden, undo):
        with pytest.raises(Problem, match="not a superuser's"):
            what(conn)


@pytest.mark.slow
def test_extensions_of_others_are_closed_too(
    database: Database, conn: Connection, analyst: str
) -> None:
    found = conn.execute(
        "select name from pg_available_extensions where name in "
        "('pg_trgm', 'tablefunc', 'dblink') order by name limit 1"
    ).fetchone()
    if found is None:
        pytest.skip("the server has no other extension to try with")
    conn.execute(f"create extension {found[0]}".encode())
    printed = script(harden(conn))
    assert "public" in printed
    undo(conn)


@pytest.fixture(scope="module")
def world(module_database: Database) -> World:
    return build_world(module_database)


@pytest.mark.slow
def test_every_function_and_view_answers_as_before(world: World) -> None:
    with world.connect() as conn:
        views = [
            name
            for (name,) in conn.execute(
                "select c.relname from pg_class as c "
                "where c.relnamespace = 'memory_v1'::regnamespace and c.relkind = 'v'"
            )
        ]
        before = answers(world)
        harden(conn)
        after = answers(world)
        assert after == before
        analyst = world.database.login("taisce_analyst")
        name = world.database.logins[-1]
        with psycopg.connect(world.northern_uri, autocommit=True) as boss:
            boss.execute("select memory_v1.grant_project('north', %s, 'read')", [name])
        with psycopg.connect(analyst, autocommit=True) as one:
            for view in views:
                one.execute(f"select * from memory_v1.{view}".encode())
            one.execute("select memory_v1.query_space()")
        with psycopg.connect(
            world.database.uri(user=world.writer, password=world.writer), autocommit=True
        ) as writer:
            writer.execute("insert into memory_v1.load_stage (line, body) values (1, '{}')")
        assert status(conn).state in ("ok", "drift")
        install(conn, repair=True)
        assert status(conn).state == "ok"
        undo(conn)


def answers(world: World) -> dict[str, str | None]:
    """Call every function as the administrator of north; return the code each ends with."""
    codes: dict[str, str | None] = {}
    with psycopg.connect(world.northern_uri, autocommit=True) as conn:
        with world.connect() as boss:
            found = functions(boss)
        for function in found:
            try:
                values = arguments(function, world.north, "north")
            except LookupError:
                continue
            with conn.transaction(force_rollback=True):
                codes[str(function)] = call(conn, function, values).code
    assert None in codes.values()
    return codes
