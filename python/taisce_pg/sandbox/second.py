"""A second reading by another parser, which may only object.

sqlglot misreads some PostgreSQL, so it never accepts anything and its failure means nothing.
Where it can read a query, it must find no statement, relation, function or qualifier that the
exact parse did not show, and no node outside its own list.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres

from taisce_pg.sandbox.refusal import Reason
from taisce_pg.sandbox.text import Text

_ALLOWED = (
    exp.Condition,
    exp.Query,
    exp.From,
    exp.Join,
    exp.Where,
    exp.Group,
    exp.Having,
    exp.Order,
    exp.Ordered,
    exp.Limit,
    exp.Offset,
    exp.Fetch,
    exp.With,
    exp.CTE,
    exp.RecursiveWithSearch,
    exp.TableAlias,
    exp.Table,
    exp.Identifier,
    exp.Alias,
    exp.Aliases,
    exp.Star,
    exp.Tuple,
    exp.DataType,
    exp.DataTypeParam,
    exp.Window,
    exp.WindowSpec,
    exp.Lateral,
    exp.UDTF,
    exp.Values,
    exp.Distinct,
    exp.Filter,
    exp.Var,
    exp.Interval,
    exp.Cube,
    exp.Rollup,
    exp.GroupingSets,
    exp.Schema,
    exp.ColumnDef,
    exp.PropertyEQ,
    exp.Kwarg,
    exp.JSONKeyValue,
    exp.JSONColumnDef,
    exp.JSONSchema,
    exp.WithinGroup,
    exp.AtTimeZone,
    exp.FromTimeZone,
    exp.FormatJson,
    exp.IgnoreNulls,
    exp.RespectNulls,
    exp.Heredoc,
    exp.National,
    exp.JSON,
    exp.JSONPath,
    exp.JSONPathPart,
    exp.JSONValue,
    exp.JSONExtractQuote,
    exp.LimitOptions,
    exp.OnCondition,
    exp.Slice,
    exp.Lambda,
    exp.Variadic,
    exp.ColumnConstraint,
    exp.PathColumnConstraint,
    exp.Semicolon,
)
_DENIED = (
    exp.Command,
    exp.DML,
    exp.DDL,
    exp.Into,
    exp.Lock,
    exp.TableSample,
    exp.XMLTable,
    exp.SessionUser,
    exp.CurrentUser,
)
_ROOTS = (exp.Query, exp.Values, exp.Table, exp.Paren, exp.Alias)
_MAX_SUBSCRIPTS = 100
_FEW_SUBSCRIPTS = 6
_STEPS_PER_TOKEN = 12
_QUERY_DDL = (exp.Query, exp.Table)
_MOST_SHAPES = 500
_unopposed: set[bytes] = set()
_PLAIN = frozenset({str, bool, int, type(None)})


@dataclass(frozen=True, slots=True)
class Seen:
    """What the exact parse showed, in lower case; the qualifiers include the empty one."""

    relations: frozenset[str]
    functions: frozenset[str]
    qualifiers: frozenset[str]


def object_to(text: Text, seen: Seen) -> None:
    """Refuse a query in which sqlglot sees what PostgreSQL's parser did not show.

    What it had nothing to say about is not asked again with other values in plain literals.
    """
    shape = text.shape() if text.plain() else b""
    if shape in _unopposed:
        return
    for reason, word in _objections(text, seen):
        hint = "Two parsers read this differently; write it in a plainer way."
        byte = text.raw.lower().find(word.lower().encode("utf-8")) if word else -1
        raise text.refuse(reason, byte, hint, word)
    if shape:
        if len(_unopposed) >= _MOST_SHAPES:
            _unopposed.clear()
        _unopposed.add(shape)


_PostgresParser: Any = Postgres.Parser


class _Impatient(_PostgresParser):  # type: ignore[misc]
    """sqlglot's parser with an end: some texts make it try ways without number.

    Only what it takes back makes it read a token twice, so only that is counted.
    """

    steps = 0
    most = 0

    def _retreat(self, index: int) -> None:
        self.steps += 1 + max(self._index - index, 0)
        if self.steps > self.most:
            raise TimeoutError
        super()._retreat(index)


def _parser(dialect: Postgres, most: int) -> Any:
    """Return a parser that gives up; a compiled sqlglot has none, and gets easy texts only."""
    try:
        parser = _Impatient(dialect=dialect)
    except TypeError:
        return None
    parser.most = most
    return parser


def _read(text: Text) -> list[exp.Expression]:
    """Return sqlglot's statements, or none where it has no opinion."""
    if text.kinds.count("ASCII_91") > _MAX_SUBSCRIPTS:
        return []
    logger = logging.getLogger("sqlglot")
    quiet = logger.disabled
    logger.disabled = True
    try:
        dialect = Postgres()
        parser = _parser(dialect, _STEPS_PER_TOKEN * (len(text.kinds) + 1))
        if parser is None:
            if text.kinds.count("ASCII_91") > _FEW_SUBSCRIPTS:
                return []
            parser = _PostgresParser(dialect=dialect)
        trees = parser.parse(dialect.tokenize(text.sql), text.sql)
    except Exception:
        return []
    finally:
        logger.disabled = quiet
    return [tree for tree in trees if tree is not None]


def _objections(text: Text, seen: Seen) -> Iterable[tuple[Reason, str]]:
    trees = _read(text)
    if not trees:
        return
    trees = [tree for tree in trees if not isinstance(tree, exp.Semicolon)]
    if len(trees) != 1:
        yield "multiple_statements", ""
        return
    if not isinstance(trees[0], _ROOTS):
        yield "not_a_query", ""
        return
    stack: list[Any] = [trees[0]]
    while stack:
        node = stack.pop()
        kind: Any = type(node)
        what = _standing(kind)
        if what is None:
            yield "syntax", node.key
        elif what is not exp.Expression:
            yield from _named(what, node, seen)
        for part in node.args.values():
            if part.__class__ in _PLAIN:
                continue
            if isinstance(part, list):
                stack.extend([item for item in part if isinstance(item, exp.Expr)])
            elif isinstance(part, exp.Expr):
                stack.append(part)


def _named(what: type, node: Any, seen: Seen) -> Iterable[tuple[Reason, str]]:
    """Object to a name that the exact parse did not show."""
    if what is exp.Table:
        if isinstance(node.this, exp.Identifier) and node.name.lower() not in seen.relations:
            yield "relation", node.name
    elif what is exp.Anonymous:
        if node.name.lower() not in seen.functions:
            yield "function", node.name
    elif node.args.get("table") and node.table.lower() not in seen.qualifiers:
        yield "column", node.table


@cache
def _standing(kind: Any) -> type | None:
    """Return the class by which a node is judged, or None for one that is not allowed."""
    denied = issubclass(kind, _DENIED) and not issubclass(kind, _QUERY_DDL)
    if denied or not issubclass(kind, _ALLOWED):
        return None
    judged = (exp.Table, exp.Anonymous, exp.Column)
    return next((name for name in judged if issubclass(kind, name)), exp.Expression)
