"""How many pages a statement touches, and a project to try it in."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg


def buffers(conn: psycopg.Connection[Any], statement: LiteralString) -> int:
    """Return the pages that a statement touched when run the second time in this session."""
    conn.execute(statement)
    row = conn.execute(f"explain (analyze, buffers, format json) {statement}").fetchone()
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
