"""Time that passes for a memory: what is kept until `LATER` may be read no longer."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

LATER = "2090-01-01T00:00:00Z"
PAST = "2020-01-01T00:00:00Z"


def pass_by(conn: psycopg.Connection[Any], instant: datetime | str = PAST) -> None:
    """Move `LATER` to an instant that has passed, as time would."""
    found = conn.execute(
        "select c.relname, a.attname"
        " from pg_attribute as a join pg_class as c on c.oid = a.attrelid"
        " where c.relnamespace = 'taisce'::regnamespace and c.relkind = 'r'"
        " and not a.attisdropped"
        " and a.attname in ('retention_until', 'name_until', 'kept_until')"
    ).fetchall()
    for table, column in found:
        conn.execute(
            f"update taisce.{table} set {column} = %s where {column} = %s".encode(),
            [instant, LATER],
        )


def wait_for_it(conn: psycopg.Connection[Any], seconds: float = 1.0) -> None:
    """Move `LATER` to an instant ahead and let it come: nothing is written from there on."""
    instant = datetime.now(UTC) + timedelta(seconds=seconds)
    pass_by(conn, instant)
    time.sleep(max(0.0, (instant - datetime.now(UTC)).total_seconds()) + 0.01)
