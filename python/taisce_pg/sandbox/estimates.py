"""Guesses about values: how large a number, how long a text, how many rows of a series.

They only serve the static cost bounds; the database enforces the real limits.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from taisce_pg.sandbox.catalogue import Catalogue
from taisce_pg.sandbox.kinds import ARRAY, FIXED, OTHER, TEXT_TYPES, value_kind
from taisce_pg.sandbox.scopes import Column, Relation
from taisce_pg.sandbox.sizes import GATHERED, SOME_TEXT, TAKING, call_size, gathered_size
from taisce_pg.sandbox.spans import (
    DATED_YEARS,
    ENDLESS,
    YEAR,
    instant,
    literal,
    seconds_of,
    unit_seconds,
)
from taisce_pg.sandbox.tree import Node, kind_of, strings

SOME_NUMBER = 10_000.0
FEW = 300.0
_DEEPEST = 40
_COUNTS = frozenset({"count", "row_number", "rank", "dense_rank", "ntile", "regexp_count"})
_LENGTHS = frozenset(
    {"length", "char_length", "character_length", "octet_length", "array_length", "cardinality",
     "jsonb_array_length", "json_array_length", "array_upper", "strpos", "position", "ascii"}
)  # fmt: skip
_KEEPS_NUMBER = frozenset(
    {"round", "floor", "ceil", "ceiling", "trunc", "abs", "min", "max", "avg", "int4", "int8",
     "int2", "float8", "float4", "numeric", "any_value", "percentile_cont", "percentile_disc"}
)  # fmt: skip
_KEEPS_SHAPE = frozenset(
    {"first_value", "last_value", "lag", "lead", "nth_value", "any_value", "mode", "min", "max",
     "json_populate_record", "jsonb_populate_record", "json_populate_recordset",
     "jsonb_populate_recordset"}
)  # fmt: skip
_LEXEMES = frozenset(
    {"to_tsvector", "json_to_tsvector", "jsonb_to_tsvector", "array_to_tsvector", "setweight",
     "strip", "ts_delete", "ts_filter"}
)  # fmt: skip
_FEW_CALLS = frozenset({"date_trunc", "date_part", "extract", "to_char", "date_bin", "date"})


class Estimates:
    """Guesses over one parse tree; `resolved` maps column references to what they mean."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Start with nothing resolved."""
        self.catalogue = catalogue
        self.resolved: dict[int, Column] = {}
        self.relations: dict[int, Relation] = {}
        self.recursive = 0

    def constant(self, node: Node) -> bool:
        """Say whether an expression has no columns, parameters or subqueries."""
        stack: list[Any] = [node]
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, dict):
                if value.keys() & {"ColumnRef", "ParamRef", "SubLink"}:
                    return False
                stack.extend(value.values())
        return True

    def number(self, node: Node, depth: int = 0) -> float | None:
        """Return the largest number an expression is reckoned to give, or None."""
        kind, fields = kind_of(node)
        if depth > _DEEPEST:
            return None
        if kind == "A_Const":
            return _constant_number(fields)
        if kind in ("TypeCast", "NamedArgExpr"):
            return self.number(fields.get("arg", {}), depth + 1)
        if kind == "ColumnRef":
            column = self.resolved.get(id(fields))
            return column.number if column else None
        if kind == "A_Expr":
            return self._operation(fields, depth)
        if kind in ("MinMaxExpr", "CoalesceExpr"):
            bounds = [self.number(arg, depth + 1) for arg in fields.get("args", [])]
            known = [bound for bound in bounds if bound is not None]
            if fields.get("op") == "IS_LEAST":
                return min(known, default=None)
            return max(known) if known and len(known) == len(bounds) else None
        if kind == "CaseExpr":
            results = [when["CaseWhen"].get("result", {}) for when in fields.get("args", [])]
            bounds = [self.number(r, depth + 1) for r in (*results, fields.get("defresult", {}))]
            known = [bound for bound in bounds if bound is not None]
            return max(known, default=None)
        if kind == "FuncCall":
            return self._call(fields, depth)
        if kind == "SubLink":
            relation = self.relations.get(id(fields.get("subselect", {}).get("SelectStmt")))
            return relation.columns[0].number if relation and relation.columns else None
        return None

    def _call(self, fields: Node, depth: int) -> float | None:
        name = strings(fields.get("funcname"))[-1]
        arguments = fields.get("args") or [{}]
        if name in _COUNTS:
            return SOME_NUMBER
        if name in _LENGTHS:
            return SOME_NUMBER
        if name in _KEEPS_NUMBER:
            within = fields.get("agg_order") if fields.get("agg_within_group") else None
            value = within[0]["SortBy"].get("node", {}) if within else arguments[0]
            return self.number(value, depth + 1)
        if name in ("extract", "date_part"):
            epoch = literal(arguments[0]) == "epoch"
            return 1e10 if epoch else SOME_NUMBER
        if name == "sum":
            part = self.number(arguments[0], depth + 1)
            return None if part is None else part * 1000
        if name == "mod" and len(arguments) == 2:
            return self.number(arguments[1], depth + 1)
        return 1.0 if name == "random" else None

    def _operation(self, fields: Node, depth: int) -> float | None:
        words = strings(fields.get("name"))
        right = self.number(fields.get("rexpr", {}), depth + 1)
        if "lexpr" not in fields:
            return right if words == ["+"] else (-right if right is not None else None)
        left = self.number(fields["lexpr"], depth + 1)
        if words == ["%"]:
            return right
        if left is None or right is None:
            return None
        if words == ["/"]:
            return left / right if self.constant(fields.get("rexpr", {})) and right else left
        constant = self.constant(fields.get("rexpr", {}))
        if words == ["-"]:
            return left - right if constant else left
        return {"+": left + right, "*": abs(left * right)}.get(words[0] if words else "")

    def size(self, node: Node, depth: int = 0) -> float:
        """Return about how long the text of an expression may be, in characters."""
        kind, fields = kind_of(node)
        if depth > _DEEPEST:
            return SOME_TEXT
        if kind == "A_Const":
            return float(len(fields.get("sval", {}).get("sval", ""))) if "sval" in fields else 20.0
        if kind in ("TypeCast", "CollateClause", "NamedArgExpr"):
            inner = self.size(fields.get("arg", {}), depth + 1)
            return inner * 2 if kind == "TypeCast" and self._writes(fields) else inner
        if kind == "ColumnRef":
            column = self.resolved.get(id(fields))
            return column.size if column else SOME_TEXT
        if kind == "A_Expr":
            if strings(fields.get("name")) == ["||"]:
                return self._chain(fields, depth)
            sides = [fields[side] for side in ("lexpr", "rexpr") if side in fields]
            if value_kind(self, node) == FIXED:
                return 20.0
            sizes = [self.size(side, depth + 1) for side in sides]
            return max(sizes) if strings(fields.get("name"))[-1] in TAKING else sum(sizes)
        if kind.startswith("Json"):
            return max(self._inside(fields, depth), SOME_TEXT)
        if kind in ("CoalesceExpr", "MinMaxExpr", "A_ArrayExpr", "RowExpr"):
            parts = fields.get("args") or fields.get("elements") or []
            sizes = [self.size(part, depth + 1) for part in parts]
            add = kind in ("A_ArrayExpr", "RowExpr")
            return sum(sizes) if add else max(sizes, default=0.0)
        if kind == "CaseExpr":
            results = [when["CaseWhen"].get("result", {}) for when in fields.get("args", [])]
            parts = [*results, fields.get("defresult", {})]
            return max((self.size(part, depth + 1) for part in parts if part), default=0.0)
        if kind == "FuncCall":
            return self._call_size(fields, depth)
        if kind == "SubLink":
            relation = self.relations.get(id(fields.get("subselect", {}).get("SelectStmt")))
            if not relation or not relation.columns:
                return SOME_TEXT
            each = relation.columns[0].size
            if fields.get("subLinkType") != "ARRAY_SUBLINK":
                return each
            return each * relation.rows if relation.rows <= 1e5 else max(each, GATHERED)
        return SOME_TEXT if kind else 0.0

    def _writes(self, cast: Node) -> bool:
        """Say whether a cast writes an array, a row or the like as a text, with escapes."""
        name = strings(cast["typeName"].get("names"))[-1]
        if name not in TEXT_TYPES or cast["typeName"].get("arrayBounds"):
            return False
        return kind_of(cast.get("arg", {}))[0] in (
            "A_ArrayExpr",
            "RowExpr",
            "TypeCast",
            "FuncCall",
        ) and (value_kind(self, cast.get("arg", {})) in (ARRAY, OTHER))

    def largest(self, node: Node) -> float:
        """Return the size of the largest column or subquery in an expression."""
        sizes = [0.0]
        stack: list[Any] = [node]
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, dict):
                for key, inner in value.items():
                    if key in ("ColumnRef", "SubLink"):
                        sizes.append(self.size({key: inner}))
                    elif isinstance(inner, dict | list):
                        stack.append(inner)
        return max(sizes)

    def _inside(self, fields: Node, depth: int) -> float:
        """Return the size of all expressions that a JSON constructor holds, taken together."""
        total = 0.0
        stack: list[Any] = list(fields.values())
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(value)
            elif isinstance(value, dict):
                kind, inner = kind_of(value)
                if kind == "SelectStmt":
                    relation = self.relations.get(id(inner))
                    if relation and relation.columns:
                        total += min(relation.columns[0].size * relation.rows, GATHERED)
                elif kind[:1].isupper() and not kind.startswith(("Json", "List")):
                    total += self.size(value, depth + 1)
                else:
                    stack.extend(value.values())
        return total

    def elements(self, node: Node) -> float:
        """Return about how many elements an array, or pieces a text, may have."""
        kind, fields = kind_of(node)
        if kind == "SubLink" and fields.get("subLinkType") == "ARRAY_SUBLINK":
            relation = self.relations.get(id(fields.get("subselect", {}).get("SelectStmt")))
            return relation.rows if relation else FEW
        return self.size(node) / 2

    def _chain(self, fields: Node, depth: int) -> float:
        total = 0.0
        while strings(fields.get("name")) == ["||"]:
            total += self.size(fields.get("rexpr", {}), depth + 1)
            kind, inner = kind_of(fields.get("lexpr", {}))
            if kind != "A_Expr":
                break
            fields = inner
        return total + self.size(fields.get("lexpr", {}), depth + 1)

    def _call_size(self, fields: Node, depth: int) -> float:
        name = strings(fields.get("funcname"))[-1]
        arguments = fields.get("args") or []
        sizes = [self.size(argument, depth + 1) for argument in arguments]
        if name in self.catalogue.aggregates and name.endswith(("_agg", "_strict", "_unique")):
            return gathered_size(sizes)
        numbers = [self.number(argument, depth + 1) for argument in arguments]
        return call_size(name, arguments, sizes, numbers)

    def shape(self, node: Node, depth: int = 0) -> Column:
        """Return a column without a name that tells which fields a value has, if any."""
        kind, fields = kind_of(node)
        nothing = Column("")
        if depth > _DEEPEST:
            return nothing
        if kind in ("ColumnRef", "A_Indirection"):
            return self.resolved.get(id(fields), nothing)
        if kind == "RowExpr":
            parts = fields.get("args", [])
            columns = [Column(f"f{place}") for place in range(1, len(parts) + 1)]
            return Column("", shape=columns)
        if kind in ("CoalesceExpr", "MinMaxExpr"):
            return self._first_shape(fields.get("args", []), depth)
        if kind == "CaseExpr":
            results = [when["CaseWhen"].get("result", {}) for when in fields.get("args", [])]
            return self._first_shape([*results, fields.get("defresult", {})], depth)
        if kind == "A_ArrayExpr":
            inner = self._first_shape(fields.get("elements", []), depth)
            return Column("", shape=inner.shape, array=True)
        if kind == "SubLink":
            relation = self.relations.get(id(fields.get("subselect", {}).get("SelectStmt")))
            if relation and relation.columns:
                column = relation.columns[0]
                many = fields.get("subLinkType") == "ARRAY_SUBLINK"
                return Column("", shape=column.shape, array=many or column.array)
        if kind == "FuncCall":
            return self._call_shape(fields, depth)
        if kind == "TypeCast":
            name = strings(fields["typeName"].get("names"))[-1]
            return _lexemes() if name == "tsvector" else nothing
        if kind == "A_Expr" and strings(fields.get("name")) == ["||"]:
            return self._first_shape([fields.get("lexpr", {}), fields.get("rexpr", {})], depth)
        return nothing

    def _first_shape(self, parts: list[Node], depth: int) -> Column:
        found = [self.shape(part, depth + 1) for part in parts if part]
        return next((column for column in found if column.shape), Column(""))

    def _call_shape(self, fields: Node, depth: int) -> Column:
        name = strings(fields.get("funcname"))[-1]
        arguments = fields.get("args") or [{}]
        helper = self.catalogue.helpers.get(name)
        if helper and helper.columns:
            return Column("", shape=[Column(column) for column in helper.columns])
        named = self.catalogue.sets.get(name, ())
        if len(named) > 1:
            return Column("", shape=[Column(column) for column in named])
        if name in _KEEPS_SHAPE:
            return self.shape(arguments[0], depth + 1)
        if name in _LEXEMES:
            return _lexemes()
        if name in ("array_agg", "unnest"):
            inner = self.shape(arguments[0], depth + 1)
            return Column("", shape=inner.shape, array=name == "array_agg")
        return Column("")

    def few(self, node: Node) -> bool:
        """Say whether an expression takes few distinct values."""
        kind, fields = kind_of(node)
        if kind == "A_Const":
            return True
        if kind == "ColumnRef":
            column = self.resolved.get(id(fields))
            return column is not None and column.few
        if kind == "FuncCall":
            return strings(fields.get("funcname"))[-1] in _FEW_CALLS
        if kind == "TypeCast":
            names = strings(fields.get("typeName", {}).get("names"))
            return names[-1:] in (["date"], ["bool"]) or self.few(fields.get("arg", {}))
        return kind in ("NullTest", "BoolExpr", "BooleanTest")

    def series(self, fields: Node) -> float | None:
        """Return how many rows generate_series gives, or None when nothing bounds it."""
        arguments = fields.get("args") or []
        if len(arguments) < 2:
            return None
        first, last = arguments[0], arguments[1]
        start, stop = self.number(first), self.number(last)
        step: Node = arguments[2] if len(arguments) > 2 else {}
        if stop is not None or start is not None:
            if start is None or stop is None:
                return None
            length = abs(self.number(step) or 1.0) if step else 1.0
            return abs(stop - start) / length + 1
        seconds = self._step(step)
        if not seconds:
            return None
        begin, end = instant(first), instant(last)
        if ENDLESS in (begin, end):
            return None
        if isinstance(begin, datetime) and isinstance(end, datetime):
            return abs((end - begin).total_seconds()) / abs(seconds) + 1
        return DATED_YEARS * YEAR / abs(seconds)

    def _step(self, node: Node) -> float | None:
        text = literal(node)
        if text is not None:
            kind, fields = kind_of(node)
            if text.strip().lstrip("+-").isdigit() and kind == "TypeCast":
                return float(text) * 86_400 if fields["typeName"].get("typmods") else float(text)
            return seconds_of(text)
        kind, fields = kind_of(node)
        if kind == "FuncCall" and strings(fields.get("funcname"))[-1] == "make_interval":
            named = [a["NamedArgExpr"] for a in fields.get("args", []) if "NamedArgExpr" in a]
            total = 0.0
            for argument in named:
                scale = unit_seconds(
                    {"mins": "m", "secs": "s"}.get(argument["name"], argument["name"])
                )
                total += (scale or 0.0) * (self.number(argument.get("arg", {})) or 0.0)
            return total or None
        if kind == "A_Expr" and strings(fields.get("name")) == ["*"]:
            sides = (fields.get("lexpr", {}), fields.get("rexpr", {}))
            steps = [self._step(side) for side in sides]
            times = [self.number(side) for side in sides]
            return next((s * (t or 1.0) for s, t in zip(steps, reversed(times), strict=True) if s),
                        None)  # fmt: skip
        return None


def _lexemes() -> Column:
    """Return the shape of a tsvector, which unnest takes apart like an array of rows."""
    fields = [Column(name) for name in ("lexeme", "positions", "weights")]
    return Column("", shape=fields, array=True)


def _constant_number(fields: Node) -> float | None:
    if "ival" in fields:
        return float(fields["ival"].get("ival", 0))
    text = fields.get("fval", {}).get("fval") or fields.get("sval", {}).get("sval")
    if not text or len(text) > 40:
        return 1e40 if text and "fval" in fields else None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value else None
