"""How long the value of a call may be, from how long its arguments are."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from taisce_pg.sandbox.kinds import FIXED_CALLS
from taisce_pg.sandbox.spans import literal
from taisce_pg.sandbox.tree import Node, kind_of

SOME_TEXT = 1_000.0
SHORT = 40.0
GATHERED = 50_000.0
"""About how long a text gathered from many rows is."""

EACH_GATHERED = 100.0
TAKING = frozenset({"->", "->>", "#>", "#>>", "-", "#-"})
"""Operators whose value is a part of what they are given."""

CORNER = 20.0
_CUTS = frozenset({"left", "right"})
_WORDS_OF_ADDS = """
    concat format array_cat array_append array_prepend jsonb_build_array jsonb_build_object
    json_build_array json_build_object jsonb_set jsonb_set_lax jsonb_insert jsonb_object json_object
    overlay tsquery_phrase multirange ts_rewrite
"""
_ADDS = frozenset(_WORDS_OF_ADDS.split())
_ESCAPES = frozenset({"quote_literal", "quote_ident", "quote_nullable", "encode", "to_json"})


def call_size(
    name: str, arguments: Sequence[Node], sizes: list[float], numbers: list[float | None]
) -> float:
    """Return about how long the value of a call is, in characters.

    `sizes` and `numbers` are those of the arguments; an unknown number is a huge one only where
    the call is refused for it elsewhere.
    """
    if name in FIXED_CALLS or not sizes:
        return SHORT if name in FIXED_CALLS else SOME_TEXT
    first = sizes[0]
    if name in ("repeat", "lpad", "rpad", "polygon") and len(sizes) > 1:
        return _sized(name, first, numbers)
    if name == "array_fill" and len(sizes) > 1:
        return max(first, 1.0) * (math.prod(known(fill_bounds(arguments[1], numbers[1]))) or 1.0)
    if name in ("replace", "regexp_replace") and len(sizes) > 2:
        old = len(literal(arguments[1]) or "") if name == "replace" else 1
        return first * max(sizes[2] / max(old, 1), 1.0)
    if name == "array_replace" and len(sizes) > 2:
        return max(first, first * sizes[2] / 2)
    if name == "array_to_string" and len(sizes) > 1:
        return first + first / 2 * sizes[1]
    if name == "ts_headline":
        options = sizes[-1] if len(sizes) > 2 else 0.0
        document = max(sizes[:-2] or sizes)
        return document * (1.0 + options / 4)
    if name == "concat_ws":
        return sum(sizes) + first * max(len(sizes) - 2, 0)
    if name in _CUTS and len(sizes) > 1 and numbers[-1] is not None:
        return min(first, abs(numbers[-1]))
    if name in _ADDS:
        return sum(sizes)
    if name in _ESCAPES:
        return 2.0 * first
    return first if name == "translate" else max(sizes)


def gathered_size(sizes: list[float]) -> float:
    """Return about how long a value is that many rows are gathered in."""
    return max(sum(sizes), min(sum(sizes) * EACH_GATHERED, GATHERED))


def _sized(name: str, first: float, numbers: list[float | None]) -> float:
    if name == "polygon":
        return max(numbers[0] or 12.0, 0.0) * CORNER
    times = max(numbers[1] if numbers[1] is not None else 10_000.0, 0.0)
    return first * times if name == "repeat" else times


def fill_bounds(sizes: Node, number: float | None = None) -> list[float | None]:
    """Return the lengths that array_fill is given, None where one is unknown."""
    kind, inner = kind_of(sizes)
    if kind == "TypeCast":
        kind, inner = kind_of(inner.get("arg", {}))
    if kind == "A_ArrayExpr":
        return [_whole(part) for part in inner.get("elements", [])]
    numbers = re.findall(r"\d+", literal(sizes) or "")
    return [float(part) for part in numbers] if numbers else [number]


def _whole(node: Node) -> float | None:
    value = node.get("A_Const", {}).get("ival", {}).get("ival")
    return None if value is None else float(value)


def known(bounds: list[float | None]) -> list[float]:
    """Return the bounds that are known."""
    return [bound for bound in bounds if bound is not None]
