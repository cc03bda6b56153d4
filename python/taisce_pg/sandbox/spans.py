"""Spans of time that a query names: intervals, and instants as far as the text tells them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from taisce_pg.sandbox.tree import Node, kind_of, strings

DATED_YEARS = 30
"""Years that instants are reckoned to lie apart if the text does not say it."""

ENDLESS = datetime.max
PRESENT = datetime(2035, 1, 1)
"""What now() is reckoned to be: a constant, so that a check depends on the query alone."""

YEAR = 31_557_600.0
_SECONDS = {
    "y": YEAR,
    "mon": 2_629_800.0,
    "w": 604_800.0,
    "d": 86_400.0,
    "h": 3_600.0,
    "m": 60.0,
    "s": 1.0,
    "ms": 0.001,
    "us": 0.000001,
}
_PART = re.compile(r"([+-]?\d+(?:\.\d+)?)\s*([a-z]+)")
_CLOCK = re.compile(r"^([+-]?)(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?$")
_NOW = frozenset({"now", "statement_timestamp", "transaction_timestamp", "clock_timestamp"})
_SAME_INSTANT = {"date_trunc": 1, "timezone": 1, "date": 0, "timestamp": 0, "timestamptz": 0}
_DEEPEST = 20


def literal(node: Node) -> str | None:
    """Return the text of a string constant, also of a cast one."""
    kind, fields = kind_of(node)
    if kind == "TypeCast":
        return literal(fields.get("arg", {}))
    if kind == "A_Const" and "sval" in fields:
        text: str = fields["sval"].get("sval", "")
        return text
    return None


def seconds_of(interval: str) -> float | None:
    """Return the length of an interval literal in seconds, or None if it is not understood."""
    text = interval.strip().lower()
    clock = _CLOCK.match(text)
    if clock:
        sign, hours, minutes, rest = clock.groups()
        total = int(hours) * 3600 + int(minutes) * 60 + float(rest or 0)
        return -total if sign == "-" else total
    total = 0.0
    rest = _PART.sub("", text)
    if rest.strip() or not text:
        return None
    for amount, unit in _PART.findall(text):
        scale = unit_seconds(unit)
        if scale is None:
            return None
        total += float(amount) * scale
    return total


def unit_seconds(word: str) -> float | None:
    """Return the seconds of a unit of time."""
    if word.startswith(("mon", "mons")):
        return _SECONDS["mon"]
    if word.startswith(("ms", "mil")):
        return _SECONDS["ms"]
    if word.startswith(("us", "mic")):
        return _SECONDS["us"]
    if word.startswith("dec"):
        return 10 * _SECONDS["y"]
    if word.startswith("cent"):
        return 100 * _SECONDS["y"]
    return _SECONDS.get(word[:1])


def instant(node: Node, depth: int = 0) -> datetime | None:
    """Return the instant that an expression names, ENDLESS for an infinite one, or None.

    Understands literals, the present, and both moved by an interval or truncated.
    """
    kind, fields = kind_of(node)
    if depth > _DEEPEST:
        return None
    if kind == "TypeCast":
        return instant(fields.get("arg", {}), depth + 1)
    if kind == "A_Const":
        return _dated(literal(node))
    if kind == "SQLValueFunction":
        return PRESENT
    if kind == "FuncCall":
        name = strings(fields.get("funcname"))[-1]
        arguments = fields.get("args") or []
        index = _SAME_INSTANT.get(name)
        if name in _NOW:
            return PRESENT
        return (
            None
            if index is None or index >= len(arguments)
            else instant(arguments[index], depth + 1)
        )
    if kind == "A_Expr":
        return _moved(fields, depth)
    return None


def _moved(fields: Node, depth: int) -> datetime | None:
    sign = {"+": 1.0, "-": -1.0}.get("".join(strings(fields.get("name"))))
    left, right = fields.get("lexpr", {}), fields.get("rexpr", {})
    start = instant(left, depth + 1)
    if sign == 1.0 and start is None:
        left, right = right, left
        start = instant(left, depth + 1)
    if sign is None or start is None or start == ENDLESS:
        return start if sign else None
    number = right.get("A_Const", {}).get("ival", {}).get("ival")
    text = literal(right)
    seconds = number * 86_400.0 if number else (seconds_of(text) if text else None)
    if seconds is None:
        return None
    try:
        return start + timedelta(seconds=sign * seconds)
    except OverflowError:
        return None


def _dated(text: str | None) -> datetime | None:
    if text is None:
        return None
    word = text.strip().lower()
    if word.endswith("infinity"):
        return ENDLESS
    if word in ("now", "today", "yesterday", "tomorrow"):
        return PRESENT
    try:
        return datetime.fromisoformat(word.upper()).replace(tzinfo=None)
    except ValueError:
        return None
