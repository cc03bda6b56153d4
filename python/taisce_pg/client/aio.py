"""The asynchronous client: one method for each operation."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from taisce_pg import __version__, errors
from taisce_pg.client import calls, session
from taisce_pg.client.aassuring import AsyncAssuring
from taisce_pg.client.aerasing import AsyncErasing
from taisce_pg.client.ainspecting import AsyncInspecting
from taisce_pg.client.asearching import AsyncSearching
from taisce_pg.client.awriting import AsyncWriting
from taisce_pg.client.models import Bundle
from taisce_pg.client.querying import AsyncQuerying
from taisce_pg.client.questions import Questions, degraded, why
from taisce_pg.client.vectors import ActiveModel, Generation
from taisce_pg.halt import Halt

if TYPE_CHECKING:
    from taisce_pg.embed.port import Embedder, Vector

_LOG = logging.getLogger("taisce_pg.embed")
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
    AsyncInspecting, AsyncAssuring, AsyncSearching, AsyncQuerying, AsyncWriting, AsyncErasing
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

    async def recall(
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
        return await self._ask("recall", Bundle, calls.given(locals()))

    async def recall_many(
        self,
        questions: Iterable[str],
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
    ) -> tuple[Bundle | errors.TaisceError | psycopg.Error, ...]:
        """Ask questions with the same controls in one pipeline; answers in their order.

        The error of a question stands in its place, and the others are answered all the same.
        Each question has the time that a call of `recall` has. Raises what is no question's own:
        `NoDatabaseCapacity`, and psycopg's errors for lost connections.
        """
        asked = calls.each_question(calls.given(locals()))
        answers: list[Bundle | errors.TaisceError | psycopg.Error] = []
        for start in range(0, len(asked), session.TOGETHER):
            part = await self._answers("recall", asked[start : start + session.TOGETHER])
            answers.extend(
                Bundle.model_validate_json(one) if isinstance(one, bytes) else one for one in part
            )
        return tuple(answers)

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

    async def _answer(self, name: str, values: dict[str, Any]) -> Any:
        """Call an operation, with the vector of its text if the client has an embedder for it."""
        [answer] = await self._answers(name, [values])
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _answers(self, name: str, batch: Sequence[dict[str, Any]]) -> list[Any]:
        """Call an operation for each of a batch in one pipeline; an error stands in its place.

        What is not of one call but of the connection is raised.
        """
        deadline = session.Deadline(self.deadline)
        texts = [self._questions.text(name, values) for values in batch]
        asked = [text for text in texts if text is not None]
        if not asked:
            return await self._read([self._call(name, values) for values in batch], deadline)
        vectors, helped = await self._vectors(name, asked, batch[0].get("project"), deadline)
        model = self._questions.identity
        answers = await self._read(
            [
                self._call(
                    name,
                    {**values, "query_embedding": vectors[text], "embedding_model": model}
                    if text in vectors
                    else values,
                )
                for text, values in zip(texts, batch, strict=True)
            ],
            deadline,
        )
        # Another model was made the active one in between, or is that of another space.
        again = [n for n, one in enumerate(answers) if isinstance(one, errors.EmbeddingMismatch)]
        plain = (
            await self._read([self._call(name, batch[n]) for n in again], deadline) if again else []
        )
        for n, one in zip(again, plain, strict=True):
            answers[n] = one
        for n, text in enumerate(texts):
            if n in again or not (helped or text is None or text in vectors):
                answers[n] = degraded(answers[n])
        return answers

    async def _vectors(
        self, name: str, texts: list[str], project: str | None, deadline: session.Deadline
    ) -> tuple[dict[str | None, Vector], bool]:
        """Return the vectors of questions, and False if there should be more than there are.

        A text goes to the embedder only if the database says that its model is the active one.
        """
        asked = {} if project is None else {"project": project}
        active = await self._one("active_model", dict(asked), deadline)
        usable = self._questions.usable(name, map(ActiveModel.model_validate_json, active))
        if usable is False:
            found = await self._one("generations", dict(asked), deadline)
            usable = self._questions.usable_beside(name, map(Generation.model_validate_json, found))
        if not usable:
            return {}, usable is None
        vectors, new = self._questions.known_of(texts)
        if new:
            limit = self._questions.limit(deadline.left())
            try:
                futures = self._questions.asked_together(new, limit)
                async with asyncio.timeout(limit):
                    for text, future in zip(new, futures, strict=True):
                        vectors[text] = await asyncio.wrap_future(future)
            except Exception as exc:
                _LOG.warning("answered by words: %s", why(exc))
                return vectors, False
        return vectors, True

    async def _one(self, name: str, values: dict[str, Any], deadline: session.Deadline) -> Any:
        """Call an operation without a vector."""
        [answer] = await self._read([self._call(name, values)], deadline)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _call(self, name: str, values: dict[str, Any]) -> calls.Call | errors.TaisceError:
        """Make the statement of a call, or the error of one that is none."""
        if self.project is not None:
            values.setdefault("project", self.project)
        try:
            return calls.build(calls.OPERATIONS[name], values)
        except errors.TaisceError as refused:
            return refused

    async def _read(
        self, batch: Sequence[calls.Call | errors.TaisceError], deadline: session.Deadline
    ) -> list[Any]:
        """Run calls, once more if their connection turns out to be dead before it was sent."""
        answers: list[Any] = list(batch)
        while left := [n for n, one in enumerate(answers) if isinstance(one, calls.Call)]:
            waiting = [answers[n] for n in left]
            try:
                got = await self._run(waiting, deadline)
            except session.LostError as lost:
                await self._pool.drain()
                try:
                    got = await self._run(waiting, deadline)
                except session.LostError as again:
                    raise again.cause from lost.cause
            for n, one in zip(left, got, strict=False):
                answers[n] = one
            # What is left has its own time.
            deadline = session.Deadline(deadline.seconds)
        return answers

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
