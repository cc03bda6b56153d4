"""Write a project out in the load format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
from psycopg import IsolationLevel, pq
from psycopg.rows import tuple_row

from taisce_pg.errors import translated

PARTS = (
    "project",
    "predicate",
    "observation",
    "entity",
    "claim",
    "mention",
    "fact",
    "community",
    "report",
    "segment",
    "merge",
    "key",
)
PAGE_LINES = 5_000
PAGE_CHARACTERS = 8_000_000
_PAGE = "select place, line from memory_v1.export_lines(%s, %s, %s, %s)"


def export_lines(
    conn: psycopg.Connection[Any],
    project: str | None = None,
    *,
    on_progress: Callable[[str, int], None] | None = None,
) -> Iterator[str]:
    """Yield the lines of a project, without line ends, in an order that can be loaded.

    They hold every version, offset, flag and id, so that a load into an empty project gives
    equal answers to every read. What has expired is left out, and so are vectors, saved
    queries, feedback and audit entries. All lines come from one snapshot, read in pages, so
    that memory stays flat; the connection must not be inside a transaction and is busy until
    the last line. `on_progress` is called with the part and the number of lines so far.

    Needs admin access. Raises `UnknownProject`.

    >>> for line in export_lines(conn, "demo"): print(line)  # doctest: +SKIP
    """
    if conn.info.transaction_status != pq.TransactionStatus.IDLE:
        raise ValueError("an export needs a connection outside a transaction")
    isolation, read_only = conn.isolation_level, conn.read_only
    conn.isolation_level, conn.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        with (
            translated(),
            conn.transaction(force_rollback=True),
            conn.cursor(row_factory=tuple_row) as cursor,
        ):
            done = 0
            for part in PARTS:
                after, rows = None, max(1, PAGE_LINES // 16)
                while True:
                    cursor.execute(_PAGE, (part, project, after, rows))
                    page = cursor.fetchall()
                    characters = 0
                    for _, line in page:
                        characters += len(line)
                        yield line
                    done += len(page)
                    if on_progress is not None:
                        on_progress(part, done)
                    if len(page) < rows:
                        break
                    after = page[-1][0]
                    rows = max(1, min(PAGE_LINES, 2 * rows, rows * PAGE_CHARACTERS // characters))
    finally:
        if not conn.closed:
            conn.isolation_level, conn.read_only = isolation, read_only
