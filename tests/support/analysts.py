"""Two memories and a login that may look at one: what the tests of open SQL run against."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from taisce_pg.load.apply import load_lines
from taisce_pg.sandbox import session
from taisce_pg.sandbox.check import Checked
from taisce_pg.sandbox.execute import Analyst, _converse, _options
from taisce_pg.sandbox.result import QueryResult
from taisce_pg.sandbox.session import Clock, Query
from taisce_pg.sandbox.watchdog import Watchdog
from tests.support.databases import Database
from tests.support.memories import EVERYTHING
from tests.support.told import MARKERS, tell

SECRETS = (MARKERS["south"], MARKERS["asleep"])

_ANY = Checked("", "interactive", 0, "0", (), (), (), (), (), False, ())
SLOW = (
    "select count(*) from generate_series(1, 3000) as a(x) "
    "join generate_series(1, 3000) as b(x) on a.x = b.x + 1 "
    "where md5(a.x::text || b.x::text) = 'x'"
)
ENDLESS = "select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b"


@dataclass(frozen=True)
class Stage:
    """A database with the projects north, south and asleep, and an analyst of north alone."""

    database: Database
    uri: str
    login: str

    def analyst(self) -> Analyst:
        """Return the executor of the login."""
        return Analyst(self.uri)


def build(database: Database) -> Stage:
    """Tell the memories and make the login, as a DBA would."""
    uri = database.login("taisce_analyst")
    login = database.logins[-1]
    with psycopg.connect(database.login("taisce_admin"), autocommit=True) as boss:
        load_lines(boss, "north", EVERYTHING)
        boss.execute("select memory_v1.grant_project('north', %s, 'read')", [login])
    with database.connect() as conn:
        for project in ("south", "asleep"):
            tell(conn, project)
        conn.execute("select memory_v1.suspend_project('asleep')")
        conn.execute(
            sql.SQL("alter role {} set temp_file_limit = '64MB'").format(sql.Identifier(login))
        )
    return Stage(database, uri, login)


def unchecked(uri: str, text: str, **limits: Any) -> QueryResult:
    """Run a text as the executor does, without the checker in front."""
    query = Query(text, **{"seconds": 2.0, **limits})
    checked = replace(_ANY, sql=text, tier=query.tier)
    clock = Clock()
    options = {**_options(uri), "cursor_factory": psycopg.RawCursor, "row_factory": tuple_row}
    with closing(psycopg.connect(uri, **options)) as conn, Watchdog(conn, clock):
        version = conn.info.server_version
        return _converse(conn, session.answer(query, checked, clock, version))


def snapshot(conn: psycopg.Connection[Any]) -> tuple[Any, ...]:
    """Return what would differ if anything in the database had been changed for good."""
    tables = conn.execute(
        """
        select c.oid::regclass::text from pg_class as c
        where c.relnamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)
          and c.relkind in ('r', 'p') order by 1
        """
    ).fetchall()
    rows = sql.SQL(" union all ").join(
        sql.SQL("select {} as name, count(*) as n, sum(hashtextextended(t::text, 0)) as sum "
                "from {} as t").format(sql.Literal(name), sql.SQL(name))
        for (name,) in tables
    )  # fmt: skip
    content = conn.execute(sql.SQL("select * from ({}) as x order by 1").format(rows)).fetchall()
    around = conn.execute(
        """
        select
            (select count(*) from pg_class), (select count(*) from pg_proc),
            (select count(*) from pg_namespace), (select count(*) from pg_largeobject_metadata),
            (select sum(hashtext(s::text)) from pg_db_role_setting as s
             where s.setdatabase = (
                 select oid from pg_database where datname = current_database())),
            (select sum(hashtext(n.nspacl::text)) from pg_namespace as n),
            (select count(*) from pg_prepared_xacts where database = current_database()),
            (select last_value::bigint from taisce.project_number)
        """
    ).fetchone()
    return tuple(content), around


def rows(analyst: Analyst, text: str, *values: Any, **limits: Any) -> list[list[Any]]:
    """Run a query that must succeed; return its rows."""
    result = analyst.run(Query(text, values, **limits))
    assert result.error is None, result.error
    return [list(row) for row in result.rows]


def failure(analyst: Analyst, text: str, *values: Any, **limits: Any) -> Any:
    """Run a query that must fail; return its error."""
    result = analyst.run(Query(text, values, **limits))
    assert result.error is not None
    assert not result.rows
    return result.error
