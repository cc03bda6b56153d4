"""The yardstick to beat: the published recursive walk, as plain SQL over the same facts."""

from __future__ import annotations

from datetime import datetime
from importlib.resources import files
from typing import Any

import psycopg

_CURRENT = ("", "upper_inf(f.valid_during) and upper_inf(f.known_during)")
_KNOWN = (
    """
            cross join lateral (
                select f.valid_during as valid_during
                where f.known_during @> %(known_at)s::timestamptz
                union all
                select h.valid_during
                from bench_reference.history as h
                where h.scope = f.scope
                  and h.fact_id = f.fact_id
                  and h.known_during @> %(known_at)s::timestamptz
            ) as state""",
    "state.valid_during @> %(known_at)s::timestamptz",
)


def build(conn: psycopg.Connection[Any]) -> None:
    """Copy the facts of every project into the reference's own schema, with its indexes."""
    with conn.transaction():
        conn.execute("set local maintenance_work_mem = '512MB'")
        conn.execute(_text("reference.sql").encode(), prepare=False)
    conn.execute("vacuum (analyze) bench_reference.fact, bench_reference.history")


def present(conn: psycopg.Connection[Any]) -> bool:
    """Tell whether the reference has been built in this database."""
    row = conn.execute("select to_regclass('bench_reference.history') is not null").fetchone()
    return bool(row and row[0])


def walk(
    project_id: int,
    entity_ids: list[str],
    *,
    hops: int = 1,
    roles: tuple[str, ...] = ("user",),
    subject: str | None = None,
    known_at: datetime | None = None,
    evidence: bool = True,
) -> tuple[str, dict[str, Any]]:
    """Return the query of a walk and its values; its rows begin with hops and fact id.

    Without `evidence` it is the walk and its facts alone.
    """
    state, seen = _CURRENT if known_at is None else _KNOWN
    query = _text("reference_walk.sql").replace("{state}", state).replace("{seen}", seen)
    query += _text("reference_answer.sql" if evidence else "reference_facts.sql")
    return query, {
        "entity_ids": entity_ids,
        "scopes": [project_id],
        "roles": list(roles),
        "subject": subject,
        "hops": hops,
        "known_at": known_at,
    }


def _text(name: str) -> str:
    lines = files("taisce_pg.bench").joinpath(f"sql/{name}").read_text().splitlines()
    return "\n".join(line for line in [*lines, ""] if not line.startswith("--"))
