"""Run a query of the open SQL space as the analysts' login: blocking, and asynchronous.

What is sent is decided in session.py; here it is sent. Connections are the login's own, are
never lent to anything else, and forget everything between two queries.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing, suppress
from typing import Any, TypeVar, cast

import psycopg
from psycopg import pq
from psycopg.rows import tuple_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool, PoolTimeout

from taisce_pg import errors
from taisce_pg.client.session import CONNECTION
from taisce_pg.sandbox import session
from taisce_pg.sandbox.result import QueryError, QueryPlan, QueryResult
from taisce_pg.sandbox.session import GRACE, Answer, Ask, Clock, Query, Send, Step
from taisce_pg.sandbox.values import raw_adapters
from taisce_pg.sandbox.watchdog import FIRST, Watchdog

MAX_CONNECTIONS = 2
WAIT = 5.0
"""Seconds to wait for one of the two connections."""

_Result = TypeVar("_Result", QueryResult, QueryPlan)
_Begin = Callable[[int], Generator[Step, Any, _Result]]
_FORGET = "discard all"


class Analyst:
    """The analysts' login, for blocking programs; safe to share between threads.

    `dsn` is the connection string of a login that is only a member of the analysts.
    """

    def __init__(self, dsn: str) -> None:
        """Describe the connections; the first query makes one."""
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
        return self._talk(clock, lambda version: session.answer(query, good, clock, version))

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
                try:
                    with Watchdog(conn, clock):
                        return _converse(conn, begin(conn.info.server_version))
                finally:
                    _end(conn)
        except PoolTimeout as exc:
            raise _no_connection(exc) from exc


class AsyncAnalyst:
    """The analysts' login, for one event loop; cancelling a task cancels its query.

    `dsn` is the connection string of a login that is only a member of the analysts.
    """

    def __init__(self, dsn: str) -> None:
        """Describe the connections; the first query makes one."""
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] = AsyncConnectionPool(
            dsn,
            kwargs={**_options(dsn), "cursor_factory": psycopg.AsyncRawCursor},
            min_size=0,
            max_size=MAX_CONNECTIONS,
            reset=_aforget,
            check=AsyncConnectionPool.check_connection,
            open=False,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.close()

    async def run(self, query: Query) -> QueryResult:
        """Run a query; its own faults are in the result's `error`; raises as `Analyst.run`."""
        clock = Clock()
        good = await asyncio.to_thread(session.checked, query)
        if isinstance(good, QueryError):
            return session.refused(good, clock)
        return await self._talk(clock, lambda version: session.answer(query, good, clock, version))

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
        try:
            async with self._pool.connection(timeout=WAIT) as conn:
                try:
                    return await _aconverse(conn, begin(conn.info.server_version), clock)
                finally:
                    await _aend(conn)
        except PoolTimeout as exc:
            raise _no_connection(exc) from exc


def _converse(conn: psycopg.Connection[Any], talk: Generator[Step, Any, _Result]) -> _Result:
    """Send every step and hand its answer, or its error, back to the conversation."""
    try:
        step = next(talk)
        while True:
            try:
                reply = _send(conn, step)
            except psycopg.Error as exc:
                step = talk.throw(exc)
            else:
                step = talk.send(reply)
    except StopIteration as done:
        result: _Result = done.value
        return result


def _send(conn: psycopg.Connection[Any], step: Step) -> Answer | None:
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
    conn: psycopg.AsyncConnection[Any], talk: Generator[Step, Any, _Result], clock: Clock
) -> _Result:
    try:
        step = next(talk)
        while True:
            try:
                end = clock.end or clock.started + FIRST
                async with asyncio.timeout(max(0.1, end + GRACE - time.monotonic())):
                    reply = await _asend(conn, step)
            except TimeoutError as late:
                step = talk.throw(_stopped(late))
            except psycopg.Error as exc:
                step = talk.throw(exc)
            else:
                step = talk.send(reply)
    except StopIteration as done:
        result: _Result = done.value
        return result


async def _asend(conn: psycopg.AsyncConnection[Any], step: Step) -> Answer | None:
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


def _stopped(late: TimeoutError) -> psycopg.Error:
    error = psycopg.errors.QueryCanceled("stopped by the client")
    error.__cause__ = late
    return error


def _no_connection(exc: PoolTimeout) -> errors.NoDatabaseCapacity:
    return errors.NoDatabaseCapacity(
        f"no connection of the analysts' login within {WAIT:g} s: both are in use, or it cannot "
        "connect",
        "Wait for a query to end; check the login in TAISCE_ANALYST_DSN.",
    )
