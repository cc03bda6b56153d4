"""One run of a query, as a conversation: what is sent, and what is made of the replies.

Pure: it yields steps, and a driver (execute.py) sends them, blocking or not. The text of the
query is sent as it was written, in one prepared DECLARE, and read by one FETCH: that is one
statement of the server with one time-out, so a query cannot lift it for its own next part.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg import sql as compose

from taisce_pg import errors
from taisce_pg.sandbox import values
from taisce_pg.sandbox.check import Checked, Tier, check
from taisce_pg.sandbox.refusal import Refusal
from taisce_pg.sandbox.result import (
    Nomination,
    QueryColumn,
    QueryError,
    QueryGrain,
    QueryLimits,
    QueryPlan,
    QueryResult,
)
from taisce_pg.sandbox.scrub import TIME_CODES, from_refusal, scrub, timeout
from taisce_pg.sandbox.text import begun

GRACE = 0.5
"""Seconds the server has to notice its own time-out before the client cancels."""

_DECLARE = "declare answer no scroll cursor without hold for "
_EXPLAIN = "explain (format json) "
_SEARCHES = ("lexical_", "semantic_")
_NOTED = "taisce.nominated_"
_HISTORIES = frozenset({
    "changes", "claims_history", "facts_history", "graph_edges_history", "identity_events",
})  # fmt: skip
_SETTINGS = """\
set local search_path = pg_catalog, pg_temp
set local client_encoding = 'UTF8'
set local standard_conforming_strings = on
set local row_security = on
set local lock_timeout = '250ms'
set local idle_in_transaction_session_timeout = '5s'
set local max_parallel_workers_per_gather = 0
set local jit = off
set local timezone = 'UTC'
set local datestyle = 'ISO, YMD'
set local intervalstyle = 'postgres'
set local bytea_output = 'hex'
set local extra_float_digits = 1
set local xmloption = 'content'
set local default_text_search_config = 'pg_catalog.english'""".splitlines()


@dataclass(frozen=True)
class Query:
    """A query to run, and what its caller asked for; None leaves a limit to the tier."""

    sql: str
    parameters: Sequence[object] = ()
    project: str | None = None
    tier: Tier = "interactive"
    seconds: float | None = None
    rows: int | None = None
    bytes: int | None = None


@dataclass(frozen=True)
class Send:
    """Statements without an answer, in one go."""

    statements: list[str]


@dataclass(frozen=True)
class Ask:
    """One statement and the rows it gives, as bytes; prepared, unless it is all `ours`."""

    statement: str
    parameters: Sequence[object] = ()
    ours: bool = False


@dataclass
class Answer:
    """Rows of an `Ask`, and its columns as (name, type oid)."""

    rows: list[tuple[bytes | None, ...]]
    columns: list[tuple[str, int]]


@dataclass
class Stream:
    """A statement whose rows are taken one by one until `take` says that it is enough.

    `rows` and `most` are the limits of rows and of bytes.
    """

    statement: str
    rows: int
    most: int
    converters: list[values.Converter]
    taken: list[tuple[Any, ...]] = field(default_factory=list)
    size: int = 0
    cut: Any = None

    def take(self, row: tuple[bytes | None, ...]) -> bool:
        """Keep a row if it fits; False to stop the statement."""
        if len(self.taken) >= self.rows:
            self.cut = "rows"
            return True  # It was the last one asked for.
        size = sum(len(value) for value in row if value is not None)
        if self.size + size > self.most:
            self.cut = "bytes"
            return False
        self.size += size
        self.taken.append(tuple(values.convert(row, self.converters)))
        return True


@dataclass(frozen=True)
class Embed:
    """Texts to make vectors of; the reply has one vector for each. `seconds` is the time left."""

    texts: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Model:
    """The model of the caller's embedder: its name and the length of its vectors, if known."""

    name: str
    dimensions: int | None


Statement = Send | Ask | Stream
Step = Statement | Embed
Talk = Generator[Step, Any, QueryResult]
PlanTalk = Generator[Step, Any, QueryPlan]


class Clock:
    """How long a run has been going on, and how long it may."""

    def __init__(self) -> None:
        """Start now, without an end."""
        self.started = self.begun = time.monotonic()
        self.end: float | None = None

    def begin(self) -> None:
        """Count the limit from now on: waiting for a connection takes nothing off it."""
        self.begun = time.monotonic()

    def limit(self, seconds: float) -> None:
        """Set the end, counted from `begin`."""
        self.end = self.begun + seconds

    def left(self) -> int:
        """Return the milliseconds left, at least 1."""
        assert self.end is not None
        return max(1, int((self.end - time.monotonic()) * 1000))

    @property
    def over(self) -> bool:
        """Tell whether the end has passed."""
        return self.end is not None and time.monotonic() >= self.end

    def elapsed(self) -> float:
        """Return the milliseconds since the start."""
        return round((time.monotonic() - self.started) * 1000, 1)


def checked(query: Query) -> Checked | QueryError:
    """Check a query, or say why it is refused."""
    try:
        return check(query.sql, tier=query.tier, parameters=query.parameters)
    except Refusal as refusal:
        return from_refusal(refusal)


def answer(
    query: Query, good: Checked, clock: Clock, version: int, model: Model | None = None
) -> Talk:
    """Run a checked query and make its result.

    `version` is the server's, `model` that of the embedder, needed for semantic calls only.
    Errors of the query itself are in the result; others pass.
    """
    opened = yield from _open(query, good, clock, version)
    limits, told = opened
    result: dict[str, Any] = {
        **_about(good, told),
        "limits": limits,
        "warnings": tuple(told["warnings"]),
    }
    if good.semantic:
        from taisce_pg.sandbox.semantic import embedded

        yield from embedded(query, good, clock, model)
    searches = [name for name in good.helpers if name.startswith(_SEARCHES)]
    stream: Stream | None = None
    try:
        yield Send([_time(clock), *(f"set local {_NOTED}{name} = '0/0'" for name in searches)])
        yield Ask(_DECLARE + begun(query.sql), query.parameters)
        shape: Answer = yield Ask("fetch 0 from answer", ours=True)
        result["columns"] = tuple(
            QueryColumn(name=name, type=values.type_name(oid)) for name, oid in shape.columns
        )
        yield Send([_time(clock)])
        makers = [values.converter(oid) for _, oid in shape.columns]
        fetch = f"fetch forward {limits.rows + 1} from answer"
        stream = Stream(fetch, limits.rows, limits.bytes, makers)
        yield stream
        if searches and stream.cut != "bytes" and not clock.over:
            yield Send(["set local statement_timeout = 250"])
            result["nominations"] = yield from _nominations(searches)
    except psycopg.Error as exc:
        late = exc.sqlstate in TIME_CODES or clock.over
        if not exc.sqlstate and not late:
            raise
        if not (late and stream and stream.taken):
            result["error"] = timeout() if late else scrub(exc, query.sql, len(_DECLARE))
            stream = None
        else:
            stream.cut = "time"
    return QueryResult(**result, **_rows(stream), elapsed_ms=clock.elapsed())


def _nominations(searches: Sequence[str]) -> Generator[Step, Any, tuple[Nomination, ...]]:
    """Return what the searches of a query noted in the settings that were opened for them."""
    noted = []
    for name in searches:
        found: Answer = yield Ask(f"show {_NOTED}{name}", ours=True)
        nominated, confirmed = (int(count) for count in (found.rows[0][0] or b"0/0").split(b"/"))
        noted.append(
            Nomination(
                function=name,
                nominated=nominated,
                confirmed=confirmed,
                dropped=nominated - confirmed,
            )
        )
    return tuple(noted)


def plan(query: Query, good: Checked, clock: Clock, version: int) -> PlanTalk:
    """Ask how a checked query would be run; it is not run."""
    from taisce_pg.sandbox.explain import cost_class, shape

    about: dict[str, Any] = {
        "query_hash": good.query_hash,
        "views": good.views,
        "functions": _functions(good),
    }
    yield from _open(query, good, clock, version)
    try:
        yield Send([_time(clock)])
        found: Answer = yield Ask(_EXPLAIN + begun(query.sql), query.parameters)
    except psycopg.Error as exc:
        if not exc.sqlstate and not clock.over:
            raise
        return QueryPlan(**about, error=scrub(exc, query.sql, len(_EXPLAIN)))
    top = json.loads(found.rows[0][0] or b"[]")[0]["Plan"]
    return QueryPlan(**about, cost_class=cost_class(top), shape=tuple(shape(top)))


def refused(error: QueryError, clock: Clock) -> QueryResult:
    """Return the result of a query that never reached the server."""
    return QueryResult(query_hash=None, error=error, elapsed_ms=clock.elapsed())


def _open(
    query: Query, good: Checked, clock: Clock, version: int
) -> Generator[Step, Any, tuple[QueryLimits, dict[str, Any]]]:
    """Begin the transaction, set every limit, and learn those of the tier."""
    project = compose.SQL("default")
    chosen: compose.Composable = (
        project if query.project is None else compose.Literal(query.project)
    )
    yield Send([
        "begin isolation level repeatable read read only",
        "set local statement_timeout = '5s'",
        *_SETTINGS,
        compose.SQL("set local taisce.project to {}").format(chosen).as_string(),
    ])  # fmt: skip
    with errors.translated():
        found: Answer = yield Ask(
            "select memory_v1.begin_query($1::text, $2::text[])", [query.tier, list(good.views)]
        )
    told = json.loads(found.rows[0][0] or b"{}")
    limits = _limits(query, told)
    clock.limit(limits.seconds)
    schemas = ["memory_v1", "pg_catalog", told["vector_schema"] or "pg_catalog", "pg_temp"]
    path = ", ".join(compose.Identifier(name).as_string() for name in dict.fromkeys(schemas))
    statements = [
        f"set local search_path = {path}",
        f"set local work_mem = '{int(told['work_mem_mb'])}MB'",
    ]
    if version >= 170000:
        whole = int((limits.seconds + GRACE) * 1000)
        statements.append(f"set local transaction_timeout = {whole}")
    yield Send(statements)
    return limits, told


def _limits(query: Query, told: dict[str, Any]) -> QueryLimits:
    chosen: dict[str, Any] = {"tier": told["tier"]}
    for name in ("seconds", "rows", "bytes"):
        most = told["most"][name]
        value = getattr(query, name)
        if value is not None and not 0 < value <= most:
            raise errors.InvalidArgument(
                f"{name}: from 1 to {most:g} in the tier {told['tier']}, {value:g} given"
                if name != "bytes"
                else f"bytes: from 1 to {most} in the tier {told['tier']}, {value} given",
                "Ask for less, or leave it out.",
            )
        chosen[name] = told[name] if value is None else value
    return QueryLimits(**chosen)


def _time(clock: Clock) -> str:
    return f"set local statement_timeout = {clock.left()}"


def _functions(good: Checked) -> tuple[str, ...]:
    return tuple(sorted({*good.helpers, *good.functions}))


def _about(good: Checked, told: dict[str, Any]) -> dict[str, Any]:
    single = not (_HISTORIES & set(good.views)) and not good.helpers
    return {
        "query_hash": good.query_hash,
        "ordered": good.ordered,
        "views": good.views,
        "functions": _functions(good),
        "grains": tuple(
            QueryGrain(view=view, grain=grain)
            for view, grain in sorted(told["grains"].items())
            if grain
        ),
        "evaluated_at": told["begun_at"] if single and good.views else None,
    }


def _rows(stream: Stream | None) -> dict[str, Any]:
    if stream is None:
        return {}
    return {
        "rows": tuple(stream.taken),
        "returned_rows": len(stream.taken),
        "returned_bytes": stream.size,
        "truncated": stream.cut is not None,
        "truncation_reason": stream.cut,
    }
