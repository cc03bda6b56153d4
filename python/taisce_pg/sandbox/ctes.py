"""Common table expressions: their names, their order, and recursion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from taisce_pg.sandbox.cost import MANY, MAX_TEXT
from taisce_pg.sandbox.growth import (
    APART,
    grown,
    merged,
    multiplied,
    outside,
    own,
)
from taisce_pg.sandbox.kinds import FIXED
from taisce_pg.sandbox.recursion import HINT, Counter, arms, check_steps, mentions
from taisce_pg.sandbox.scopes import Column, Relation, Scope, rename
from taisce_pg.sandbox.tree import Node, first_place, place

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
    names = [column.name for column in columns]
    level = resolver.estimates.recursive + 1
    counted = [
        Counter(resolver.text, resolver.estimates, name, names).numbers(arm, columns)
        for arm in arms(query["rarg"])
        if mentions(arm, name)
    ]
    largest = max((column.size for column in columns if column.kind != FIXED), default=0.0)
    itself = Relation(
        [
            replace(
                column,
                number=_largest([numbers[place] for numbers in counted]),
                size=column.size if column.kind == FIXED else largest,
                few=False,
                key=False,
                stems=True,
                copies={} if column.kind == FIXED else {level * APART + place: 1.0},
            )
            for place, column in enumerate(columns)
        ],
        1.0,
        itself=True,
    )
    resolver.estimates.recursive = level
    step = resolver.select(query["rarg"], parent, {**inner, name: itself})
    resolver.estimates.recursive = level - 1
    rows, steps = base.rows, 0.0
    for arm in arms(query["rarg"]):
        if not mentions(arm, name):
            continue
        counter = Counter(resolver.text, resolver.estimates, name, names)
        steps = max(steps, counter.steps(query["larg"], arm, byte))
        rows += check_steps(resolver.text, steps, step.rows, byte) * min(base.rows, MANY)
    made = _grown(resolver, columns, step.columns, itself.columns, steps, query["rarg"])
    return Relation(made, min(rows, 100 * MANY))


def _place_of(arm: Node, index: int) -> int:
    """Return where an output column of a step is written, or the step begins."""
    targets = arm.get("targetList") or []
    return first_place(targets[index] if index < len(targets) else arm, first_place(arm))


def _largest(numbers: list[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return max(known) if known and len(known) == len(numbers) else None


def _grown(
    resolver: Resolver,
    first: list[Column],
    step: list[Column],
    itself: list[Column],
    steps: float,
    arm: Node,
) -> list[Column]:
    """Return the columns after all steps, or refuse values that grow beyond bounds."""
    pairs = list(zip(first, step, itself, strict=False))
    level = resolver.estimates.recursive + 1
    matrix = [{} if ours.kind == FIXED else own(after.copies, level) for ours, after, _ in pairs]
    largest = max((mine.size for _, _, mine in pairs if mine.kind != FIXED), default=0.0)
    added = [
        max(after.size - largest * (1 if held else 0), 0.0)
        for (_, after, _), held in zip(pairs, matrix, strict=True)
    ]
    sizes = grown([ours.size for ours in first[: len(pairs)]], matrix, added, steps, MAX_TEXT)
    if max(sizes, default=0.0) > MAX_TEXT:
        hint = f"A value may have about {MAX_TEXT:.0f} characters after all steps."
        raise resolver.text.refuse("cost", _place_of(arm, sizes.index(max(sizes))), hint)
    made = []
    for (ours, after, mine), size in zip(pairs, sizes, strict=True):
        number = mine.number if after.stems else _largest([ours.number, after.number])
        outer = merged([ours.copies, multiplied(outside(after.copies, level))])
        stems = level > 1 or ours.stems
        made.append(replace(ours, size=size, number=number, stems=stems, copies=outer))
    return [*made, *first[len(pairs) :]]
