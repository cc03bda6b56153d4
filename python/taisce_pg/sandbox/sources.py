"""The items of a FROM clause: views, CTEs, subqueries, functions, JSON tables, joins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from taisce_pg.sandbox.catalogue import suggest
from taisce_pg.sandbox.cost import MANY, Joins
from taisce_pg.sandbox.estimates import SOME_NUMBER
from taisce_pg.sandbox.growth import copies, stems
from taisce_pg.sandbox.kinds import FIXED, kind_of_type, value_kind
from taisce_pg.sandbox.scopes import Column, Relation, Scope, Source, output_name, rename
from taisce_pg.sandbox.tree import Node, first_place, kind_of, place, strings

if TYPE_CHECKING:
    from taisce_pg.sandbox.columns import Resolver

_NUMBERS = {"integer": SOME_NUMBER, "bigint": SOME_NUMBER, "double precision": 100.0}
_SHORT = frozenset({"uuid", "timestamptz", "integer", "bigint", "boolean", "double precision"})
_SET_ROWS = 100.0


class SourceReader:
    """Adds the items of FROM clauses to scopes."""

    def __init__(self, resolver: Resolver) -> None:
        """Keep the resolver that reads expressions and subqueries."""
        self._resolver = resolver

    def read(self, node: Node, scope: Scope, joins: Joins) -> None:
        """Add one item, with all that is joined in it, to a scope."""
        kind, fields = kind_of(node)
        if kind == "RangeVar":
            self._relation(fields, scope, joins)
        elif kind == "RangeSubselect":
            self._subquery(fields, scope, joins)
        elif kind == "RangeFunction":
            self._functions(fields, scope, joins)
        elif kind == "JsonTable":
            self._json_table(fields, scope, joins)
        elif kind == "JoinExpr":
            self._join(fields, scope, joins)
        else:
            raise self._resolver.text.refuse("syntax", place(fields), "This is no source of rows.")

    def _relation(self, fields: Node, scope: Scope, joins: Joins) -> None:
        resolver = self._resolver
        name, schema = fields["relname"], fields.get("schemaname")
        alias = fields.get("alias") or {}
        own = resolver.catalogue.schema
        relation: Relation | None = None
        if "catalogname" not in fields:
            if schema is None and name in scope.ctes:
                relation = scope.ctes[name]
            elif schema in (None, own):
                relation, schema = self._view(name), own
        if relation is None:
            known = (*resolver.catalogue.views, *scope.ctes)
            hint = suggest(name, known, "query_space() lists the views.")
            raise resolver.text.refuse("relation", place(fields), hint)
        columns = rename(relation.columns, alias)
        leaf = joins.add(relation.rows, relation.itself)
        shown = alias.get("aliasname", name)
        self._add(scope, shown, None if alias else schema, columns, leaf)

    def _view(self, name: str) -> Relation | None:
        view = self._resolver.catalogue.views.get(name)
        if view is None:
            return None
        self._resolver.views.add(name)
        columns = [
            Column(
                column,
                _NUMBERS.get(kind),
                40.0 if kind in _SHORT else 1_000.0,
                column in view.few,
                key=column in view.key,
                kind=kind_of_type(kind),
            )
            for column, kind in view.columns.items()
        ]
        return Relation(columns, 1.0 if view.key == {"project"} else MANY)

    def _subquery(self, fields: Node, scope: Scope, joins: Joins) -> None:
        resolver = self._resolver
        lateral = bool(fields.get("lateral"))
        select = fields["subquery"]["SelectStmt"]
        touched: set[tuple[Source, str]] = set()
        resolver.touched.append(touched)
        outer = scope if lateral else scope.parent
        relation = resolver.select(select, outer, scope.ctes, quiet_targets=lateral)
        resolver.touched.pop()
        for collected in resolver.touched:
            collected.update(touched)
        alias = fields.get("alias") or {}
        leaf = joins.add(relation.rows)
        self._tie(touched, leaf, scope, joins)
        columns = rename(relation.columns, alias)
        self._add(scope, alias.get("aliasname"), None, columns, leaf)

    def _functions(self, fields: Node, scope: Scope, joins: Joins) -> None:
        alias = fields.get("alias") or {}
        columns: list[Column] = []
        items = fields.get("functions") or []
        rows, plain = 1.0, False
        touched: set[tuple[Source, str]] = set()
        for item in items:
            function, definition = [*item["List"]["items"], {}][:2]
            series, self._resolver.set_calls = self._resolver.set_calls, []
            touched |= self._resolver.collect(function, scope)
            inner, self._resolver.set_calls = self._resolver.set_calls, series
            definition = fields.get("coldeflist") or definition
            name = alias.get("aliasname") if len(items) == 1 else None
            if definition:
                found = [Column(name) for name in _defined(definition)]
            else:
                found, plain = self._function_columns(function, name)
            columns.extend(self._traced(function, found))
            rows = max(rows, self._function_rows(function, inner, bool(touched)))
        if fields.get("ordinality"):
            columns.append(Column("ordinality", SOME_NUMBER, kind=FIXED))
            plain = False
        only = items[0]["List"]["items"][0] if len(items) == 1 else {}
        shown = alias.get("aliasname") or (output_name(only) if only else None)
        leaf = joins.add(rows)
        self._tie(touched, leaf, scope, joins)
        plain = plain and len(columns) == 1
        self._add(scope, shown, None, rename(columns, alias), leaf, plain)

    def _traced(self, function: Node, columns: list[Column]) -> list[Column]:
        """Return the columns of a call with what they hold of the step before of a recursion."""
        estimates = self._resolver.estimates
        if not stems(estimates, function):
            return columns
        held = copies(estimates, function)
        return [replace(column, stems=True, copies=held) for column in columns]

    def _function_rows(
        self, function: Node, series: list[tuple[float, Node]], correlated: bool
    ) -> float:
        """Guess the rows of a call; a series must be short when every row has its own."""
        resolver = self._resolver
        kind, fields = kind_of(function)
        if kind != "FuncCall":
            return 1.0
        name = strings(fields.get("funcname"))[-1]
        rows = resolver.calls.check_product(MANY if correlated else 1.0, series)
        if name == "generate_series":
            return rows / MANY if correlated else rows
        helper = resolver.catalogue.helpers.get(name)
        if helper is not None:
            return _SET_ROWS if helper.columns is not None else 1.0
        if name not in resolver.catalogue.sets:
            return 1.0
        arguments = fields.get("args") or []
        rows = max((resolver.estimates.elements(part) for part in arguments), default=1.0)
        return max(rows, _SET_ROWS)

    def _function_columns(self, function: Node, alias: str | None) -> tuple[list[Column], bool]:
        """Return the columns of a call, and whether it gives a plain value."""
        estimates = self._resolver.estimates
        kind, fields = kind_of(function)
        name = output_name(function)
        if kind == "FuncCall":
            helper = self._resolver.catalogue.helpers.get(name)
            if helper and helper.columns:
                return _typed(helper.columns), False
            named = self._resolver.catalogue.sets.get(name, ())
            if named:
                return [Column(column) for column in named], len(named) == 1
            if name == "unnest":
                return self._unnested(fields, alias or name)
            shape = estimates.shape(function)
            if shape.shape and not shape.array:
                return list(shape.shape), False
            if name == "generate_series":
                bounds = [estimates.number(part) for part in fields.get("args", [])[:2]]
                known = [bound for bound in bounds if bound is not None]
                return [Column(alias or name, max(known, default=None), 40.0, kind=FIXED)], True
        return [
            Column(
                alias or name,
                estimates.number(function),
                estimates.size(function),
                kind=value_kind(estimates, function),
            )
        ], True

    def _unnested(self, fields: Node, name: str) -> tuple[list[Column], bool]:
        columns: list[Column] = []
        arguments = fields.get("args") or []
        for argument in arguments:
            shape = self._resolver.estimates.shape(argument)
            if shape.shape and shape.array:
                columns.extend(shape.shape)
            else:
                alone = len(arguments) == 1
                columns.append(Column(name if alone else "unnest"))
        return columns, len(columns) == 1

    def _json_table(self, fields: Node, scope: Scope, joins: Joins) -> None:
        parts = [fields.get(key) for key in ("context_item", "passing", "columns", "on_error")]
        touched = self._resolver.collect(parts, scope)
        names: list[str] = []
        stack = list(reversed(fields.get("columns") or []))
        while stack:
            column = stack.pop()["JsonTableColumn"]
            if column.get("name") and column.get("coltype") != "JTC_NESTED":
                names.append(column["name"])
            stack.extend(reversed(column.get("columns") or []))
        alias = fields.get("alias") or {}
        leaf = joins.add(_SET_ROWS)
        self._tie(touched, leaf, scope, joins)
        estimates = self._resolver.estimates
        held = Column(
            "", stems=stems(estimates, parts), copies=copies(estimates, {"JsonTable": fields})
        )
        columns = rename([held.renamed(name) for name in names], alias)
        self._add(scope, alias.get("aliasname", "json_table"), None, columns, leaf)

    def _join(self, fields: Node, scope: Scope, joins: Joins) -> None:
        first, star = len(scope.sources), len(scope.star)
        self.read(fields["larg"], scope, joins)
        middle, star_middle = len(scope.sources), len(scope.star)
        self.read(fields["rarg"], scope, joins)
        left, right = scope.sources[first:middle], scope.sources[middle:]
        using = strings(fields.get("usingClause"))
        if fields.get("isNatural"):
            theirs = {column.name for column in scope.star[star_middle:]}
            using = [c.name for c in scope.star[star:star_middle] if c.name in theirs]
        merged: list[Column] = []
        if using:
            merged = self._merge(fields, using, left, right, joins)
            before, after = scope.star[star:star_middle], scope.star[star_middle:]
            rest = [column for column in (*before, *after) if column.name not in using]
            scope.star[star:] = [*merged, *rest]
        self._resolver.condition(fields.get("quals"), scope, joins)
        leaves = frozenset(leaf for source in (*left, *right) for leaf in source.leaves)
        alias = fields.get("alias")
        if alias:
            columns = rename(scope.star[star:], alias)
            scope.star[star:] = columns
            scope.sources[first:] = [Source(alias["aliasname"], None, columns, leaves)]
        elif fields.get("join_using_alias"):
            name = fields["join_using_alias"]["aliasname"]
            scope.sources.append(Source(name, None, merged, leaves))

    def _merge(
        self, fields: Node, using: list[str], left: list[Source], right: list[Source], joins: Joins
    ) -> list[Column]:
        resolver = self._resolver
        merged = []
        for name in using:
            ours = next((source for source in left if name in source.by_name), None)
            theirs = next((source for source in right if name in source.by_name), None)
            if ours is None or theirs is None:
                names = {key for source in left for key in source.by_name}
                hint = suggest(name, names, f"Both sides of the join need the column {name}.")
                raise resolver.text.refuse("column", first_place(fields["rarg"]), hint)
            merged.append(ours.by_name[name])
            if name != "project":
                joins.tie(set(ours.leaves | theirs.leaves), equal=True)
        return merged

    def _tie(self, touched: set[tuple[Source, str]], leaf: int, scope: Scope, joins: Joins) -> None:
        tied = {
            other
            for source, name in touched
            if source in scope.sources and name != "project"
            for other in source.leaves
        }
        if tied:
            joins.tie({leaf, *tied}, equal=False)

    def _add(
        self,
        scope: Scope,
        name: str | None,
        schema: str | None,
        columns: list[Column],
        leaf: int,
        plain: bool = False,
    ) -> None:
        if name:
            self._resolver.table_names.add(name)
        scope.sources.append(Source(name, schema, columns, frozenset((leaf,)), plain))
        scope.star.extend(columns)


def _typed(columns: dict[str, str]) -> list[Column]:
    return [
        Column(
            name,
            _NUMBERS.get(kind),
            40.0 if kind in _SHORT else 1_000.0,
            kind=kind_of_type(kind),
        )
        for name, kind in columns.items()
    ]


def _defined(definition: Any) -> list[str]:
    nodes = definition
    if isinstance(definition, dict):
        nodes = definition.get("List", {}).get("items", [])
    return [node["ColumnDef"]["colname"] for node in nodes if "ColumnDef" in node]
