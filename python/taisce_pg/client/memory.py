"""The blocking client: one method for each operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from taisce_pg import __version__, errors
from taisce_pg.client import calls, session
from taisce_pg.client.answering import Answering
from taisce_pg.client.assuring import Assuring
from taisce_pg.client.erasing import Erasing
from taisce_pg.client.inspecting import Inspecting
from taisce_pg.client.querying import Querying
from taisce_pg.client.questions import Questions
from taisce_pg.client.recalling import Recalling
from taisce_pg.client.searching import Searching
from taisce_pg.client.writing import Writing
from taisce_pg.halt import Halt

if TYPE_CHECKING:
    from taisce_pg.embed.port import Embedder, Vector

_Given = TypeVar("_Given")


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that remembers the statement time-out its role was given, in ms."""

    limit: int = 0

    @classmethod
    def connect(  # type: ignore[override]
        cls, conninfo: str = "", *, first: list[Self] | None = None, **options: Any
    ) -> Self:
        """Connect, or take the connection that `open` made to see that a server is there."""
        return first.pop() if first else super().connect(conninfo, **options)


class Memory(
    Recalling,
    Inspecting,
    Assuring,
    Searching,
    Querying,
    Writing,
    Erasing,
    Answering,
):
    """A memory to ask; safe to share between threads.

    >>> with connect() as memory:  # doctest: +SKIP
    ...     bundle = memory.recall("Where does Marta work?", project="demo")
    ...     print(bundle.render())
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
        """Describe the connections; `open()` or `with` makes the first one.

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
        self._pool = ConnectionPool(
            dsn,
            connection_class=Connection,
            kwargs={**self._options, "first": self._first},
            min_size=1,
            max_size=max_connections,
            configure=_learn_limit,
            open=False,
        )

    def open(self) -> Self:
        """Open the pool; raise psycopg's own error at once if the server refuses."""
        if self._pool.closed:
            try:
                # The pool retries in the background, which would make a wrong password a wait.
                self._first.append(Connection.connect(self._dsn, **self._options))
                # A pool that has no connection yet would make two for the first call.
                self._pool.open(wait=True, timeout=self.deadline)
            finally:
                while self._first:
                    self._first.pop().close()
        return self

    def close(self) -> None:
        """Close every connection."""
        self._close_query_login()
        self._pool.close()

    def __enter__(self) -> Self:
        """Open the pool if it is not open yet."""
        return self.open() if self._pool.closed else self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection."""
        self.close()

    def ready(self, seconds: float = 1.0) -> bool:
        """Say within `seconds` whether a memory that this package knows answers."""
        call = calls.Call(session.READY, {"version": __version__})
        try:
            return self._run([call], session.Deadline(seconds)) == [b"t"]
        except (psycopg.Error, errors.TaisceError, session.LostError):
            return False

    def _away(self, work: Callable[[Halt], _Given]) -> _Given:
        """Do work that keeps a thread busy, in the caller's."""
        return work(Halt())

    def _drain(self) -> None:
        """Have the pool make its connections anew."""
        self._pool.drain()

    def _wait(self, vectors: Future[list[Vector]], seconds: float) -> list[Vector]:
        """Wait for vectors that are being made; raise TimeoutError when they are late."""
        return vectors.result(seconds)

    def _run(self, batch: Sequence[calls.Call], deadline: session.Deadline) -> list[Any]:
        """Set the time-out and run statements in one round trip and one transaction.

        Answers up to the first statement that fails, whose error is the last of them.
        """
        writes = any(call.writes for call in batch)
        try:
            waiting = self._pool.connection(timeout=deadline.left())
            with waiting as conn:
                sent = False
                cursors: list[psycopg.Cursor[Any]] = []
                try:
                    if writes:
                        # Nobody would know what became of it: so see first that it can be sent.
                        conn.execute(session.ALIVE)
                    try:
                        with conn.pipeline():
                            sent = writes
                            limit = deadline.milliseconds(conn.limit)
                            cursors.append(conn.execute(session.SET_LIMIT, [limit]))
                            for call in batch:
                                cursors.append(conn.execute(call.query, call.parameters))
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


def connect(dsn: str | None = None, **options: Any) -> Memory:
    """Open a memory: `dsn`, else TAISCE_DSN, else PG*, else the embedded server.

    The options are those of `Memory`. Close it, or use it in a `with` statement.
    """
    from taisce_pg.connection import resolve_dsn

    target = resolve_dsn(dsn)
    memory = Memory(target.dsn, **options)
    memory._target = target
    return memory.open()


def _learn_limit(conn: Connection) -> None:
    [(conn.limit,)] = conn.execute(session.LIMIT, prepare=False).fetchall()
