"""Common table expressions: their names, their order, and recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taisce_pg.sandbox.cost import MANY
from taisce_pg.sandbox.recursion import HINT, Counter, arms, check_steps, mentions
from taisce_pg.sandbox.scopes import Column, Relation, Scope, rename
from taisce_pg.sandbox.tree import Node, place

if TYPE_CHECKING:
    from taisce_pg.sandbox.columns import Resolver


def define_ctes(
    resolver: Resolver, clause: Node, parent: Scope | None, ctes: dict[str, Relation]
) -> dict[str, Relation]:
    """Return the CTEs a SELECT can see: those around it and its own WITH clause."""
    known = dict(ctes)
    waiting = [cte["CommonTableExpr"] for cte in clause.get("ctes") or []]
    for cte in waiting:
        name = cte["ctename"]
        if name in resolver.catalogue.views:
            hint = "Give the WITH query a name that no view has."
            raise resolver.text.refuse("relation", place(cte), hint)
        resolver.ctes.add(name)
    if not clause.get("recursive"):
        for cte in waiting:
            known[cte["ctename"]] = _define(resolver, cte, parent, known, recursive=False)
        return known
    while waiting:
        cte = _next(resolver, waiting)
        waiting.remove(cte)
        known[cte["ctename"]] = _define(resolver, cte, parent, known, recursive=True)
    return known


def _next(resolver: Resolver, waiting: list[Node]) -> Node:
    """Return the first CTE that needs none of the others still waiting."""
    for cte in waiting:
        others = [other["ctename"] for other in waiting if other is not cte]
        if not any(mentions(cte["ctequery"], name) for name in others):
            return cte
    raise resolver.text.refuse("recursion", place(waiting[0]), HINT)


def _define(
    resolver: Resolver,
    cte: Node,
    parent: Scope | None,
    ctes: dict[str, Relation],
    recursive: bool,
) -> Relation:
    name = cte["ctename"]
    query = cte["ctequery"]["SelectStmt"]
    names = {"colnames": cte.get("aliascolnames")}
    if recursive and mentions(query, name):
        relation = _recursive(resolver, cte, query, parent, ctes)
    else:
        relation = resolver.select(query, parent, ctes)
    columns = rename(relation.columns, names)
    search, cycle = cte.get("search_clause") or {}, cte.get("cycle_clause") or {}
    added = (
        search.get("search_seq_column"),
        cycle.get("cycle_mark_column"),
        cycle.get("cycle_path_column"),
    )
    return Relation([*columns, *(Column(word) for word in added if word)], relation.rows)


def _recursive(
    resolver: Resolver, cte: Node, query: Node, parent: Scope | None, ctes: dict[str, Relation]
) -> Relation:
    name, byte = cte["ctename"], place(cte)
    inner = ctes
    if query.get("op") != "SETOP_UNION" or mentions(query.get("larg"), name):
        raise resolver.text.refuse("recursion", byte, HINT)
    if query.get("withClause"):
        inner = define_ctes(resolver, query["withClause"], parent, ctes)
    base = resolver.select(query["larg"], parent, inner)
    columns = rename(base.columns, {"colnames": cte.get("aliascolnames")})
    itself = Relation([_unsure(column) for column in columns], 1.0, itself=True)
    arm_rows = resolver.select(query["rarg"], parent, {**inner, name: itself}).rows
    rows = base.rows
    for arm in arms(query["rarg"]):
        if not mentions(arm, name):
            continue
        counter = Counter(resolver.text, resolver.estimates, name, [c.name for c in columns])
        steps = counter.steps(query["larg"], arm, byte)
        rows += check_steps(resolver.text, steps, arm_rows, byte) * min(base.rows, MANY)
    return Relation(columns, min(rows, 100 * MANY))


def _unsure(column: Column) -> Column:
    number = None if column.number is None else max(column.number, 10_000.0)
    return Column(column.name, number, column.size, False, column.shape, column.array)
