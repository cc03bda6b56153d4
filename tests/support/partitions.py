"""Partitions that all hold something."""

from __future__ import annotations

from typing import Any

import psycopg

from taisce_pg.bench import generator
from taisce_pg.bench.generator import generate


def fill(conn: psycopg.Connection[Any]) -> int:
    """Make small memories until no partition is empty; return how many. Whole tables get none.

    To read all of an empty partition costs nothing, so the planner sorts what it would else read
    in order.
    """
    parts = [
        name
        for (name,) in conn.execute(
            "select inhrelid::regclass::text from pg_inherits"
            " where inhparent = 'taisce.fact_version'::regclass"
        ).fetchall()
    ]
    made = 0
    while any(
        conn.execute(f"select not exists (select from {part})".encode()).fetchone() == (True,)
        for part in parts
    ):
        made += 1
        generate(conn, generator.FEWEST, project=f"filling {made}")
    return made
