"""Nothing of a project shows outside it: every function, every view, the policies themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.support.contract import Function, Outcome, absent, arguments, call, functions
from tests.support.databases import Database, as_role
from tests.support.told import MARKERS, Ids, fingerprint
from tests.support.world import World, build, open_tables, tables

Connection = psycopg.Connection[Any]
# Makes the project it is given, if an administrator calls it: he can tell which names are taken,
# as he can with create_project. Whoever is no administrator cannot.
MAKES_PROJECTS = {"load"}


@pytest.fixture(scope="module")
def world(module_database: Database) -> World:
    return build(module_database)


@pytest.fixture
def conn(world: World) -> Iterator[Connection]:
    with world.connect() as made:
        yield made


def trial(
    conn: Connection,
    role: str,
    function: Function,
    ids: Ids,
    project: str,
    untouched: tuple[str, ...] = (),
) -> Outcome:
    """Call a function in a role, undo it, and see that no row of `untouched` changed."""
    before = [fingerprint(conn, name) for name in untouched]
    with conn.transaction(force_rollback=True):
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
        conn.execute("select set_config('taisce.project', %s, true)", [project])
        outcome = call(conn, function, arguments(function, ids, project))
        conn.execute("reset role")
        after = [fingerprint(conn, name) for name in untouched]
    assert after == before, f"{function} changed rows of another project"
    return outcome


def shows(outcome: Outcome, ids: Ids) -> list[str]:
    text = "\n".join([outcome.rows, *(part or "" for part in outcome.error)])
    return [mark for mark in [*ids.words, *ids.all()] if mark in text]


def test_every_function_shows_and_changes_its_own_project_only(
    world: World, conn: Connection
) -> None:
    problems = []
    for function in functions(conn):
        outcome = trial(conn, world.northern, function, world.north, "north", ("south", "asleep"))
        shown = shows(outcome, world.south)
        if shown:
            problems.append(f"{function} shows {shown}")
        if outcome.code is not None and not outcome.code.startswith("TS"):
            problems.append(f"{function}: {outcome.error}")
    assert not problems, "\n".join(problems)


def test_the_arguments_of_these_tests_find_something(world: World, conn: Connection) -> None:
    found = {
        function.name
        for function in functions(conn)
        if world.north.words[0] in trial(conn, world.northern, function, world.north, "north").rows
    }
    assert {"recall", "recall_facts", "recall_anchors", "fact_walk", "facts_at"} <= found


def test_ids_of_another_project_are_as_unknown_as_ids_of_nothing(
    world: World, conn: Connection
) -> None:
    problems = []
    nothing = absent()
    for function in functions(conn):
        foreign = trial(conn, world.northern, function, world.south, "north", ("south",))
        unknown = trial(conn, world.northern, function, nothing, "north", ("south",))
        if foreign.without(world.south) != unknown.without(world.south):
            problems.append(f"{function}\n  foreign: {foreign}\n  unknown: {unknown}")
        if foreign.rows and shows(Outcome(foreign.rows), world.south) and not foreign.error:
            given = str(arguments(function, world.south, "north"))
            if any(mark not in given for mark in shows(foreign, world.south)):
                problems.append(f"{function} shows {shows(foreign, world.south)}")
    assert not problems, "\n".join(problems)


def test_unknown_suspended_and_foreign_projects_are_one_error(
    world: World, conn: Connection
) -> None:
    problems = []
    for function in functions(conn):
        role = world.writer if function.name in MAKES_PROJECTS else world.northern
        unknown, suspended, foreign = (
            trial(conn, role, function, world.north, project, ("south", "asleep"))
            for project in ("nowhere", "asleep", "south")
        )
        if not unknown.without() == suspended.without() == foreign.without():
            problems.append(f"{function}: {unknown}, {suspended}, {foreign}")
        if function.takes("project") and unknown.code != "TS003":
            problems.append(f"{function}: {unknown}")
    assert not problems, "\n".join(problems)


def test_a_superuser_without_a_grant_has_no_project(world: World, conn: Connection) -> None:
    superuser = conn.info.user
    problems = []
    for function in functions(conn):
        if not function.of_project or function.name in MAKES_PROJECTS:
            continue
        real = trial(conn, superuser, function, world.north, "north")
        unknown = trial(conn, superuser, function, world.north, "nowhere")
        if real.without() != unknown.without() or shows(real, world.north):
            problems.append(f"{function}: {real}, {unknown}")
    assert not problems, "\n".join(problems)


def views(conn: Connection) -> list[str]:
    return [
        name
        for (name,) in conn.execute(
            "select oid::regclass::text from pg_class "
            "where relnamespace = 'memory_v1'::regnamespace and relkind = 'v' order by 1"
        )
    ]


def rows(conn: Connection, role: str, project: str, view: str) -> Outcome:
    """Select a whole view in a role, as text."""
    try:
        with conn.transaction(force_rollback=True):
            conn.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
            conn.execute("select set_config('taisce.project', %s, true)", [project])
            found = conn.execute(sql.SQL("select v::text from {} as v").format(sql.SQL(view)))
            return Outcome("\n".join(row[0] for row in found))
    except psycopg.Error as error:
        shown = error.diag
        return Outcome(
            error=(
                error.sqlstate,
                shown.message_primary,
                shown.message_detail,
                shown.message_hint,
            )
        )


def test_every_view_shows_the_project_chosen_and_no_other(world: World, conn: Connection) -> None:
    problems = []
    for view in views(conn):
        own = rows(conn, world.northern, "north", view)
        if own.error or shows(own, world.south):
            problems.append(f"{view}: {own.error or shows(own, world.south)}")
        unknown, suspended, foreign = (
            rows(conn, world.northern, project, view) for project in ("nowhere", "asleep", "south")
        )
        if unknown.code != "TS003" or not unknown == suspended == foreign:
            problems.append(f"{view}: {unknown}, {suspended}, {foreign}")
        superuser = rows(conn, conn.info.user, "north", view)
        if superuser != unknown:
            problems.append(f"{view} as a superuser without a grant: {superuser}")
    assert not problems, "\n".join(problems)


def test_a_condition_of_one_s_own_runs_after_the_boundary_of_a_view(
    world: World, conn: Connection
) -> None:
    heard: list[str] = []
    conn.add_notice_handler(lambda notice: heard.append(str(notice.message_primary)))
    with conn.transaction(force_rollback=True):
        conn.execute(
            "create function public.listen(text) returns boolean language plpgsql "
            "cost 0.0001 as $$ begin raise notice '%', $1; return true; end $$"
        )
        for view in views(conn):
            columns = conn.execute(
                "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0",
                [view],
            ).fetchall()
            for (column,) in columns:
                with conn.transaction(force_rollback=True):
                    conn.execute(
                        sql.SQL("set local role {}").format(sql.Identifier(world.northern))
                    )
                    conn.execute("set local taisce.project = 'north'")
                    conn.execute(
                        sql.SQL(
                            "select count(*) from {} as v where public.listen(v.{}::text)"
                        ).format(sql.SQL(view), sql.Identifier(column))
                    )
    assert MARKERS["north"] in "\n".join(heard)
    assert not shows(Outcome("\n".join(heard)), world.south)


def test_the_owner_of_the_tables_sees_and_changes_no_row(world: World, conn: Connection) -> None:
    with as_role(conn, "taisce_owner"):
        for name in tables(conn):
            table = sql.SQL(name)
            count = conn.execute(sql.SQL("select count(*) from {}").format(table)).fetchone()
            assert count == (0,), name
            assert conn.execute(sql.SQL("delete from {}").format(table)).rowcount == 0, name
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            conn.execute("insert into taisce.predicate (project_id, predicate) values (1, 'x')")
        with pytest.raises(psycopg.Error) as told:
            conn.execute("select memory_v1.recall('Marta', 'north')")
        assert told.value.sqlstate == "TS003"


def test_the_owner_in_a_granted_role_sees_the_rows_of_its_project(
    world: World, conn: Connection
) -> None:
    """The policies themselves, without any function in front of them."""
    with conn.transaction(force_rollback=True):
        open_tables(conn, world)
        for role, own, other in [
            (world.northern, "north", "south"),
            (world.southern, "south", "north"),
        ]:
            with as_role(conn, role):
                for name in tables(conn):
                    rows = conn.execute(
                        sql.SQL("select t::text from {} as t").format(sql.SQL(name))
                    ).fetchall()
                    assert MARKERS[other] not in str(rows), name
                seen = conn.execute("select statement from taisce.fact").fetchall()
                assert len(seen) == 3
                assert all(MARKERS[own] in row[0] for row in seen)


def test_a_condition_that_talks_hears_rows_of_its_project_only(
    world: World, conn: Connection
) -> None:
    """A cheap function in a condition must run after the policy, not before it."""
    heard: list[str] = []
    conn.add_notice_handler(lambda notice: heard.append(str(notice.message_primary)))
    with conn.transaction(force_rollback=True):
        open_tables(conn, world)
        conn.execute(
            "create function public.listen(text) returns boolean language plpgsql "
            "cost 0.0001 as $$ begin raise notice '%', $1; return true; end $$"
        )
        with as_role(conn, world.northern):
            conn.execute("select count(*) from taisce.message where public.listen(content)")
    assert heard
    assert all(MARKERS["north"] in text for text in heard)


def test_statistics_of_the_tables_are_closed(world: World) -> None:
    with psycopg.connect(world.northern_uri) as conn:
        count = conn.execute("select count(*) from pg_stats where schemaname = 'taisce'")
        assert count.fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("select count(*) from pg_statistic")
