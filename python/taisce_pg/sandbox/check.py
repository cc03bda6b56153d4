"""The check itself: text, exact parse, names in scopes, costs, and a second parser's veto."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from typing import Literal

from taisce_pg.sandbox.catalogue import Catalogue, load_catalogue
from taisce_pg.sandbox.columns import Resolver
from taisce_pg.sandbox.grammar import Grammar, SemanticCall
from taisce_pg.sandbox.refusal import Refusal
from taisce_pg.sandbox.second import Seen, object_to
from taisce_pg.sandbox.text import VALUE, Text, read_text
from taisce_pg.sandbox.tree import Node, parse

_log = logging.getLogger(__name__)

_KEYWORD_CALLS = """
all any some exists row grouping overlaps normalize mode cast coalesce nullif greatest least
array json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar
json_serialize json_table json_value merge_action
"""

_REMEMBERED = 128
_LIST_OF_VALUES = re.compile(VALUE + rb"(?: , " + VALUE + rb")+")

Tier = Literal["interactive", "analytical"]


@dataclass(frozen=True, slots=True)
class Checked:
    """A query that may run, as it was written, and what is known about it.

    `query_hash` comes of the shape of the query, never of its values. `ordered` says whether
    the outermost level has an ORDER BY. `columns` are the output names in order. `semantic`
    lists the calls that need a vector of their literal text.
    """

    sql: str
    tier: Tier
    parameters: int
    query_hash: str
    views: tuple[str, ...]
    helpers: tuple[str, ...]
    functions: tuple[str, ...]
    ctes: tuple[str, ...]
    columns: tuple[str, ...]
    ordered: bool
    semantic: tuple[SemanticCall, ...]


def check(
    sql: str,
    *,
    tier: Tier = "interactive",
    parameters: Sequence[object] = (),
    catalogue: Catalogue | None = None,
) -> Checked:
    """Return what is known about a query that may run, or raise `Refusal` (TS009).

    Touches no database and runs nothing. Total: a fault of the checker itself is a refusal too,
    with the fault as its cause. `parameters` are the values that will be bound to $1
    and so on; only their number matters. The catalogue defaults to the package's own.
    """
    try:
        if catalogue is None:
            return _checked_before(sql, tier, len(parameters))
        return _check(sql, tier, len(parameters), catalogue)
    except RecursionError:
        raise Refusal("size", "", 0, "The query is nested too deeply.") from None
    except Refusal:
        raise
    except Exception as exc:
        _log.error("the checker failed: %s", type(exc).__name__)
        raise Refusal("syntax", "", 0, "The checker does not understand this query.") from exc


@lru_cache(maxsize=_REMEMBERED)
def _checked_before(sql: str, tier: Tier, parameters: int) -> Checked:
    """Check against the package's own catalogue; what passed lately is known."""
    return _check(sql, tier, parameters, load_catalogue())


def _check(sql: str, tier: Tier, parameters: int, catalogue: Catalogue) -> Checked:
    text = read_text(sql)
    if not text.kinds:
        raise Refusal("not_a_query", "", 0, "Write a SELECT.")
    grammar = Grammar(text, catalogue, parameters)
    root = grammar.statement(parse(text))
    try:
        grammar.check_nodes(root)
    except Refusal:
        grammar.check_effects(root)  # A write or a lock is what an analyst must hear of first.
        raise
    resolver = Resolver(text, catalogue)
    relation = resolver.select(root, None, {})
    object_to(text, _seen(resolver, grammar))
    return Checked(
        sql=sql,
        tier=tier,
        parameters=parameters,
        query_hash=_hash(text),
        views=tuple(sorted(resolver.views)),
        helpers=tuple(sorted(grammar.functions & catalogue.helpers.keys())),
        functions=tuple(sorted(grammar.functions - catalogue.helpers.keys())),
        ctes=tuple(sorted(resolver.ctes)),
        columns=tuple(column.name for column in relation.columns),
        ordered=_ordered(root),
        semantic=tuple(grammar.semantic),
    )


def _seen(resolver: Resolver, grammar: Grammar) -> Seen:
    relations = {*resolver.views, *resolver.ctes, *resolver.table_names}
    schemas = {resolver.catalogue.schema, "pg_catalog", "public", ""}
    return Seen(
        frozenset(name.lower() for name in relations),
        frozenset(name.lower() for name in grammar.functions) | _spelled_otherwise(),
        frozenset(name.lower() for name in resolver.qualifiers | schemas),
    )


@cache
def _spelled_otherwise() -> frozenset[str]:
    """Return names that sqlglot keeps for what PostgreSQL's grammar calls by another."""
    return frozenset(_KEYWORD_CALLS.split())


def _ordered(root: Node) -> bool:
    return bool(root.get("sortClause"))


def _hash(text: Text) -> str:
    return sha256(_LIST_OF_VALUES.sub(VALUE, text.shape())).hexdigest()[:16]
