"""Kinds of value that a field of the load format may have, and their checks.

A check takes a decoded JSON value and raises `Bad`; it never repeats what it was given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

Check = Callable[[Any], None]
_LAST_YEAR = 294_276
_FIRST_YEAR_BC = 4_713
_INSTANT = re.compile(
    r"(\d{4,6})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?(Z|[+-](?:0\d|1[0-5]):[0-5]\d)( BC)?",
    re.ASCII,
)
_NAIVE = re.compile(r"\d{4,6}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2})+", re.ASCII)
_NAMES = {
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


class Bad(Exception):
    """Say what is wrong with a value, and at which `path` inside it."""

    def __init__(self, why: str, path: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.path = path

    def under(self, name: str) -> Bad:
        """Return the same complaint seen from one level up."""
        joint = "." if self.path and not self.path.startswith("[") else ""
        return Bad(self.why, f"{name}{joint}{self.path}")


def _given(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)


def _mismatch(wanted: str, value: Any) -> Bad:
    return Bad(f"must be {wanted}, not {_given(value)}")


@dataclass(frozen=True, slots=True)
class Kind:
    """A check and the words that describe it in the reference."""

    check: Check
    words: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a line or of an object in it. `admin`: only admin access may give it."""

    kind: Kind
    meaning: str
    required: bool = False
    nullable: bool = True
    admin: bool = False


Fields = Mapping[str, Field]


def text(most: int, *, empty: bool = False) -> Kind:
    """Accept text of at most `most` bytes of UTF-8 that is not blank, unless `empty`."""
    quarter = most // 4

    def check(value: Any) -> None:
        if type(value) is not str:
            raise _mismatch("text", value)
        if len(value) > quarter and len(value.encode("utf-8", "surrogatepass")) > most:
            size = len(value.encode("utf-8", "surrogatepass"))
            raise Bad(f"has {size} bytes, at most {most} are allowed")
        if not empty and (not value or value.isspace()):
            raise Bad("is empty")

    return Kind(check, f"text, at most {most:,} bytes" + (", may be empty" if empty else ""))


def one_of(*choices: str) -> Kind:
    """Accept one of a few words."""
    known = frozenset(choices)
    words = ", ".join(choices)

    def check(value: Any) -> None:
        if type(value) is not str:
            raise _mismatch(f"one of {words}", value)
        if value not in known:
            raise Bad(f"must be one of {words}")

    return Kind(check, "one of " + words)


def integer(lowest: int, highest: int = 2**31 - 1) -> Kind:
    """Accept a whole number of a range."""

    def check(value: Any) -> None:
        if type(value) is not int:
            if type(value) is float:
                raise Bad("must be a whole number")
            raise _mismatch("a whole number", value)
        if not lowest <= value <= highest:
            raise Bad(f"must be from {lowest} to {highest}")

    upper = f" to {highest:,}" if highest < 2**31 - 1 else ""
    return Kind(check, f"whole number from {lowest}{upper}")


def number(lowest: float, highest: float) -> Kind:
    """Accept a finite number of a range."""

    def check(value: Any) -> None:
        if type(value) is not float and type(value) is not int:
            raise _mismatch("a number", value)
        if type(value) is float and not math.isfinite(value):
            raise Bad("must be finite")
        if not lowest <= value <= highest:
            raise Bad(f"must be from {lowest:g} to {highest:g}")

    return Kind(check, f"number from {lowest:g} to {highest:g}")


def _check_boolean(value: Any) -> None:
    if type(value) is not bool:
        raise _mismatch("true or false", value)


def _check_instant(value: Any) -> None:
    if type(value) is not str:
        raise _mismatch("an instant (RFC 3339 text)", value)
    match = _INSTANT.fullmatch(value)
    if match is None:
        if _NAIVE.fullmatch(value):
            raise Bad("has no time zone: write an instant like 2026-01-05T10:00:00Z")
        raise Bad("is not an instant like 2026-01-05T10:00:00Z")
    year, month, day, clock, _, before_christ = match.groups()
    count = int(year)
    if len(year) > 4 or before_christ or count == 0:
        if not 1 <= count <= (_FIRST_YEAR_BC if before_christ else _LAST_YEAR):
            raise Bad("has a year outside 4713 BC to 294276")
        # A year of the common cycle that leaps when this one does.
        count = 2000 + ((1 - count) if before_christ else count) % 400
        year = str(count)
    try:
        datetime.fromisoformat(f"{year}-{month}-{day}T{clock}")
    except ValueError:
        raise Bad("is not a day and time that exists") from None


def _matching(pattern: re.Pattern[str], words: str) -> Kind:
    def check(value: Any) -> None:
        if type(value) is not str:
            raise _mismatch(words, value)
        if pattern.fullmatch(value) is None:
            raise Bad(f"is not {words}")

    return Kind(check, words)


boolean = Kind(_check_boolean, "true or false")
instant = Kind(_check_instant, "instant, RFC 3339 with a zone")
uuid = _matching(_UUID, "a uuid in lower case")
digest = _matching(_HEX, "bytes in lower-case hexadecimal")


def anything() -> Kind:
    """Accept any JSON object."""

    def check(value: Any) -> None:
        if type(value) is not dict:
            raise _mismatch("an object", value)

    return Kind(check, "object")


def list_of(kind: Kind, lowest: int = 0, highest: int = 100_000) -> Kind:
    """Accept a list whose items are all of one kind."""
    inner = kind.check

    def check(value: Any) -> None:
        if type(value) is not list:
            raise _mismatch("a list", value)
        if not lowest <= len(value) <= highest:
            raise Bad(
                f"has {len(value)} items, at least {lowest} are needed"
                if len(value) < lowest
                else f"has {len(value)} items, at most {highest} are allowed"
            )
        index = 0
        try:
            for item in value:
                inner(item)
                index += 1
        except Bad as bad:
            raise bad.under(f"[{index}]") from None

    return Kind(check, f"list of: {kind.words}")


def checker(fields: Fields, whole: Check | None = None) -> Check:
    """Build the check of an object from its fields and what must hold between them."""
    inner = {name: (field.kind.check, field.nullable) for name, field in fields.items()}
    required = tuple(name for name, field in fields.items() if field.required)

    def check(value: Any) -> None:
        if type(value) is not dict:
            raise _mismatch("an object", value)
        for name, item in value.items():
            known = inner.get(name)
            if known is None:
                raise Bad(_unknown(name, fields))
            if item is None:
                if known[1]:
                    continue
                raise Bad("must not be null", name)
            try:
                known[0](item)
            except Bad as bad:
                raise bad.under(name) from None
        for name in required:
            if name not in value:
                raise Bad("is missing", name)
        if whole is not None:
            whole(value)

    return check


def _unknown(name: Any, fields: Fields) -> str:
    """Describe an unknown field by the known one that it resembles, without repeating it."""
    from difflib import get_close_matches

    known = [name for name, field in fields.items() if field.kind.check is not refuse]
    near = get_close_matches(str(name)[:64], known, 1)
    if near:
        return f"has an unknown field; did you mean {near[0]}?"
    return "has an unknown field; known are " + ", ".join(known)


def refuse(value: Any) -> None:
    """Refuse a field whatever it holds."""
    raise Bad("stands only in exported lines, beside id")


def record(fields: Fields, words: str, whole: Check | None = None) -> Kind:
    """Accept an object of known fields."""
    return Kind(checker(fields, whole), words)


def either(words: str, plain: Kind | None, *objects: tuple[str, Kind]) -> Kind:
    """Accept text of one kind, or an object of exactly one of the given fields."""
    known = {name: kind.check for name, kind in objects}
    forms = ", ".join('{"' + name + '": ...}' for name in known)
    wanted = (f"text or {forms}" if plain else forms).replace(", ", " or ")

    def check(value: Any) -> None:
        if type(value) is str and plain is not None:
            plain.check(value)
            return
        if type(value) is not dict:
            raise _mismatch(wanted, value)
        if len(value) != 1:
            raise Bad(f"must be {wanted}")
        for name, item in value.items():
            if name not in known:
                raise Bad(f"must be {wanted}")
            try:
                known[name](item)
            except Bad as bad:
                raise bad.under(name) from None

    return Kind(check, words)
