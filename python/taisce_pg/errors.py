"""One exception class for each error code of the memory (SQLSTATE class TS).

Time-outs, missing privileges and lost connections keep psycopg's own classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import psycopg

_CLASS = "TS"


class TaisceError(Exception):
    """An error the memory itself reports; it never repeats the text of a question.

    `code` is the SQLSTATE, `message` the code word, `detail` the limit and the value, `hint`
    what to do, `retryable` whether the same call may succeed later.
    """

    code: str = "TS000"
    word: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        detail: str | None = None,
        hint: str | None = None,
        *,
        message: str | None = None,
        code: str | None = None,
    ) -> None:
        """Keep the parts; the word and the code default to those of the class."""
        self.message = message or self.word
        self.detail = detail
        self.hint = hint
        if code is not None:
            self.code = code
        super().__init__(self.message)

    def __str__(self) -> str:
        """Say all parts on one line."""
        text = ": ".join(part for part in (self.message, self.detail) if part)
        return f"{text} ({self.hint})" if self.hint else text

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive pickling, so that an error may cross a process boundary."""
        return _rebuild, (type(self), self.__dict__)

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        return {
            "code": self.code,
            "message": self.message,
            "detail": self.detail,
            "hint": self.hint,
            "retryable": self.retryable,
        }


def _rebuild(cls: type[TaisceError], parts: dict[str, Any]) -> TaisceError:
    error = cls.__new__(cls)
    error.__dict__.update(parts)
    error.args = (error.message,)
    return error


class InvalidQuestion(TaisceError):
    """The question is empty, too long, not text, or names too much to look up."""

    code = "TS001"
    word = "invalid_question"


class InvalidRecallControls(TaisceError):
    """A control of recall is outside what the server allows."""

    code = "TS002"
    word = "invalid_recall_controls"


class UnknownProject(TaisceError):
    """There is no such project, or it is suspended, or it is not granted to the caller."""

    code = "TS003"
    word = "unknown_project"


class NotFound(TaisceError):
    """What was asked for by id is unknown, erased, expired or another project's."""

    code = "TS004"
    word = "not_found"


class InvalidArgument(TaisceError):
    """An argument is not acceptable; the detail names it."""

    code = "TS005"
    word = "invalid_argument"


class ConflictingValue(TaisceError):
    """A value of a single-valued predicate overlaps another one in valid time."""

    code = "TS006"
    word = "conflicting_value"


class IdempotencyConflict(TaisceError):
    """An idempotency key was used before with other content."""

    code = "TS007"
    word = "idempotency_conflict"


class InvalidLoad(TaisceError):
    """A load file breaks the load format; nothing of it was stored."""

    code = "TS008"
    word = "invalid_load"


class QueryRejected(TaisceError):
    """A query of the open SQL space is not one that may run."""

    code = "TS009"
    word = "query_rejected"


class LimitExceeded(TaisceError):
    """An answer would pass a limit of the server."""

    code = "TS010"
    word = "limit_exceeded"


class EmbeddingMismatch(TaisceError):
    """A vector comes from another model than the stored ones."""

    code = "TS011"
    word = "embedding_mismatch"


class SourceChanged(TaisceError):
    """The text read in windows is no longer the one that the digest names."""

    code = "TS012"
    word = "source_changed"


class Boundary(TaisceError):
    """A limit of the system stands between the call and an answer."""

    code = "TS013"
    word = "boundary"


class Unavailable(TaisceError):
    """What the call needs is not there at the moment."""

    code = "TS014"
    word = "unavailable"
    retryable = True


class RateLimited(TaisceError):
    """No slot is free for this caller at the moment."""

    code = "TS015"
    word = "rate_limited"
    retryable = True


class NoDatabaseCapacity(TaisceError):
    """No connection became free before the deadline; raised by the client itself."""

    code = "TS016"
    word = "no_database_capacity"
    retryable = True


CLASSES: dict[str, type[TaisceError]] = {
    cls.code: cls
    for cls in (
        InvalidQuestion,
        InvalidRecallControls,
        UnknownProject,
        NotFound,
        InvalidArgument,
        ConflictingValue,
        IdempotencyConflict,
        InvalidLoad,
        QueryRejected,
        LimitExceeded,
        EmbeddingMismatch,
        SourceChanged,
        Boundary,
        Unavailable,
        RateLimited,
        NoDatabaseCapacity,
    )
}


def from_psycopg(exc: BaseException) -> BaseException:
    """Return the memory's own error for a psycopg error of class TS, and any other unchanged.

    A code of that class which this package does not know becomes a plain `TaisceError`.
    """
    if not isinstance(exc, psycopg.Error) or not (exc.sqlstate or "").startswith(_CLASS):
        return exc
    code = exc.sqlstate or ""
    cls = CLASSES.get(code, TaisceError)
    diag = exc.diag
    return cls(diag.message_detail, diag.message_hint, message=diag.message_primary, code=code)


@contextmanager
def translated() -> Iterator[None]:
    """Raise the memory's own errors in place of psycopg's, as a context or a decorator.

    The psycopg error stays reachable as `__cause__`. Every other error passes unchanged.
    A decorator fits plain functions; inside a coroutine use it as a context.
    """
    try:
        yield
    except psycopg.Error as exc:
        known = from_psycopg(exc)
        if known is exc:
            raise
        raise known from exc
