"""The asynchronous client: one method for each operation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from taisce_pg import __version__, errors
from taisce_pg.client import calls, session
from taisce_pg.client.aanswering import AsyncAnswering
from taisce_pg.client.aassuring import AsyncAssuring
from taisce_pg.client.aerasing import AsyncErasing
from taisce_pg.client.ainspecting import AsyncInspecting
from taisce_pg.client.arecalling import AsyncRecalling
from taisce_pg.client.asearching import AsyncSearching
from taisce_pg.client.awriting import AsyncWriting
from taisce_pg.client.querying import AsyncQuerying
from taisce_pg.client.questions import Questions
from taisce_pg.halt import Halt

if TYPE_CHECKING:
    from taisce_pg.embed.port import Embedder, Vector

_Given = TypeVar("_Given")


class Connection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A connection that remembers the statement time-out its role was given, in ms."""

    limit: int = 0

    @classmethod
    async def connect(  # type: ignore[override]
        cls, conninfo: str = "", *, first: list[Self] | None = None, **options: Any
    ) -> Self:
        """Connect, or take the connection that `open` made to see that a server is there."""
        return first.pop() if first else await super().connect(conninfo, **options)


class AsyncMemory(
    AsyncRecalling,
    AsyncInspecting,
    AsyncAssuring,
    AsyncSearching,
    AsyncQuerying,
    AsyncWriting,
    AsyncErasing,
    AsyncAnswering,
):
    """A memory to ask from one event loop; safe to share between its tasks.

    Cancelling a task cancels its statement and frees its connection.

    >>> async def ask() -> str:
    ...     async with await aconnect() as memory:
    ...         bundle = await memory.recall("Where does Marta work?", project="demo")
    ...         return bundle.render()
    """

    def __init__(
        self,
        dsn: str = "",
        *,
        project: str | None = None,
        deadline: float = session.DEADLINE,
        max_connections: int = session.MAX_CONNECTIONS,
        prepare: bool = True,
        analyst_dsn: str | None = None,
        embedder: Embedder | str | None = None,
        embedder_seconds: float = session.EMBEDDER_SECONDS,
    ) -> None:
        """Describe the connections; `open()` or `async with` makes the first one.

        `dsn` is a libpq connection string (default: the PG* variables). `project` is the
        default of every call. `deadline` is in seconds, for the wait for a connection and
        the statement together. `prepare` is to be False behind a pooler that cannot
        prepare statements. `analyst_dsn` is the login of `query` (default: TAISCE_ANALYST_DSN).
        `embedder` makes vectors of questions: an object, "local", "http", "none", by default what
        TAISCE_EMBEDDER says. It is waited for `embedder_seconds`, and never more than half of
        what a call has left; without it words answer, and `degraded` says so.
        """
        self.project = project
        self.deadline = deadline
        self._dsn = dsn
        self._analyst_dsn = analyst_dsn
        self._questions = Questions(embedder, embedder_seconds)
        self._options = session.connection_options(dsn, prepare)
        self._first: list[Connection] = []
        self._pool = AsyncConnectionPool(
            dsn,
            connection_class=Connection,
            kwargs={**self._options, "first": self._first},
            min_size=1,
            max_size=max_connections,
            configure=_learn_limit,
            open=False,
        )

    async def open(self) -> Self:
        """Open the pool; raise psycopg's own error at once if the server refuses."""
        if self._pool.closed:
            try:
                # The pool retries in the background, which would make a wrong password a wait.
                self._first.append(await Connection.connect(self._dsn, **self._options))
                # A pool that has no connection yet would make two for the first call.
                await self._pool.open(wait=True, timeout=self.deadline)
            finally:
                while self._first:
                    await self._first.pop().close()
        return self

    async def close(self) -> None:
        """Close every connection."""
        await self._close_query_login()
        await self._pool.close()

    async def __aenter__(self) -> Self:
        """Open the pool if it is not open yet."""
        return await self.open() if self._pool.closed else self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection."""
        await self.close()

    async def ready(self, seconds: float = 1.0) -> bool:
        """Say within `seconds` whether a memory that this package knows answers."""
        call = calls.Call(session.READY, {"version": __version__})
        try:
            return await self._run([call], session.Deadline(seconds)) == [b"t"]
        except (psycopg.Error, errors.TaisceError, session.LostError):
            return False

    async def _away(self, work: Callable[[Halt], _Given]) -> _Given:
        """Do work that keeps a thread busy, in one of its own, which a cancelled call stops."""
        halt = Halt()
        try:
            return await asyncio.to_thread(work, halt)
        except asyncio.CancelledError:
            halt.ask()
            raise

    async def _drain(self) -> None:
        """Have the pool make its connections anew."""
        await self._pool.drain()

    async def _wait(self, vectors: Future[list[Vector]], seconds: float) -> list[Vector]:
        """Wait for vectors that are being made; raise TimeoutError when they are late."""
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(vectors)

    async def _run(self, batch: Sequence[calls.Call], deadline: session.Deadline) -> list[Any]:
        """Set the time-out and run statements in one round trip and one transaction.

        Answers up to the first statement that fails, whose error is the last of them.
        """
        writes = any(call.writes for call in batch)
        try:
            waiting = self._pool.connection(timeout=deadline.left())
            async with waiting as conn:
                sent = False
                cursors: list[psycopg.AsyncCursor[Any]] = []
                try:
                    if writes:
                        # Nobody would know what became of it: so see first that it can be sent.
                        await conn.execute(session.ALIVE)
                    try:
                        async with conn.pipeline():
                            sent = writes
                            limit = deadline.milliseconds(conn.limit)
                            cursors.append(await conn.execute(session.SET_LIMIT, [limit]))
                            for call in batch:
                                cursors.append(await conn.execute(call.query, call.parameters))
                    except psycopg.Error as exc:
                        if conn.broken or conn.closed or exc.sqlstate is None:
                            raise
                        return session.until_failed(batch, cursors, exc)
                    return session.until_failed(batch, cursors)
                except (psycopg.OperationalError, psycopg.InterfaceError) as exc:
                    if (conn.broken or conn.closed) and not sent:
                        raise session.LostError(exc) from exc
                    raise
        except PoolTimeout as exc:
            raise deadline.no_connection() from exc


async def aconnect(dsn: str | None = None, **options: Any) -> AsyncMemory:
    """Open a memory: `dsn`, else TAISCE_DSN, else PG*, else the embedded server.

    The options are those of `AsyncMemory`. Close it, or use it in an `async with` statement.
    """
    from taisce_pg.connection import resolve_dsn

    target = await asyncio.to_thread(resolve_dsn, dsn)
    memory = AsyncMemory(target.dsn, **options)
    memory._target = target
    return await memory.open()


async def _learn_limit(conn: Connection) -> None:
    cursor = await conn.execute(session.LIMIT, prepare=False)
    [(conn.limit,)] = await cursor.fetchall()
