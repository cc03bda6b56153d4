"""What was changed by hand since the last install."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import psycopg


@dataclass(frozen=True)
class Drift:
    """One change: `change` is missing, added, definition, privileges or comment.

    `path` is the file that made the object, None for tables and for what was added.
    """

    kind: str
    identity: str
    path: str | None
    change: str

    def to_dict(self) -> dict[str, str | None]:
        """Return the parts as plain values."""
        return asdict(self)


def find_drift(conn: psycopg.Connection[Any]) -> list[Drift]:
    """Compare the catalogue with what the last install recorded; needs the owner's role."""
    return [Drift(*row) for row in conn.execute("select * from taisce.drift()")]
