"""Run a query of the open SQL space as the analysts' login: blocking, and asynchronous.

What is sent is decided in session.py; here it is sent. Connections are the login's own, are
never lent to anything else, and forget everything between two queries.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing, suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

import psycopg
from psycopg import pq
from psycopg.rows import tuple_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool, PoolTimeout

from taisce_pg import errors
from taisce_pg.client.session import CONNECTION
from taisce_pg.problem import Problem
from taisce_pg.sandbox import session
from taisce_pg.sandbox.embedding import aembed, embed
from taisce_pg.sandbox.result import QueryError, QueryPlan, QueryResult
from taisce_pg.sandbox.session import (
    Answer,
    Ask,
    Clock,
    Embed,
    Model,
    Query,
    Send,
    Statement,
    Step,
)
from taisce_pg.sandbox.values import raw_adapters
from taisce_pg.sandbox.watchdog import CUT, AsyncWatchdog, Watchdog

if TYPE_CHECKING:
    from taisce_pg.client.questions import Questions
    from taisce_pg.sandbox.check import Checked

MAX_CONNECTIONS = 2
WAIT = 5.0
"""Seconds to wait for one of the two connections."""

STOPPING = CUT + 1.0
"""Seconds that a cancelled caller waits for the end of its query; then it ends by itself."""

_Result = TypeVar("_Result", QueryResult, QueryPlan)
_Begin = Callable[[int], Generator[Step, Any, _Result]]
_FORGET = "discard all"


class Analyst:
    """The analysts' login, for blocking programs; safe to share between threads.

    `dsn` is the connection string of a login that is only a member of the analysts, and
    `questions` has the embedder of semantic calls.
    """

    def __init__(self, dsn: str, questions: Questions | None = None) -> None:
        """Describe the connections; the first query makes one."""
        self._questions = questions
        self._pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            dsn,
            kwargs={**_options(dsn), "cursor_factory": psycopg.RawCursor},
            min_size=0,
            max_size=MAX_CONNECTIONS,
            reset=_forget,
            check=ConnectionPool.check_connection,
            open=False,
        )

    def close(self) -> None:
        """Close the connections."""
        self._pool.close()

    def run(self, query: Query) -> QueryResult:
        """Run a query; its own faults are in the result's `error`.

        Raises `Unavailable`, `RateLimited`, `Boundary`, `InvalidArgument`, `UnknownProject`,
        `NoDatabaseCapacity`, and psycopg's errors for lost connections.
        """
        clock = Clock()
        good = session.checked(query)
        if isinstance(good, QueryError):
            return session.refused(good, clock)
        model = _model(self._questions, good)
        return self._talk(clock, lambda version: session.answer(query, good, clock, version, model))

    def explain(self, query: Query) -> QueryPlan:
        """Say how a query would be run, without running it; raises as `run`."""
        clock = Clock()
        good = session.checked(query)
        if isinstance(good, QueryError):
            return QueryPlan(query_hash=None, error=good)
        return self._talk(clock, lambda version: session.plan(query, good, clock, version))

    def _talk(self, clock: Clock, begin: _Begin[_Result]) -> _Result:
        if self._pool.closed:
            with suppress(psycopg.OperationalError):
                self._pool.open()
        try:
            with self._pool.connection(timeout=WAIT) as conn:
                clock.begin()
                try:
                    with Watchdog(conn, clock):
                        return _converse(conn, begin(conn.info.server_version), self._questions)
                finally:
                    _end(conn)
        except PoolTimeout as exc:
            raise _no_connection(exc) from exc


class AsyncAnalyst:
    """The analysts' login, for one event loop; cancelling a task cancels its query.

    `dsn` is the connection string of a login that is only a member of the analysts. A query is
    the work of a task of its own, which a cancelled caller asks to stop: it cancels what runs in
    the server and gives its connection back in order, wherever the query stood just then.
    `questions` has the embedder of semantic calls.
    """

    def __init__(self, dsn: str, questions: Questions | None = None) -> None:
        """Describe the connections; the first query makes one."""
        self._questions = questions
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] = AsyncConnectionPool(
            dsn,
            kwargs={**_options(dsn), "cursor_factory": psycopg.AsyncRawCursor},
            min_size=0,
            max_size=MAX_CONNECTIONS,
            reset=_aforget,
            check=AsyncConnectionPool.check_connection,
            open=False,
        )
        self._works: dict[asyncio.Task[Any], asyncio.Event] = {}

    async def close(self) -> None:
        """Stop what still runs and close the connections."""
        for stop in self._works.values():
            stop.set()
        if self._works:
            await asyncio.wait(set(self._works), timeout=STOPPING)
        await self._pool.close()

    async def run(self, query: Query) -> QueryResult:
        """Run a query; its own faults are in the result's `error`; raises as `Analyst.run`."""
        clock = Clock()
        good = await asyncio.to_thread(session.checked, query)
        if isinstance(good, QueryError):
            return session.refused(good, clock)
        model = await asyncio.to_thread(_model, self._questions, good)
        return await self._talk(
            clock, lambda version: session.answer(query, good, clock, version, model)
        )

    async def explain(self, query: Query) -> QueryPlan:
        """Say how a query would be run, without running it; raises as `run`."""
        clock = Clock()
        good = await asyncio.to_thread(session.checked, query)
        if isinstance(good, QueryError):
            return QueryPlan(query_hash=None, error=good)
        return await self._talk(clock, lambda version: session.plan(query, good, clock, version))

    async def _talk(self, clock: Clock, begin: _Begin[_Result]) -> _Result:
        if self._pool.closed:
            await self._pool.open()
        stop = asyncio.Event()
        work = asyncio.create_task(self._work(clock, begin, stop), name="taisce-query")
        self._works[work] = stop
        work.add_done_callback(self._forget_work)
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError:
            stop.set()
            await asyncio.wait({work}, timeout=STOPPING)
            raise
        return work.result()

    async def _work(self, clock: Clock, begin: _Begin[_Result], stop: asyncio.Event) -> _Result:
        try:
            async with self._pool.connection(timeout=WAIT) as conn:
                clock.begin()
                try:
                    async with AsyncWatchdog(conn, clock, stop):
                        talk = begin(conn.info.server_version)
                        return await _aconverse(conn, talk, stop, self._questions)
                finally:
                    await _aend(conn)
        except PoolTimeout as exc:
            raise _no_connection(exc) from exc

    def _forget_work(self, work: asyncio.Task[Any]) -> None:
        del self._works[work]
        if not work.cancelled():
            work.exception()  # Whoever waited has it; of a stopped one nobody wants to know.


def _model(questions: Questions | None, good: Checked) -> Model | None:
    """Return the model for the semantic calls of a query; None if there are none."""
    if not good.semantic or questions is None:
        return None
    try:
        embedder = questions.embedder
    except Problem as problem:
        raise errors.Unavailable(str(problem), "Look at TAISCE_EMBEDDER.") from problem
    return None if embedder is None else Model(questions.identity, embedder.dimensions)


def _converse(
    conn: psycopg.Connection[Any],
    talk: Generator[Step, Any, _Result],
    questions: Questions | None = None,
) -> _Result:
    """Send every step and hand its answer, or its error, back to the conversation."""
    try:
        step = next(talk)
        while True:
            try:
                reply: Any
                if isinstance(step, Embed):
                    assert questions is not None
                    reply = embed(questions, step)
                else:
                    reply = _send(conn, step)
            except psycopg.Error as exc:
                step = talk.throw(exc)
            else:
                step = talk.send(reply)
    except StopIteration as done:
        result: _Result = done.value
        return result


def _send(conn: psycopg.Connection[Any], step: Statement) -> Answer | None:
    with conn.cursor() as cursor:
        if isinstance(step, Send):
            cursor.execute("; ".join(step.statements).encode())
        elif isinstance(step, Ask):
            # Binary asks for the extended protocol, in which several statements are refused.
            cursor.execute(step.statement.encode(), step.parameters, binary=_extended(step))
            return _answer(cursor, cursor.fetchall() if cursor.description else [])
        else:
            stream = cast("Generator[Any, None, None]", cursor.stream(step.statement.encode()))
            with closing(stream) as rows:
                for row in rows:
                    if not step.take(row):
                        break
    return None


async def _aconverse(
    conn: psycopg.AsyncConnection[Any],
    talk: Generator[Step, Any, _Result],
    stop: asyncio.Event,
    questions: Questions | None = None,
) -> _Result:
    try:
        step = next(talk)
        while True:
            if stop.is_set():
                raise psycopg.errors.QueryCanceled("stopped by the caller")
            try:
                reply: Any
                if isinstance(step, Embed):
                    assert questions is not None
                    reply = await aembed(questions, step, stop)
                else:
                    reply = await _asend(conn, step)
            except psycopg.Error as exc:
                step = talk.throw(exc)
            else:
                step = talk.send(reply)
    except StopIteration as done:
        result: _Result = done.value
        return result


async def _asend(conn: psycopg.AsyncConnection[Any], step: Statement) -> Answer | None:
    async with conn.cursor() as cursor:
        if isinstance(step, Send):
            await cursor.execute("; ".join(step.statements).encode())
        elif isinstance(step, Ask):
            await cursor.execute(step.statement.encode(), step.parameters, binary=_extended(step))
            return _answer(cursor, await cursor.fetchall() if cursor.description else [])
        else:
            stream = cast("AsyncGenerator[Any, None]", cursor.stream(step.statement.encode()))
            async with aclosing(stream) as rows:
                async for row in rows:
                    if not step.take(row):
                        break
    return None


def _answer(cursor: Any, rows: list[tuple[bytes | None, ...]]) -> Answer:
    return Answer(rows, [(column.name, column.type_code) for column in cursor.description or ()])


def _extended(step: Ask) -> bool:
    """Tell whether the binary format is needed to keep the statement in the extended protocol.

    Parameters do so too, and then results are text; what has rows in binary has them as bytes.
    """
    return not (step.parameters or step.ours)


def _options(dsn: str) -> dict[str, Any]:
    chosen = psycopg.conninfo.conninfo_to_dict(dsn)
    return {
        **{name: value for name, value in CONNECTION.items() if name not in chosen},
        "autocommit": True,
        "client_encoding": "utf8",
        "prepare_threshold": None,
        "row_factory": tuple_row,
        "context": raw_adapters(),
    }


def _end(conn: psycopg.Connection[Any]) -> None:
    """End the transaction. Closing an overfull temporary file can fail once more on the way."""
    for _ in range(2):
        if conn.closed or conn.info.transaction_status == pq.TransactionStatus.IDLE:
            return
        with suppress(psycopg.Error):
            conn.execute("rollback")


async def _aend(conn: psycopg.AsyncConnection[Any]) -> None:
    for _ in range(2):
        if conn.closed or conn.info.transaction_status == pq.TransactionStatus.IDLE:
            return
        with suppress(psycopg.Error):
            await conn.execute("rollback")


def _forget(conn: psycopg.Connection[Any]) -> None:
    conn.execute(_FORGET)


async def _aforget(conn: psycopg.AsyncConnection[Any]) -> None:
    await conn.execute(_FORGET)


def _no_connection(exc: PoolTimeout) -> errors.NoDatabaseCapacity:
    return errors.NoDatabaseCapacity(
        f"no connection of the analysts' login within {WAIT:g} s: both are in use, or it cannot "
        "connect",
        "Wait for a query to end; check the login in TAISCE_ANALYST_DSN.",
    )
