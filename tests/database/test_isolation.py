"""Nothing of a project shows outside it, whatever is called, by whom and in what order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg_pool import ConnectionPool

from tests.support.contract import Function, Outcome, absent, arguments, call, functions
from tests.support.databases import Database, as_role
from tests.support.told import MARKERS, Ids, fingerprint, tell

Connection = psycopg.Connection[Any]
# Makes the project it is given, if an administrator calls it: he can tell which names are taken,
# as he can with create_project. Whoever is no administrator cannot.
MAKES_PROJECTS = {"load"}


@dataclass
class World:
    """Three projects: north, south, and asleep, which is suspended.

    `northern` and `southern` are logins with admin access to their project; `northern` may also
    read asleep. `writer` may write north. `conn` is a superuser without any grant.
    """

    database: Database
    north: Ids
    south: Ids
    northern: str
    southern: str
    writer: str
    northern_uri: str
    southern_uri: str

    def connect(self) -> Connection:
        return self.database.connect()


@pytest.fixture(scope="module")
def world(module_database: Database) -> World:
    database = module_database
    northern_uri = database.login("taisce_admin")
    southern_uri = database.login("taisce_admin")
    database.login("taisce_writer")
    northern, southern, writer = database.logins[-3:]
    with database.connect() as conn:
        ids = {project: tell(conn, project) for project in MARKERS}
        for project, role, access in [
            ("north", northern, "admin"),
            ("north", writer, "write"),
            ("asleep", northern, "read"),
            ("asleep", writer, "write"),
            ("south", southern, "admin"),
        ]:
            conn.execute("select memory_v1.grant_project(%s, %s, %s)", [project, role, access])
        conn.execute("select memory_v1.suspend_project('asleep')")
        conn.execute("delete from taisce.project_grant where grantee = session_user::regrole")
        conn.execute("analyze")
    return World(
        database, ids["north"], ids["south"], northern, southern, writer, northern_uri, southern_uri
    )


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
        if world.north.words[0]
        in trial(conn, world.northern, function, world.north, "north").rows
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
                    conn.execute(sql.SQL("set local role {}").format(sql.Identifier(world.northern)))
                    conn.execute("set local taisce.project = 'north'")
                    conn.execute(
                        sql.SQL("select count(*) from {} as v where public.listen(v.{}::text)").format(
                            sql.SQL(view), sql.Identifier(column)
                        )
                    )
    assert MARKERS["north"] in "\n".join(heard)
    assert not shows(Outcome("\n".join(heard)), world.south)


def tables(conn: Connection) -> list[str]:
    return [
        name
        for (name,) in conn.execute(
            """
            select c.oid::regclass::text
            from pg_class as c
            join pg_attribute as a on a.attrelid = c.oid and a.attname = 'project_id'
            where c.relnamespace = 'taisce'::regnamespace and c.relkind in ('r', 'p')
              and not c.relispartition and c.relname <> 'project_grant'
            order by 1
            """
        )
    ]


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


def open_tables(conn: Connection, world: World) -> None:
    """Give both logins what nobody has: rights on the tables."""
    for role in (world.northern, world.southern):
        name = sql.Identifier(role)
        conn.execute(sql.SQL("grant usage on schema taisce to {}").format(name))
        conn.execute(sql.SQL("grant select on all tables in schema taisce to {}").format(name))


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


def test_an_open_cursor_keeps_to_the_project_it_began_with(
    world: World, conn: Connection
) -> None:
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
                        conn.execute(
                            "select set_config('taisce.project', %s, false)", [own]
                        )
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
