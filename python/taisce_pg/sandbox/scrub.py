"""An error of the server without what it may give away.

PostgreSQL's messages quote values of rows and names of hidden objects: a failed cast repeats the
text it could not read. What comes back is the condition, our own words for it, and the place in
the analyst's own text.
"""

from __future__ import annotations

import re

import psycopg

from taisce_pg import errors
from taisce_pg.sandbox.refusal import Refusal
from taisce_pg.sandbox.result import QueryError

_LONGEST_FRAGMENT = 120
_SPACE = "Look names, columns and types up with taisce-pg space."
_KNOWN = {
    "22012": ("a number is divided by zero", "Divide by nullif(x, 0)."),
    "22003": ("a number is out of the range of its type", "Use numeric, or smaller numbers."),
    "22008": ("an instant or a span is out of range", None),
    "22007": ("a text is no date or time", "Keep only rows whose text has the form of a time."),
    "22P02": (
        "a text does not have the form of the type it is cast to",
        "Keep only rows whose text has that form, or use pg_input_is_valid.",
    ),
    "22023": ("a function was given a value it does not take", None),
    "2201B": ("a regular expression is not valid", None),
    "21000": ("a subquery in the place of one value gave several rows", "Add limit 1, or use any."),
    "42601": ("the syntax is not PostgreSQL's", None),
    "42P01": ("there is no such view", _SPACE),
    "42703": ("there is no such column", _SPACE),
    "42702": ("a column name has several meanings", "Put the name of its view before it."),
    "42883": ("no function or operator takes these types", "Add a cast, as in $1::text."),
    "42804": ("types do not fit together", "Add a cast."),
    "42846": ("there is no cast between these types", None),
    "42803": ("a column is neither grouped nor aggregated", "Add it to group by."),
    "42P18": ("the type of a parameter is not known", "Cast it, as in $1::text."),
    "42P08": ("a parameter is used with two types", "Cast it, as in $1::text."),
    "08P01": ("the number of values is not that of the parameters", None),
    "42501": ("this is not open to analysts", _SPACE),
    "25006": ("only reading is permitted", None),
    "53100": ("the server's disk is full", "Ask the administrator."),
    "53200": ("the server ran out of memory or locks", "Ask for less at a time."),
    "53400": (
        "the query needs more temporary space than it may have",
        "Sort or join fewer rows: filter first.",
    ),
    "54001": ("the query is too complex for the server", "Nest less."),
    "55P03": ("the memory is being changed by an installation", "Try again."),
    "57014": ("the time limit was reached before there was a row", "Filter more, or ask for more "
              "seconds."),
    "25P04": ("the time limit was reached before there was a row", "Filter more, or ask for more "
              "seconds."),
}  # fmt: skip
_CLASSES = {
    "22": "a value does not fit the operation it is used in",
    "42": "a name, a type or the syntax is not right",
    "53": "the server lacks the means for this query",
    "54": "the query passes a limit of the server",
}
TIME_CODES = frozenset({"57014", "25P04"})


def timeout() -> QueryError:
    """Return the error of a query that the client had to stop."""
    message, hint = _KNOWN["57014"]
    return QueryError(code="timeout", message=message, hint=hint)


def from_refusal(refusal: Refusal) -> QueryError:
    """Return the error of a refused query."""
    told = {
        "syntax": "this is not the syntax of PostgreSQL",
        "multiple_statements": "one query at a time",
        "not_a_query": "only a query may run",
        "write": "a query may not write",
        "lock": "a query may not lock rows",
        "recursion": "recursion needs a counter with a fixed bound",
        "cost": "this could cost too much",
        "size": "the query is too long or too deep",
    }.get(refusal.reason, f"this {refusal.reason} is not open to analysts")
    return QueryError(
        code=refusal.reason,
        message=told,
        fragment=refusal.fragment,
        position=refusal.position,
        hint=refusal.hint,
    )


def scrub(exc: psycopg.Error, sql: str, before: int) -> QueryError:
    """Return what an analyst may know of a server's error.

    `before` is how many characters stood in front of the analyst's text. The memory's own errors
    keep their words, since those never repeat content.
    """
    known = errors.from_psycopg(exc)
    if isinstance(known, errors.TaisceError):
        message = f"{known.message}: {known.detail}" if known.detail else known.message
        return QueryError(code=known.message, message=message, hint=known.hint)
    state = exc.sqlstate or ""
    if state in TIME_CODES:
        return timeout()
    message, hint = _KNOWN.get(state) or (
        _CLASSES.get(state[:2], "the server could not run this query"),
        None,
    )
    position = _position(exc, before, len(sql))
    return QueryError(
        code=_condition(exc),
        message=message,
        fragment=_fragment(sql, position),
        position=position,
        hint=hint,
    )


def _condition(exc: psycopg.Error) -> str:
    """Return the name of the condition, division_by_zero and the like."""
    name = type(exc).__name__ if exc.sqlstate else "internal_error"
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _position(exc: psycopg.Error, before: int, length: int) -> int:
    try:
        place = int(exc.diag.statement_position or 0) - before
    except ValueError:
        return 0
    return place if 0 < place <= length else 0


def _fragment(sql: str, position: int) -> str:
    if not position:
        return ""
    found = re.match(r"[\w.$]+|\S", sql[position - 1 :])
    return found[0][:_LONGEST_FRAGMENT] if found else ""
