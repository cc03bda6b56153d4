"""When to ask again: exponential backoff with jitter, and what the answering side asks for."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST = 0.5
MOST = 30.0
"""Seconds of the first wait, and of the longest that is chosen here."""

_PARTS = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def backoff(attempt: int) -> float:
    """Return how long to wait before asking again, in seconds: random, growing with each attempt.

    `attempt` counts from 0.
    """
    return random.uniform(0.5, 1.0) * min(MOST, FIRST * 2.0**attempt)


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return how long an answer asks to be left alone, in seconds; None if it does not say."""
    if (text := headers.get("retry-after-ms")) is not None and (wait := _number(text)) is not None:
        return wait / 1000
    if (text := headers.get("retry-after")) is not None:
        wait = _number(text)
        return _until(text) if wait is None else wait
    return None


def room_after(headers: Mapping[str, str]) -> float:
    """Return how long to wait because an answer says that its limits are used up, in seconds."""
    waits = [0.0]
    for what in ("requests", "tokens"):
        if headers.get(f"x-ratelimit-remaining-{what}", "").strip() == "0":
            waits.append(_span(headers.get(f"x-ratelimit-reset-{what}", "")))
    return max(waits)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < 1e6 else None


def _until(date: str) -> float | None:
    try:
        when = parsedate_to_datetime(date)
    except (TypeError, ValueError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


def _span(text: str) -> float:
    """Read "1s", "6m0s" or "20ms"; a plain number is seconds."""
    if (number := _number(text)) is not None:
        return number
    return sum(float(count) * _UNITS[unit] for count, unit in _PARTS.findall(text))


def sleep(seconds: float) -> None:
    """Wait; a name of its own, so that tests can replace it."""
    time.sleep(seconds)
