"""What a refused query is told: a word, the piece of text at fault, its place, what to do."""

from __future__ import annotations

from typing import Any, Literal

from taisce_pg.errors import QueryRejected

Reason = Literal[
    "syntax",
    "multiple_statements",
    "not_a_query",
    "relation",
    "column",
    "function",
    "type",
    "operator",
    "write",
    "lock",
    "recursion",
    "cost",
    "size",
]

_LONGEST_FRAGMENT = 120


class Refusal(QueryRejected):
    """A query that may not run.

    `reason` is one of the thirteen words of `Reason`, `fragment` the piece of the query at
    fault (at most 120 characters) and `position` its first character, counted from 1, as
    PostgreSQL counts. Position 0 stands for the query as a whole.
    """

    def __init__(self, reason: Reason, fragment: str, position: int, hint: str) -> None:
        """Keep the parts, the fragment shortened."""
        if len(fragment) > _LONGEST_FRAGMENT:
            fragment = fragment[: _LONGEST_FRAGMENT - 3] + "..."
        self.reason = reason
        self.fragment = fragment
        self.position = position
        where = f" at character {position}" if position else ""
        super().__init__(f"{reason}: {fragment!r}{where}" if fragment else reason, hint)

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values; `code` is the word, as in QueryResult/v1."""
        return {
            "code": self.reason,
            "message": self.message,
            "fragment": self.fragment,
            "position": self.position,
            "hint": self.hint,
        }
