"""Three projects in one database and logins that may use one of them each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from tests.support.databases import Database
from tests.support.told import MARKERS, Ids, tell

Connection = psycopg.Connection[Any]


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


def build(database: Database) -> World:
    """Tell the three memories, make the logins, grant, and suspend one project."""
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


def tables(conn: Connection) -> list[str]:
    """List the tables that hold rows of projects, but for the grants."""
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


def open_tables(conn: Connection, world: World) -> None:
    """Give both logins what nobody has: rights on the tables."""
    for role in (world.northern, world.southern):
        name = sql.Identifier(role)
        conn.execute(sql.SQL("grant usage on schema taisce to {}").format(name))
        conn.execute(sql.SQL("grant select on all tables in schema taisce to {}").format(name))
