"""How a step of a recursion makes its values grow: by how many copies of those before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taisce_pg.sandbox.kinds import ARRAY, FIXED, FIXED_CALLS, OTHER, TEXT, kind_of_type, value_kind
from taisce_pg.sandbox.scopes import Column
from taisce_pg.sandbox.spans import literal
from taisce_pg.sandbox.tree import Node, kind_of, strings

if TYPE_CHECKING:
    from taisce_pg.sandbox.estimates import Estimates

MULTIPLIED = 1_000.0
"""How often a value is reckoned to come back from a call that may multiply it."""

APART = 10_000
"""Between the first columns of a recursion and of one inside its step."""

Copies = dict[int, float]
"""How often each column of the step before is part of a value, by the column's place."""

_WORDS_OF_KEEPS = """
    lower upper initcap casefold substr substring left right btrim ltrim rtrim trim reverse
    split_part translate overlay nullif array_append array_prepend array_cat array_remove
    array_reverse array_sort array_shuffle array_sample trim_array jsonb_set jsonb_set_lax
    jsonb_insert jsonb_build_array jsonb_build_object jsonb_object jsonb_strip_nulls
    jsonb_extract_path json_build_array json_build_object json_extract_path jsonb_path_query
    jsonb_path_query_first to_json to_jsonb row_to_json array_to_json string_to_array regexp_match
    regexp_matches regexp_split_to_array regexp_split_to_table regexp_substr string_to_table
    unnest jsonb_array_elements json_array_elements jsonb_each json_each jsonb_object_keys
    json_object_keys max min any_value first_value last_value lag lead nth_value tstzrange daterange
    tsrange int4range int8range numrange
"""
_KEEPS = frozenset(_WORDS_OF_KEEPS.split())
_JOINS = frozenset({"concat", "concat_ws", "format"})
_SIZED = frozenset({"lpad", "rpad"})


def copies(estimates: Estimates, node: Node, depth: int = 0) -> Copies:
    """Return how often the columns of the step before are part of the value of an expression."""
    kind, fields = kind_of(node)
    if not kind or not estimates.recursive or kind == "A_Const":
        return {}
    if depth > 40:
        return multiplied(_everything(estimates, node))
    if kind == "ColumnRef":
        column = estimates.resolved.get(id(fields))
        return _of_column(column) if column else {}
    if value_kind(estimates, node) == FIXED:
        return {}
    if kind in ("CollateClause", "NamedArgExpr"):
        return copies(estimates, fields.get("arg", {}), depth + 1)
    if kind == "A_Indirection":
        return copies(estimates, fields.get("arg", {}), depth + 1)
    if kind == "TypeCast":
        return _cast(estimates, fields, depth)
    if kind in ("CoalesceExpr", "MinMaxExpr"):
        return merged([copies(estimates, part, depth + 1) for part in fields.get("args", [])])
    if kind == "CaseExpr":
        parts = [when["CaseWhen"].get("result", {}) for when in fields.get("args", [])]
        parts.append(fields.get("defresult", {}))
        return merged([copies(estimates, part, depth + 1) for part in parts])
    if kind in ("A_ArrayExpr", "RowExpr"):
        parts = fields.get("elements") or fields.get("args") or []
        return _sum([copies(estimates, part, depth + 1) for part in parts])
    if kind == "SubLink":
        relation = estimates.relations.get(id(fields.get("subselect", {}).get("SelectStmt")))
        inner = _of_column(relation.columns[0]) if relation and relation.columns else {}
        return multiplied(inner) if fields.get("subLinkType") == "ARRAY_SUBLINK" else inner
    if kind == "A_Expr":
        return _operation(estimates, fields, depth)
    if kind == "FuncCall":
        return _call(estimates, fields, depth)
    return multiplied(_everything(estimates, node))


def stems(estimates: Estimates, node: Any) -> bool:
    """Say whether a value depends in any way on the step before."""
    if not estimates.recursive:
        return False
    stack: list[Any] = [node]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key == "ColumnRef":
                    column = estimates.resolved.get(id(inner))
                    if column and (column.stems or any(c.stems for c in column.shape or ())):
                        return True
                elif isinstance(inner, dict | list):
                    stack.append(inner)
    return False


def _of_column(column: Column) -> Copies:
    if column.kind == FIXED:
        return {}
    if column.shape and not column.array and not column.copies:
        return _sum([_of_column(part) for part in column.shape])
    return column.copies


def _everything(estimates: Estimates, node: Node) -> Copies:
    """Return the copies of all columns named anywhere below a node."""
    found: list[Copies] = []
    stack: list[Any] = [node]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if key == "ColumnRef":
                    column = estimates.resolved.get(id(inner))
                    found.append(_of_column(column) if column else {})
                elif isinstance(inner, dict | list):
                    stack.append(inner)
    return _sum(found)


def _cast(estimates: Estimates, fields: Node, depth: int) -> Copies:
    inner = copies(estimates, fields.get("arg", {}), depth + 1)
    type_name = fields["typeName"]
    target = kind_of_type(strings(type_name.get("names"))[-1])
    if type_name.get("arrayBounds") or target != TEXT:
        return inner
    return _written(estimates, fields.get("arg", {}), inner)


def _written(estimates: Estimates, node: Node, inner: Copies) -> Copies:
    """Return the copies in the text of a value: that of a list or an object has escapes."""
    return multiplied(inner) if value_kind(estimates, node) in (ARRAY, OTHER) else inner


def _operation(estimates: Estimates, fields: Node, depth: int) -> Copies:
    words = strings(fields.get("name"))
    sides = [fields[side] for side in ("lexpr", "rexpr") if side in fields]
    if fields.get("kind") == "AEXPR_NULLIF":
        return copies(estimates, sides[0], depth + 1)
    parts = [copies(estimates, side, depth + 1) for side in sides]
    if words[-1] in ("->>", "#>>"):
        return multiplied(_sum(parts))
    if words == ["||"]:
        kinds = [value_kind(estimates, side) for side in sides]
        if TEXT in kinds and ARRAY not in kinds and OTHER in kinds:
            other = kinds.index(OTHER)
            parts[other] = multiplied(parts[other])
    return _sum(parts)


def _call(estimates: Estimates, fields: Node, depth: int) -> Copies:
    name = strings(fields.get("funcname"))[-1]
    if name in FIXED_CALLS or name in estimates.catalogue.helpers:
        return {}
    arguments = fields.get("args") or []
    parts = [copies(estimates, argument, depth + 1) for argument in arguments]
    whole = _sum(parts)
    if name in _KEEPS or not whole:
        return whole
    if name in _SIZED and not any(parts[2:]):
        return {}
    if name in _JOINS:
        parts = [
            _written(estimates, part, inner) for part, inner in zip(arguments, parts, strict=True)
        ]
        text = literal(arguments[0]) if name == "format" else ""
        safe = text is not None and not any(sign in text for sign in ("$", "%L", "%I", "%-"))
        first = parts[0] if name != "concat" else {}
        return _sum(parts) if safe and not first else multiplied(whole)
    if name in ("replace", "regexp_replace") and len(arguments) > 2:
        old, new = literal(arguments[1]), literal(arguments[2])
        shorter = name == "replace" and old and new is not None and len(new) <= len(old)
        if new == "" or shorter:
            return parts[0]
    return multiplied(whole)


def _sum(parts: list[Copies]) -> Copies:
    total: Copies = {}
    for part in parts:
        for place, count in part.items():
            total[place] = total.get(place, 0.0) + count
    return total


def merged(parts: list[Copies]) -> Copies:
    """Return the most copies of each column in any of some values."""
    most: Copies = {}
    for part in parts:
        for place, count in part.items():
            most[place] = max(most.get(place, 0.0), count)
    return most


def multiplied(part: Copies) -> Copies:
    """Return the copies in a value that some call may multiply."""
    return {place: min(count * MULTIPLIED, 1e9) for place, count in part.items()}


def own(part: Copies, level: int) -> Copies:
    """Return the copies of a recursion's own columns, by their places in it."""
    return {place - level * APART: n for place, n in part.items() if place // APART == level}


def outside(part: Copies, level: int) -> Copies:
    """Return the copies of columns of the recursions around one."""
    return {place: n for place, n in part.items() if place // APART < level}


def grown(sizes: list[float], matrix: list[Copies], added: list[float], steps: float,
          most: float) -> list[float]:  # fmt: skip
    """Return the sizes of columns after some steps, no further than one is above `most`."""
    for _ in range(int(steps) + 1):
        following = [
            max(size, sum(count * sizes[other] for other, count in row.items()) + extra)
            for size, row, extra in zip(sizes, matrix, added, strict=True)
        ]
        if following == sizes:
            break
        sizes = following
        if max(sizes, default=0.0) > most:
            break
    return sizes
