"""The login that open SQL runs as: which one is meant, and that of the embedded server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from taisce_pg.connection import Target
    from taisce_pg.embedded import Server

VARIABLE = "TAISCE_ANALYST_DSN"
LOGIN = "analyst"
GROUP = "taisce_analyst"
SETTINGS = {
    "default_transaction_read_only": "on",
    "idle_in_transaction_session_timeout": "60s",
    "lock_timeout": "250ms",
    "max_parallel_workers_per_gather": "0",
    "search_path": "memory_v1, pg_catalog",
    "statement_timeout": "15s",
    "temp_file_limit": "64MB",
    "work_mem": "16MB",
}
"""Settings of the embedded server's login; only the temporary space is a limit it cannot lift."""


def analyst_dsn(dsn: str | None = None) -> str:
    """Return the connection string of the analysts' login.

    TAISCE_ANALYST_DSN, else the login of the embedded server if that is the memory meant, else
    the memory's own connection string, which the server refuses for open SQL if it may do more.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return chosen
    from taisce_pg.connection import resolve_dsn

    return of_target(resolve_dsn(dsn))


def of_target(target: Target) -> str:
    """Return the analysts' login for a memory that has been found already."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return chosen
    return target.dsn if target.server is None else ensure_login(target.server)


def ensure_login(server: Server) -> str:
    """Make the analysts' login of a running embedded server, or mend it; return its string.

    It becomes a member of the analysts as soon as a memory is installed.
    """
    with psycopg.connect(server.uri(), autocommit=True) as conn, conn.transaction():
        conn.execute("select pg_catalog.pg_advisory_xact_lock(7461697363)")
        password = server.home.password(LOGIN)
        there = _is(conn, "select from pg_catalog.pg_roles where rolname = %s", LOGIN)
        name = sql.Identifier(LOGIN)
        if not there:
            conn.execute(sql.SQL("create role {} login connection limit 16").format(name))
            for setting, value in SETTINGS.items():
                conn.execute(
                    sql.SQL("alter role {} set {} to {}").format(
                        name, sql.Identifier(setting), _setting(setting, value)
                    )
                )
        if not there or password is None:
            password = server.home.make_password(LOGIN)
            conn.execute(sql.SQL("alter role {} password {}").format(name, sql.Literal(password)))
        if _is(conn, "select from pg_catalog.pg_roles where rolname = %s", GROUP) and not _is(
            conn, "select where pg_catalog.pg_has_role(%s, %s, 'MEMBER')", LOGIN, GROUP
        ):
            conn.execute(sql.SQL("grant {} to {}").format(sql.Identifier(GROUP), name))
    return server.uri(user=LOGIN)


def _setting(name: str, value: str) -> sql.Composable:
    """Write a value; a search path is a list of names."""
    if name == "search_path":
        return sql.SQL(", ").join(sql.Identifier(part.strip()) for part in value.split(","))
    return sql.Literal(value)


def _is(conn: psycopg.Connection[tuple[object, ...]], query: str, *values: str) -> bool:
    return conn.execute(query.encode(), values).fetchone() is not None
