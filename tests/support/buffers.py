"""How many pages a statement touches, and a project to try it in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg


def buffers(
    conn: psycopg.Connection[Any], statement: LiteralString, values: Sequence[Any] = ()
) -> int:
    """Return the pages that a statement touched once warm: the least of three counts.

    A run right after autovacuum saw a table plans its statements anew, which reads the catalog.
    """
    conn.execute(statement, values)
    return min(_counted(conn, statement, values) for _ in range(3))


def _counted(conn: psycopg.Connection[Any], statement: LiteralString, values: Sequence[Any]) -> int:
    row = conn.execute(f"explain (analyze, buffers, format json) {statement}", values).fetchone()
    assert row is not None
    plan = row[0][0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def use_project(conn: psycopg.Connection[Any], name: str) -> int:
    """Make a project that the superuser of the connection may read; return its number."""
    row = conn.execute(
        "insert into taisce.project (project_id, name) "
        "values (nextval('taisce.project_number'), %s) returning project_id",
        [name],
    ).fetchone()
    assert row is not None
    number = int(row[0])
    conn.execute("insert into taisce.project_clock (project_id) values (%s)", [number])
    conn.execute(
        "insert into taisce.project_grant (project_id, grantee, access) "
        "values (%s, current_user::regrole, 'admin')",
        [number],
    )
    return number
