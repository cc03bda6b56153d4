"""Who held what, from when until when: terms put together into unbroken tenures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

# Terms of one person that are this many days apart are one tenure: a Congress does not always
# meet on the day the last one ended.
RECESS = 40
HANDOVER = 10


@dataclass(frozen=True)
class Span:
    """One term in an office or a seat, and the document that records it."""

    start: str
    end: str | None
    holder: str
    document: str


@dataclass(frozen=True)
class Tenure:
    """The unbroken tenure of one holder. `until` is the end to state.

    It is None while the tenure lasts, and where somebody else follows on the very day it ends:
    the successor closes it then. `followed` is the holder right before, if known.
    """

    holder: str
    start: str
    until: str | None
    documents: tuple[str, ...]
    followed: str | None


def tenures(spans: Iterable[Span], told_on: str) -> list[Tenure]:
    """Return the tenures of one office in order; empty if two people held it at once."""
    merged = list(_merge(sorted(spans, key=lambda span: (span.start, span.end or "9"))))
    found: list[Tenure] = []
    for index, group in enumerate(merged):
        end = _end(group)
        following = merged[index + 1][0].start if index + 1 < len(merged) else None
        if following is not None and (end is None or end > following):
            return []
        lasts = following is None and (end is None or end > told_on)
        before = merged[index - 1] if index else None
        near = before is not None and days_between(_end(before), group[0].start) <= HANDOVER
        found.append(
            Tenure(
                group[0].holder,
                group[0].start,
                None if lasts or end == following else end,
                tuple(span.document for span in group),
                before[0].holder if near and before and _differ(before, group) else None,
            )
        )
    return found


def _merge(spans: list[Span]) -> Iterator[list[Span]]:
    group: list[Span] = []
    for span in spans:
        if group and (
            span.holder != group[0].holder or days_between(_end(group), span.start) > RECESS
        ):
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def _end(group: list[Span]) -> str | None:
    ends = [span.end for span in group]
    return None if None in ends else max(end for end in ends if end)


def _differ(one: list[Span], other: list[Span]) -> bool:
    return one[0].holder != other[0].holder


def days_between(end: str | None, start: str) -> int:
    """Count the days from an end to a start; 0 if the end is open."""
    if end is None:
        return 0
    return (date.fromisoformat(start) - date.fromisoformat(end)).days
