"""What a name may stand for at a place in a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from taisce_pg.sandbox.tree import Node, kind_of, strings


@dataclass(slots=True)
class Column:
    """A column of a source, or the value of an expression.

    `number` is the largest value to reckon with and `size` the length of the text, both
    guesses for the cost bounds; `few` says that distinct values are few; `shape` holds the
    columns of a composite value, of each element if `array`. `kind` is a word of `kinds`;
    `stems` says that it depends on the step before of a recursion, and `copies` how often it
    holds each of that step's columns.
    """

    name: str
    number: float | None = None
    size: float = 1000.0
    few: bool = False
    shape: Sequence[Column] | None = None
    array: bool = False
    key: bool = False
    kind: str = "other"
    stems: bool = False
    copies: dict[int, float] = field(default_factory=dict)

    def renamed(self, name: str) -> Column:
        """Return the same column under another name."""
        return replace(self, name=name)


@dataclass(slots=True)
class Relation:
    """The columns of a query, a view or a function, and about how many rows it has.

    `itself` marks what a recursion calls its own rows of the step before.
    """

    columns: list[Column]
    rows: float
    itself: bool = False


@dataclass(eq=False, slots=True)
class Source:
    """One item of a FROM clause under its name; a `plain` one is a single value a row."""

    name: str | None
    schema: str | None
    columns: list[Column]
    leaves: frozenset[int]
    plain: bool = False
    by_name: dict[str, Column] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the columns; the first of two equal names is kept."""
        for column in self.columns:
            self.by_name.setdefault(column.name, column)


@dataclass(eq=False, slots=True)
class Scope:
    """The sources one SELECT can see, inside those of the SELECT around it."""

    parent: Scope | None
    ctes: dict[str, Relation]
    sources: list[Source] = field(default_factory=list)
    star: list[Column] = field(default_factory=list)


def rename(columns: list[Column], alias: Node | None) -> list[Column]:
    """Return columns under the names of an alias's column list; further ones keep theirs.

    More names than columns name what only the server knows of, such as what unnest makes of
    a value of a type without an own spelling here; it refuses them if there is nothing.
    """
    names = strings(alias.get("colnames")) if alias else []
    if not names:
        return columns
    head = [column.renamed(name) for column, name in zip(columns, names, strict=False)]
    return head + columns[len(names) :] + [Column(name) for name in names[len(columns) :]]


def all_sources(scope: Scope) -> list[Source]:
    """Return the sources of a scope and of those around it."""
    found: list[Source] = []
    level: Scope | None = scope
    while level is not None:
        found.extend(level.sources)
        level = level.parent
    return found


def find_source(names: list[str], scope: Scope) -> Source | None:
    """Return the nearest source that a qualifier of one or two parts means."""
    schema = names[0] if len(names) == 2 else None
    if len(names) > 2:
        return None
    level: Scope | None = scope
    while level is not None:
        for source in level.sources:
            if source.name == names[-1] and schema in (None, source.schema):
                return source
        level = level.parent
    return None


def bare_name(node: Node) -> str:
    """Return the name that is the whole of an expression, or nothing."""
    parts = node.get("ColumnRef", {}).get("fields") or []
    return strings(parts)[0] if len(parts) == 1 and "String" in parts[0] else ""


def joined(same: tuple[Column, ...]) -> Column:
    """Return the column of a set operation that the columns of its arms make."""
    first = same[0]
    numbers = [column.number for column in same]
    known = [number for number in numbers if number is not None]
    number = max(known) if len(known) == len(numbers) else None
    size = max(column.size for column in same)
    few = all(column.few for column in same)
    kinds = {column.kind for column in same}
    if len(kinds) == 2:
        kinds.discard("text")  # A literal takes the type of what stands beside it.
    copies: dict[int, float] = {}
    for column in same:
        for place, count in column.copies.items():
            copies[place] = max(copies.get(place, 0.0), count)
    return Column(
        first.name,
        number,
        size,
        few,
        first.shape,
        first.array,
        kind=kinds.pop() if len(kinds) == 1 else "other",
        stems=any(column.stems for column in same),
        copies=copies,
    )


_FIXED_NAMES = {
    "A_ArrayExpr": "array",
    "RowExpr": "row",
    "CoalesceExpr": "coalesce",
    "GroupingFunc": "grouping",
    "JsonParseExpr": "json",
    "JsonScalarExpr": "json_scalar",
    "JsonSerializeExpr": "json_serialize",
    "JsonObjectConstructor": "json_object",
    "JsonArrayConstructor": "json_array",
    "JsonArrayQueryConstructor": "json_array",
    "JsonObjectAgg": "json_objectagg",
    "JsonArrayAgg": "json_arrayagg",
}
_JSON_NAMES = {
    "JSON_EXISTS_OP": "json_exists",
    "JSON_QUERY_OP": "json_query",
    "JSON_VALUE_OP": "json_value",
}
_UNNAMED = "?column?"


def output_name(node: Node) -> str:
    """Return the name that PostgreSQL gives to an output column without an alias."""
    return _figured(node)[0] or _UNNAMED


def _figured(node: Node) -> tuple[str, int]:
    """Return a name and how strongly it is meant: 2 surely, 1 if nothing better, 0 none."""
    fallback: tuple[str, int] = ("", 0)
    while node:
        kind, fields = kind_of(node)
        if kind in ("ColumnRef", "A_Indirection"):
            parts = fields.get("fields") or fields.get("indirection") or []
            named = [part for part in parts if "String" in part]
            if named:
                return strings(named)[-1], 2
            node = fields.get("arg", {})
        elif kind == "FuncCall":
            return strings(fields.get("funcname"))[-1], 2
        elif kind == "A_Expr":
            return ("nullif", 2) if fields.get("kind") == "AEXPR_NULLIF" else fallback
        elif kind == "TypeCast":
            names = strings(fields.get("typeName", {}).get("names"))
            fallback = fallback if fallback[1] else (names[-1] if names else "", 1)
            node = fields.get("arg", {})
        elif kind == "CollateClause":
            node = fields.get("arg", {})
        elif kind == "CaseExpr":
            fallback = fallback if fallback[1] else ("case", 1)
            node = fields.get("defresult", {})
        elif kind == "SubLink":
            return _figured_sublink(fields, fallback)
        elif kind == "MinMaxExpr":
            return ("least" if fields.get("op") == "IS_LEAST" else "greatest"), 2
        elif kind == "SQLValueFunction":
            word = fields.get("op", "").removeprefix("SVFOP_").removesuffix("_N")
            return word.lower(), 2
        elif kind == "JsonFuncExpr":
            return _JSON_NAMES.get(fields.get("op", ""), ""), 2
        elif kind in _FIXED_NAMES:
            return _FIXED_NAMES[kind], 2
        else:
            return fallback
    return fallback


def _figured_sublink(fields: Node, fallback: tuple[str, int]) -> tuple[str, int]:
    kind = fields.get("subLinkType")
    if kind == "EXISTS_SUBLINK":
        return "exists", 2
    if kind == "ARRAY_SUBLINK":
        return "array", 2
    if kind == "EXPR_SUBLINK":
        select = fields.get("subselect", {}).get("SelectStmt", {})
        while select.get("larg"):
            select = select["larg"]
        targets = select.get("targetList") or []
        if targets:
            target = targets[0]["ResTarget"]
            if target.get("name"):
                return target["name"], 2
            return _figured(target.get("val", {}))
        if select.get("valuesLists"):
            return "column1", 2
    return fallback
