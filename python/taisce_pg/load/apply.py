"""Load lines into a project: check, copy to the stage, apply."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import psycopg
from psycopg import pq, sql
from psycopg.rows import dict_row, tuple_row

from taisce_pg.errors import TaisceError, UnknownProject, from_psycopg
from taisce_pg.load.parse import InvalidLine, Line, check_lines

CHUNK_LINES = 20_000
CHUNK_CHARACTERS = 32_000_000
VACUUM_ROWS = 10_000
VACUUMED = (
    "observation",
    "message",
    "claim",
    "entity",
    "entity_name",
    "entity_mention",
    "fact",
    "fact_version",
    "fact_evidence",
    "word_document",
    "posting",
)
_COPY = "copy memory_v1.load_stage (line, body) from stdin"
_LOAD = "select * from memory_v1.load(project => %s)"
_PLACE = re.compile(r"line (\d+)(?:, field ([^:]+))?: (.*)", re.DOTALL)
_NOT_COUNTS = ("project", "stored", "known_through")


@dataclass(frozen=True)
class LoadReport:
    """What a load did.

    `lines` counts lines that are not blank, `counts` new rows by kind and, as `repeated`, lines
    that changed nothing; `stored` is the last offset of the project, `known_through` its last
    knowledge stamp; `seconds` is wall time until
    the last commit.
    """

    project: str
    file: str
    lines: int
    transactions: int
    seconds: float
    counts: dict[str, int] = field(default_factory=dict)
    stored: int | None = None
    known_through: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        known = self.known_through
        return {
            "project": self.project,
            "file": self.file,
            "lines": self.lines,
            "transactions": self.transactions,
            "seconds": round(self.seconds, 3),
            **self.counts,
            "stored": self.stored,
            "known_through": known.isoformat() if known else None,
        }


class _Tally:
    """Adds up the rows that memory_v1.load returns."""

    def __init__(self, project: str) -> None:
        self.project = project
        self.lines = 0
        self.counts: dict[str, int] = {}
        self.stored: int | None = None
        self.known_through: datetime | None = None

    def add(self, row: dict[str, Any]) -> None:
        self.project = row.get("project") or self.project
        self.stored = row.get("stored")
        self.known_through = row.get("known_through")
        for name, value in row.items():
            if name not in _NOT_COUNTS and name != "lines" and isinstance(value, int):
                self.counts[name] = self.counts.get(name, 0) + value


def load_lines(
    conn: psycopg.Connection[Any],
    project: str,
    lines: Iterable[str | bytes | dict[str, Any]],
    name: str = "-",
    *,
    batch: int | None = None,
    create_project: bool = True,
    on_progress: Callable[[int], None] | None = None,
) -> LoadReport:
    """Load lines of the load format into a project.

    All is one transaction, or one for each `batch` lines; a failed transaction leaves nothing,
    the batches before it stay. On a connection that is inside a transaction already, all of it
    becomes part of that one. A missing project is made and granted to the caller if he is an
    administrator, unless `create_project` is false. `on_progress` is called with the number of
    lines applied so far. Memory does not grow with the number of lines.

    Raises `InvalidLine` with file, line, field and reason for a line that cannot be applied,
    `UnknownProject`, and psycopg's own errors for everything else.

    >>> load_lines(conn, "demo", open("demo.ndjson", "rb"), "demo.ndjson")  # doctest: +SKIP
    """
    if batch is not None and batch < 1:
        raise ValueError("batch must be at least 1")
    started = time.monotonic()
    tally = _Tally(project)
    outside = conn.info.transaction_status == pq.TransactionStatus.IDLE
    chunks = _chunks(check_lines(lines, name), batch)
    transactions = 0
    ahead: _Ahead | None = None
    with (
        _explained(name),
        conn.cursor(row_factory=dict_row) as cursor,
        ThreadPoolExecutor(1, "taisce-load") as pool,
    ):
        more = True
        while more:
            with conn.transaction():
                if transactions == 0 and not create_project:
                    _require_project(conn, project)
                ends = False
                while not ends:
                    chunk = (ahead or _read(chunks)).chunk()
                    ahead = _apply(cursor, tally, chunk, chunks, pool)
                    ends, more = chunk.ends, chunk.more
                    if on_progress is not None:
                        on_progress(tally.lines)
            transactions += 1
    seconds = time.monotonic() - started
    if outside and sum(tally.counts.values()) >= VACUUM_ROWS:
        _vacuum(conn)
    return LoadReport(
        tally.project,
        name,
        tally.lines,
        transactions,
        seconds,
        tally.counts,
        tally.stored,
        tally.known_through,
    )


class _Chunk(NamedTuple):
    """Lines applied by one call: does the transaction end with them, and do more follow?"""

    lines: list[Line]
    ends: bool
    more: bool


class _Ahead(NamedTuple):
    """A chunk that was read early, or the complaint that came instead."""

    read: _Chunk | Exception

    def chunk(self) -> _Chunk:
        """Return the chunk, now that it is its turn. Raises the complaint."""
        if isinstance(self.read, Exception):
            raise self.read
        return self.read


def _chunks(checked: Iterator[Line], batch: int | None) -> Iterator[_Chunk]:
    """Cut lines into chunks and batches; a file without lines is one empty chunk."""
    lines: list[Line] = []
    characters = done = 0
    while True:
        full = batch is not None and done >= batch
        try:
            line = next(checked, None)
        except InvalidLine:
            # The batch before a broken line is whole.
            if full:
                yield _Chunk(lines, True, True)
            raise
        if line is None:
            yield _Chunk(lines, True, False)
            return
        size = len(line.text)
        if full or len(lines) >= CHUNK_LINES or (lines and characters + size > CHUNK_CHARACTERS):
            yield _Chunk(lines, full, True)
            lines, characters = [], 0
            done = 0 if full else done
        lines.append(line)
        characters += size
        done += 1


def _read(chunks: Iterator[_Chunk]) -> _Ahead:
    try:
        return _Ahead(next(chunks))
    except Exception as exc:
        return _Ahead(exc)


def _apply(
    cursor: psycopg.Cursor[Any],
    tally: _Tally,
    chunk: _Chunk,
    chunks: Iterator[_Chunk],
    pool: ThreadPoolExecutor,
) -> _Ahead | None:
    """Apply a chunk; meanwhile read the next one and return it, if there is one."""
    with cursor.copy(_COPY) as copy:
        for line in chunk.lines:
            copy.write_row((line.number, line.text))
    ahead = None
    if chunk.more:
        applied = pool.submit(cursor.execute, _LOAD, (tally.project,))
        try:
            ahead = _read(chunks)
            applied.result()
        except BaseException:
            if not applied.done():
                cursor.connection.cancel_safe()
                wait((applied,))
            raise
    else:
        cursor.execute(_LOAD, (tally.project,))
    row = cursor.fetchone()
    if row is not None:
        tally.add(row)
    tally.lines += len(chunk.lines)
    return ahead


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn an error of the server into one that names file, line and field."""
    try:
        yield
    except psycopg.Error as exc:
        known = from_psycopg(exc)
        if known is not exc:
            raise _placed(known, name) from None
        if isinstance(exc, psycopg.DataError) and "COPY load_stage" in (exc.diag.context or ""):
            # The server's own message would repeat the line.
            raise InvalidLine(
                name, None, None, "holds a value that the server cannot read"
            ) from None
        raise


def _placed(known: BaseException, name: str) -> BaseException:
    if not isinstance(known, TaisceError) or isinstance(known, UnknownProject):
        return known
    match = _PLACE.fullmatch(known.detail or "")
    if known.code == InvalidLine.code:
        if match is None:
            return InvalidLine(name, None, None, known.detail or known.message, known.hint)
        return InvalidLine(name, int(match[1]), match[2], match[3], known.hint)
    if match is not None:
        known.detail = f"{name}, {known.detail}"
    return known


def _require_project(conn: psycopg.Connection[Any], project: str) -> None:
    with conn.cursor(row_factory=tuple_row) as cursor:
        found = cursor.execute("select name from memory_v1.list_projects()").fetchall()
    if (project,) not in found:
        raise UnknownProject(
            "no project of that name is granted to the caller",
            "Make it with: taisce-pg project create NAME",
        )


def _vacuum(conn: psycopg.Connection[Any]) -> None:
    """Make index-only reads work at once, where the caller may; autovacuum does it otherwise."""
    autocommit = conn.autocommit
    conn.autocommit = True
    try:
        for table in VACUUMED:
            conn.execute(sql.SQL("vacuum (analyze) taisce.{}").format(sql.Identifier(table)))
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.OperationalError):
        return
    finally:
        if not conn.closed:
            conn.autocommit = autocommit
