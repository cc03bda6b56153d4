"""Timing and counting: interleaved runs, medians, buffers and index entries read."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg.types.string import TextLoader

Run = Callable[[], object]
_SETTLE_SECONDS = 0.5
_COUNTED = 3


@dataclass(frozen=True)
class Times:
    """Milliseconds of repeated runs."""

    median: float
    p95: float
    runs: int


@dataclass(frozen=True)
class Counts:
    """What one warm call read: shared buffers, index entries, and table rows outside an index."""

    buffers: int
    entries: int
    scanned: int

    @property
    def rows(self) -> int:
        """Return index entries and scanned rows together."""
        return self.entries + self.scanned


def plain(conn: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """Let jsonb and ranges arrive as text: no run pays for Python's parsing. Times are in UTC."""
    for name in ("jsonb", "tstzrange"):
        conn.adapters.register_loader(name, TextLoader)
    conn.row_factory = tuple_row
    conn.prepare_threshold = 0
    conn.execute("set timezone = 'UTC'")
    return conn


def interleave(runs: Mapping[str, Run], rounds: int = 15, seconds: float = 6.0) -> dict[str, Times]:
    """Time runs in turn, `rounds` times over, after two warm-up rounds.

    A run so slow that its share of `seconds` is used up sits out the later rounds; it is
    timed at least twice.
    """
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        began = time.perf_counter()
        run()
        if time.perf_counter() - began < _SETTLE_SECONDS:
            run()
    for round_number in range(rounds):
        for name, run in runs.items():
            if round_number >= 2 and sum(taken[name]) > seconds / len(runs):
                continue
            began = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - began)
    return {name: summary(values) for name, values in taken.items()}


def summary(values: list[float]) -> Times:
    """Make seconds into a median and a 95th percentile in milliseconds."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return Times(statistics.median(ordered) * 1000, p95 * 1000, len(ordered))


def count(conn: psycopg.Connection[Any], query: str, values: Mapping[str, Any]) -> Counts:
    """Count what a query reads that has run before, nested statements included.

    The least of several counts: where autovacuum has just seen a table, the next call plans
    its statements anew and reads the catalog for it.
    """
    counts = (_count_once(conn, query, values) for _ in range(_COUNTED))
    return min(counts, key=lambda counted: counted.buffers)


def processor_seconds(conn: psycopg.Connection[Any], pid: int | None = None) -> float:
    """Return seconds that a server process of this machine has run, else those of the clock.

    By default the process of the connection. What runs beside it does not count.
    """
    if conn.info.host.startswith("/"):
        try:
            stat = Path(f"/proc/{pid or conn.info.backend_pid}/schedstat").read_text()
            return int(stat.split()[0]) / 1e9
        except OSError:
            pass
    return time.perf_counter()


def _count_once(conn: psycopg.Connection[Any], query: str, values: Mapping[str, Any]) -> Counts:
    with conn.transaction():
        before = _entries(conn)
        row = conn.execute(
            f"explain (analyze, buffers, timing off, format json) {query}".encode(), values
        ).fetchone()
        after = _entries(conn)
    assert row is not None
    plan = row[0][0]["Plan"]
    return Counts(
        plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
        after[0] - before[0],
        after[1] - before[1],
    )


def _entries(conn: psycopg.Connection[Any]) -> tuple[int, int]:
    """Count index entries and scanned rows of this session's own transaction so far."""
    row = conn.execute(
        """
        select
            coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid))
                filter (where c.relkind = 'i'), 0)::bigint,
            coalesce(sum(pg_stat_get_xact_tuples_returned(c.oid))
                filter (where c.relkind = 'r'), 0)::bigint
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname in ('taisce', 'bench_reference')
          and c.relkind in ('r', 'i')
        """
    ).fetchone()
    assert row is not None
    return int(row[0]), int(row[1])
