"""The time that an operation is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

Moment = datetime | str


@dataclass(frozen=True)
class Current:
    """What holds now; with `believed_at`, what was current then by the knowledge of then."""

    believed_at: Moment | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the time_scope as JSON has it."""
        return _scope("current", self.believed_at)


@dataclass(frozen=True)
class At:
    """What held at an instant, as believed now or at `believed_at`."""

    at: Moment
    believed_at: Moment | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the time_scope as JSON has it."""
        return _scope("at", self.believed_at, at=self.at)


@dataclass(frozen=True)
class Overlap:
    """What held at any time from `start` to `end`, both included."""

    start: Moment
    end: Moment
    believed_at: Moment | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the time_scope as JSON has it."""
        return _scope("overlap", self.believed_at, **{"from": self.start, "to": self.end})


@dataclass(frozen=True)
class History:
    """What began to hold by now, or by `believed_at`, whether it ended or not."""

    believed_at: Moment | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the time_scope as JSON has it."""
        return _scope("history", self.believed_at)


TimeScope = Current | At | Overlap | History


def _scope(mode: str, believed_at: Moment | None, **instants: Moment) -> dict[str, Any]:
    if believed_at is not None:
        instants["believed_at"] = believed_at
    return {"mode": mode, **instants}
