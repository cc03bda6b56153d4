"""Values of a result, from PostgreSQL's text to plain JSON values.

Whole numbers of any size and other numbers become numbers, arrays lists, json its value;
NaN, infinities and everything else stay text as PostgreSQL writes it (times in ISO 8601).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg import pq
from psycopg.adapt import AdaptersMap, Loader

Converter = Callable[[str], Any]

_INSTANT = re.compile(r"(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d){0,2})?")
_ITEM = re.compile(r'"((?:[^"\\]|\\.)*)"|([^",{}]*)')
_DEEPEST = 6


class _Raw(Loader):
    """Keep the bytes that the server sent."""

    def load(self, data: Any) -> bytes | None:
        """Copy the bytes."""
        return bytes(data)


class _RawJson(_Raw):
    """Keep json in the binary format, which is its text."""

    format = pq.Format.BINARY


def raw_adapters() -> AdaptersMap:
    """Return adapters under which a row is a tuple of bytes and None, whatever its types.

    Some values that PostgreSQL has (infinite times, years beyond 9999) are none of Python's.
    """
    made = AdaptersMap(psycopg.adapters)
    made.register_loader(0, _Raw)
    made.register_loader("json", _RawJson)
    for info in psycopg.adapters.types:
        for oid in (info.oid, info.array_oid):
            if oid:
                made.register_loader(oid, _Raw)
    return made


def type_name(oid: int) -> str:
    """Return the name of a type, as the views' reference writes it."""
    info = psycopg.adapters.types.get(oid)
    if info is None:
        return "unknown"
    name = info.regtype.replace("timestamp with time zone", "timestamptz").removesuffix("[]")
    return f"{name}[]" if oid == info.array_oid else name


def converter(oid: int) -> Converter:
    """Return what makes a JSON value of a text of a type."""
    info = psycopg.adapters.types.get(oid)
    if info is None:
        return str
    item = _SCALARS.get(info.name, str)
    if oid == info.array_oid:
        return lambda text: _array(text, item)
    return item


def convert(row: Sequence[bytes | None], converters: Sequence[Converter]) -> list[Any]:
    """Return a row as JSON values."""
    return [
        None if value is None else make(value.decode("utf-8", "replace"))
        for value, make in zip(row, converters, strict=True)
    ]


def _number(text: str) -> int | float | str:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        return number if math.isfinite(number) else text


def _instant(text: str) -> str:
    found = _INSTANT.fullmatch(text)
    if not found:
        return text
    day, clock, zone = found.groups()
    return f"{day}T{clock}" + (f"{zone}:00" if zone and len(zone) == 3 else zone or "")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


_SCALARS: dict[str, Converter] = {
    **dict.fromkeys(("int2", "int4", "int8", "oid", "float4", "float8", "numeric"), _number),
    "bool": lambda text: text == "t",
    **dict.fromkeys(("json", "jsonb"), _json),
    **dict.fromkeys(("timestamptz", "timestamp"), _instant),
}


def _array(text: str, item: Converter) -> Any:
    """Read an array; one that is not understood stays text."""
    start = text.find("{")
    if start < 0:
        return text
    value, end = _level(text, start, item, 0)
    return value if end == len(text) else text


def _level(text: str, place: int, item: Converter, depth: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    place += 1
    if depth > _DEEPEST or text[place : place + 1] == "}":
        return items, place + 1
    while True:
        if text[place : place + 1] == "{":
            inner, place = _level(text, place, item, depth + 1)
            items.append(inner)
        else:
            found = _ITEM.match(text, place)
            assert found is not None
            quoted, bare = found.groups()
            if quoted is not None:
                items.append(item(re.sub(r"\\(.)", r"\1", quoted, flags=re.S)))
            else:
                items.append(None if bare == "NULL" else item(bare))
            place = found.end()
        if text[place : place + 1] != ",":
            return items, place + 1
        place += 1
