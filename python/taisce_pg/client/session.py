"""What the blocking and the asynchronous client share about connections and deadlines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import psycopg

from taisce_pg import errors
from taisce_pg.client.calls import Call

DEADLINE = 30.0
"""Seconds that a call may take, waiting for a connection included."""

MAX_CONNECTIONS = 8

TOGETHER = 64
"""Questions of one pipeline and one transaction; more are sent when these are answered."""

EMBEDDER_SECONDS = 5.0
"""How long a client waits for its embedder."""

LIMIT = b"select setting::int8 from pg_catalog.pg_settings where name = 'statement_timeout'"
SET_LIMIT = b"select pg_catalog.set_config('statement_timeout', %s::text, true)"
ALIVE = b"select 1"
READY = b"select memory_v1.ready(package_version => %(version)s::text)"

CONNECTION: dict[str, Any] = {
    "autocommit": True,
    "client_encoding": "utf8",
    "fallback_application_name": "taisce-pg",
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Defaults of a connection; a dead network ends a call at about the deadline."""


class Deadline:
    """The instant by which a call has to be done."""

    def __init__(self, seconds: float) -> None:
        """Start counting now."""
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left, or raise `NoDatabaseCapacity` if none are."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise self.no_connection()
        return seconds

    def milliseconds(self, limit: int) -> int:
        """Return the statement time-out: what is left, or the server's own limit if shorter.

        A limit of 0 is none.
        """
        left = max(1, int(self.left() * 1000))
        return min(left, limit) if limit else left

    def no_connection(self) -> errors.NoDatabaseCapacity:
        """Make the error of a call that got no connection in time."""
        return errors.NoDatabaseCapacity(
            f"no connection became free within {self.seconds:g} s",
            "Try again, allow more connections, or give the call a longer deadline.",
        )


def connection_options(dsn: str, prepare: bool) -> dict[str, Any]:
    """Return the connection defaults that the connection string does not set itself."""
    chosen = psycopg.conninfo.conninfo_to_dict(dsn)
    options = {name: value for name, value in CONNECTION.items() if name not in chosen}
    return {**options, "prepare_threshold": 0 if prepare else None}


class LostError(Exception):
    """A connection was found dead before it answered."""

    def __init__(self, cause: psycopg.Error) -> None:
        """Keep psycopg's error."""
        super().__init__()
        self.cause = cause


def until_failed(
    batch: Sequence[Call],
    cursors: Sequence[psycopg.Cursor[Any]] | Sequence[psycopg.AsyncCursor[Any]],
    failure: psycopg.Error | None = None,
) -> list[Any]:
    """Return the answers of a pipeline up to the statement that failed, and then its error.

    Answers stay JSON as it was sent: models read it faster than Python's own values. The first
    cursor is of the time-out. Raises the error if that is what failed.
    """
    done = [cursor for cursor in cursors if cursor.pgresult is not None]
    if not done and failure is not None:
        raise failure
    answers = [_answer(call, cursor) for call, cursor in zip(batch, done[1:], strict=False)]
    if failure is not None:
        answers.append(errors.from_psycopg(failure))
        if answers[-1] is not failure:
            answers[-1].__cause__ = failure
    return answers


def _answer(call: Call, cursor: psycopg.Cursor[Any] | psycopg.AsyncCursor[Any]) -> Any:
    result = cursor.pgresult
    assert result is not None
    values = [result.get_value(row, 0) for row in range(result.ntuples)]
    if call.many:
        return values
    if values[:1] in ([], [None]):
        return psycopg.InternalError("the function returned nothing")
    return values[0]
