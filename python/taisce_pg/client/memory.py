"""The blocking client: one method for each operation."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from taisce_pg import __version__, errors
from taisce_pg.client import calls, session
from taisce_pg.client.assuring import Assuring
from taisce_pg.client.erasing import Erasing
from taisce_pg.client.inspecting import Inspecting
from taisce_pg.client.models import Bundle
from taisce_pg.client.querying import Querying
from taisce_pg.client.questions import Questions, degraded, why
from taisce_pg.client.searching import Searching
from taisce_pg.client.vectors import ActiveModel, Generation
from taisce_pg.client.writing import Writing

if TYPE_CHECKING:
    from taisce_pg.embed.port import Embedder, Vector

_LOG = logging.getLogger("taisce_pg.embed")
_Given = TypeVar("_Given")


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that remembers the statement time-out its role was given, in ms."""

    limit: int = 0


class Memory(Inspecting, Assuring, Searching, Querying, Writing, Erasing):
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
        self._pool = ConnectionPool(
            dsn,
            connection_class=Connection,
            kwargs=self._options,
            min_size=1,
            max_size=max_connections,
            configure=_learn_limit,
            open=False,
        )

    def open(self) -> Self:
        """Open the pool; raise psycopg's own error at once if the server refuses."""
        # The pool retries in the background, which would turn a wrong password into a wait.
        psycopg.connect(self._dsn, **self._options).close()
        self._pool.open()
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

    def recall(
        self,
        question: str,
        *,
        project: str | None = None,
        data_subject_id: str | None = None,
        max_characters: int | None = None,
        source_roles: Iterable[str] | None = None,
        hops: int | None = None,
        surfaces: Iterable[str] | None = None,
        themes: bool | None = None,
        as_of: datetime | str | None = None,
        as_known_at: datetime | str | None = None,
        evidence_per_fact: int | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> Bundle:
        """Ask a question and return the facts it reaches, each with the words behind it.

        The question has 1 to 8,192 bytes. Left out, the server's defaults rule: its budget of
        `max_characters` (code points), the project's roles, 1 hop of at most 2, all
        surfaces, one quote a fact of at most 5. Times need a zone. Raises `InvalidQuestion`,
        `InvalidRecallControls`, `UnknownProject`, `InvalidArgument`, `NoDatabaseCapacity`,
        and psycopg's own errors for time-outs, privileges and lost connections.
        """
        return self._ask("recall", Bundle, calls.given(locals()))

    def ready(self, seconds: float = 1.0) -> bool:
        """Say within `seconds` whether a memory that this package knows answers."""
        call = calls.Call(session.READY, {"version": __version__})
        try:
            return bool(self._run(call, session.Deadline(seconds)))
        except (psycopg.Error, errors.TaisceError, session.LostError):
            return False

    def _away(self, work: Callable[[], _Given]) -> _Given:
        """Do work that keeps a thread busy, in the caller's."""
        return work()

    def _answer(self, name: str, values: dict[str, Any]) -> Any:
        """Call an operation, with the vector of its text if the client has an embedder for it."""
        call = self._call(name, values)
        deadline = session.Deadline(self.deadline)
        text = self._questions.text(name, values)
        if text is None:
            return self._read(call, deadline)
        vector, helped = self._vector(name, text, values.get("project"), deadline)
        if vector is None:
            answer = self._read(call, deadline)
            return answer if helped else degraded(answer)
        given = {"query_embedding": vector, "embedding_model": self._questions.identity}
        try:
            return self._read(self._call(name, {**values, **given}), deadline)
        except errors.EmbeddingMismatch:
            # Another model was made the active one in between, or is that of another space.
            return degraded(self._read(call, deadline))

    def _vector(
        self, name: str, text: str, project: str | None, deadline: session.Deadline
    ) -> tuple[Vector | None, bool]:
        """Return the vector of a question, and False if there should be one and is none.

        A text goes to the embedder only if the database says that its model is the active one.
        """
        asked = {} if project is None else {"project": project}
        active = self._read(self._call("active_model", dict(asked)), deadline)
        usable = self._questions.usable(name, map(ActiveModel.model_validate, active))
        if usable is False:
            found = self._read(self._call("generations", dict(asked)), deadline)
            usable = self._questions.usable_beside(name, map(Generation.model_validate, found))
        if not usable:
            return None, usable is None
        known = self._questions.known(text)
        if known is not None:
            return known, True
        limit = self._questions.limit(deadline.left())
        try:
            return self._questions.asked(text, limit).result(limit), True
        except Exception as exc:
            _LOG.warning("answered by words: %s", why(exc))
            return None, False

    def _call(self, name: str, values: dict[str, Any]) -> calls.Call:
        if self.project is not None:
            values.setdefault("project", self.project)
        return calls.build(calls.OPERATIONS[name], values)

    def _read(self, call: calls.Call, deadline: session.Deadline) -> Any:
        """Run a call, once more if its connection turns out to be dead before it was sent."""
        with errors.translated():
            try:
                return self._run(call, deadline)
            except session.LostError as lost:
                cause = lost.cause
            self._pool.drain()
            try:
                return self._run(call, deadline)
            except session.LostError as lost:
                raise lost.cause from cause

    def _run(self, call: calls.Call, deadline: session.Deadline) -> Any:
        """Set the time-out and run the statement, in one round trip and one transaction."""
        try:
            waiting = self._pool.connection(timeout=deadline.left())
            with waiting as conn:
                sent = False
                try:
                    if call.writes:
                        # Nobody would know what became of it: so see first that it can be sent.
                        conn.execute(session.ALIVE)
                    with conn.pipeline():
                        sent = call.writes
                        limit = deadline.milliseconds(conn.limit)
                        conn.execute(session.SET_LIMIT, [limit])
                        cursor = conn.execute(call.query, call.parameters)
                        if call.many:
                            return [row[0] for row in cursor.fetchall()]
                        return session.only_value(cursor.fetchone())
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
    conn.limit = session.only_value(conn.execute(session.LIMIT, prepare=False).fetchone())
