"""Harden a database and undo it, in one transaction each, by a superuser.

What was done is written down in a schema that only superusers may touch, since undoing runs what
is written there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from taisce_pg.harden.plan import Change, plan_hardening
from taisce_pg.problem import Problem

_RECORD = """\
create schema if not exists taisce_hardening;
revoke all on schema taisce_hardening from public;
create table if not exists taisce_hardening.change (
    number integer generated always as identity primary key,
    did text not null,
    undo text not null,
    done_at timestamptz not null default pg_catalog.now()
);
"""


def is_hardened(conn: psycopg.Connection[Any]) -> bool:
    """Tell whether hardening is written down in this database."""
    row = conn.execute("select pg_catalog.to_regclass('taisce_hardening.change') is not null")
    found = row.fetchone()
    return bool(found and found[0])


def harden(
    conn: psycopg.Connection[Any], prefix: str = "taisce", keep: Iterable[str] = ()
) -> list[Change]:
    """Do what is still to be done, and return it; a second run does nothing.

    `keep` are roles that keep what PUBLIC loses. Raises Problem without a superuser.
    """
    _check(conn)
    with conn.transaction():
        changes = plan_hardening(conn, prefix, keep)
        if changes:
            conn.execute(script(changes, whole=False).encode())
    return changes


def undo(conn: psycopg.Connection[Any]) -> list[str]:
    """Take back everything that was written down, newest first, and return the statements."""
    _check(conn)
    with conn.transaction():
        statements = _written(conn)
        if statements:
            conn.execute("set local search_path = pg_catalog")
            conn.execute(_undone(statements, whole=False).encode())
    return statements


def script(changes: list[Change], whole: bool = True) -> str:
    """Return the SQL that makes changes and writes them down, as one transaction if `whole`."""
    lines = [_RECORD]
    for change in changes:
        lines.append(f"{change.did};")
        lines.append(
            "insert into taisce_hardening.change (did, undo) values "
            f"({_literal(change.did)}, {_literal(change.undo)});"
        )
    return _whole("\n".join(lines) + "\n", whole)


def undo_script(conn: psycopg.Connection[Any]) -> str:
    """Return the SQL that takes back everything that was written down."""
    _check(conn)
    return _undone(_written(conn), whole=True)


def _undone(statements: list[str], whole: bool) -> str:
    lines = [
        *(f"{statement};" for statement in statements),
        "drop schema taisce_hardening cascade;",
    ]
    return _whole("\n".join(lines) + "\n", whole)


def _written(conn: psycopg.Connection[Any]) -> list[str]:
    if not is_hardened(conn):
        return []
    with conn.cursor(row_factory=tuple_row) as cursor:
        rows = cursor.execute("select undo from taisce_hardening.change order by number desc")
        return [row[0] for row in rows]


def _check(conn: psycopg.Connection[Any]) -> None:
    with conn.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(
            "select r.rolsuper, pg_catalog.to_regnamespace('memory_v1') is not null, "
            "(select o.rolsuper from pg_catalog.pg_namespace as n "
            "join pg_catalog.pg_roles as o on o.oid = n.nspowner "
            "where n.nspname = 'taisce_hardening') "
            "from pg_catalog.pg_roles as r where r.rolname = current_user"
        ).fetchone()
    if not row or not row[0]:
        raise Problem(
            "only a superuser can take from PUBLIC what the server gave",
            "connect as one, or give a DBA the output of: taisce-pg harden --sql",
        )
    if not row[1]:
        raise Problem("no memory is installed in this database", "run: taisce-pg install")
    if row[2] is False:
        raise Problem(
            "the schema taisce_hardening is not a superuser's; what it says is not run",
            "find out who made it, and drop it",
        )


def _whole(text: str, whole: bool) -> str:
    if not whole:
        return text
    return f"begin;\nset local search_path = pg_catalog;\n{text}commit;\n"


def _literal(text: str) -> str:
    return sql.Literal(text).as_string()
