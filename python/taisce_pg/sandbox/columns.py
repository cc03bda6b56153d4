"""Names in their scopes: every relation is a view, a helper or a CTE, every column is known.

A column that is not one of its source's would be a function call in disguise, such as
`f.row_to_json`, or a system column; both are refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from taisce_pg.sandbox import cost
from taisce_pg.sandbox.catalogue import Catalogue, suggest
from taisce_pg.sandbox.ctes import define_ctes
from taisce_pg.sandbox.estimates import FEW, Estimates
from taisce_pg.sandbox.growth import copies, stems
from taisce_pg.sandbox.kinds import FIXED, value_kind
from taisce_pg.sandbox.recursion import conjuncts_of
from taisce_pg.sandbox.scopes import (
    Column,
    Relation,
    Scope,
    Source,
    all_sources,
    bare_name,
    find_source,
    joined,
    output_name,
)
from taisce_pg.sandbox.sources import SourceReader
from taisce_pg.sandbox.text import Text
from taisce_pg.sandbox.tree import Node, first_place, kind_of, place, strings

_SKIPPED = frozenset({"typeName", "TypeName", "A_Const", "typmods", "funcname", "name", "String"})


class Resolver:
    """Resolves one parse tree; refuses what a name must not stand for."""

    def __init__(self, text: Text, catalogue: Catalogue) -> None:
        """Keep the text and the catalogue; nothing has been looked at yet."""
        self.text = text
        self.catalogue = catalogue
        self.estimates = Estimates(catalogue)
        self.calls = cost.Calls(text, self.estimates)
        self.views: set[str] = set()
        self.ctes: set[str] = set()
        self.table_names: set[str] = set()
        self.qualifiers: set[str] = set()
        self.touched: list[set[tuple[Source, str]]] = []
        self.set_calls: list[tuple[float, Node]] = []
        self.gathered: list[tuple[float, Node]] = []
        self._sources = SourceReader(self)

    def select(
        self,
        select: Node,
        parent: Scope | None,
        ctes: dict[str, Relation],
        quiet_targets: bool = False,
    ) -> Relation:
        """Resolve one SELECT, VALUES or set operation and return what it gives.

        With `quiet_targets` the output list does not count as a tie to outer sources.
        """
        known = self.estimates.relations.get(id(select))
        if known is not None:
            return known
        if select.get("withClause"):
            ctes = define_ctes(self, select["withClause"], parent, ctes)
        if select.get("op", "SETOP_NONE") != "SETOP_NONE":
            relation = self._set_operation(select, parent, ctes)
        elif select.get("valuesLists"):
            relation = self._values(select, Scope(parent, ctes))
        else:
            relation = self._plain(select, Scope(parent, ctes), quiet_targets)
        relation.rows = cost.limited(relation.rows, select.get("limitCount"), self.estimates)
        self.estimates.relations[id(select)] = relation
        return relation

    def _set_operation(
        self, select: Node, parent: Scope | None, ctes: dict[str, Relation]
    ) -> Relation:
        arms: list[Node] = []
        node = select
        while True:
            arms.append(node.get("rarg", {}))
            node = node.get("larg", {})
            chained = node.get("op", "SETOP_NONE") != "SETOP_NONE"
            if not chained or node.keys() & {"withClause", "sortClause", "limitCount"}:
                break
        arms.append(node)
        relations = [self.select(arm, parent, ctes) for arm in reversed(arms)]
        rows = sum(relation.rows for relation in relations)
        if rows > cost.MAX_ROWS:
            hint = "The arms of this UNION repeat too much."
            raise self.text.refuse("cost", first_place(select), hint)
        columns = [joined(same) for same in zip(*(r.columns for r in relations), strict=False)]
        scope = Scope(parent, ctes, [Source(None, None, columns, frozenset())])
        self._order(select.get("sortClause"), scope, columns)
        self._limits(select, scope)
        return Relation(columns, rows)

    def _values(self, select: Node, scope: Scope) -> Relation:
        rows: list[list[Node]] = [row["List"].get("items", []) for row in select["valuesLists"]]
        self.expression(rows, scope)
        columns = []
        for index in range(len(rows[0])):
            cells = [row[index] for row in rows if index < len(row)]
            same = [self._described("", cell) for cell in cells]
            column = replace(joined(tuple(same)), few=True)
            columns.append(column.renamed(f"column{index + 1}"))
        self._order(select.get("sortClause"), scope, columns)
        self._limits(select, scope)
        return Relation(columns, float(len(rows)))

    def _plain(self, select: Node, scope: Scope, quiet_targets: bool) -> Relation:
        joins = cost.Joins()
        for item in select.get("fromClause") or []:
            self._sources.read(item, scope, joins)
        self.condition(select.get("whereClause"), scope, joins)
        rows, fits = joins.total()
        if not fits:
            byte = first_place(select["fromClause"])
            hint = "Join the sources by a condition, or bound them by a limit."
            raise self.text.refuse("cost", byte, hint)
        series, self.set_calls = self.set_calls, []
        gathered, self.gathered = self.gathered, []
        outer, self.touched = self.touched, [] if quiet_targets else self.touched
        outputs = self._targets(select.get("targetList") or [], scope)
        self.touched = outer
        keys = self._group_keys(select, scope, outputs)
        self.expression([select.get("havingClause"), select.get("windowClause")], scope)
        distinct = select.get("distinctClause")
        self._order([node for node in distinct or [] if node], scope, outputs)
        self._order(select.get("sortClause"), scope, outputs)
        self._limits(select, scope)
        rows = self.calls.check_product(rows, self.set_calls)
        self.calls.check_gathered(rows, self.gathered)
        if rows < cost.MANY and self.gathered:
            whole = max(size for size, _ in self.gathered) * rows
            outputs = [
                column if column.kind == FIXED else replace(column, size=max(column.size, whole))
                for column in outputs
            ]
        self.set_calls, self.gathered = series, gathered
        if select.get("groupClause"):
            rows = cost.grouped_rows(keys, rows, self.estimates)
        elif select.get("havingClause") or cost.aggregates(
            select.get("targetList"), self.catalogue.aggregates
        ):
            rows = 1.0
        elif distinct and all(column.few for column in outputs):
            rows = min(rows, FEW if len(outputs) == 1 else cost.MAX_FACTOR)
        return Relation(outputs, rows)

    def condition(self, node: Node | None, scope: Scope, joins: cost.Joins) -> None:
        """Resolve a condition and note which items of the FROM clause it ties together."""
        if not node:
            return
        for conjunct in conjuncts_of(node):
            touched = self.collect(conjunct, scope)
            mine = {pair for pair in touched if pair[0] in scope.sources}
            leaves = {leaf for source, _ in mine for leaf in source.leaves}
            tie, equal = cost.is_tie(conjunct)
            if tie and len(leaves) > 1 and any(name != "project" for _, name in mine):
                joins.tie(leaves, equal)
            elif len(leaves) == 1 and len(mine) == 1:
                constants = cost.picks(conjunct, self.estimates)
                source, name = next(iter(mine))
                if constants and name != "project":
                    each = 10.0 if source.by_name[name].key else FEW
                    joins.restrict(next(iter(leaves)), each * constants)

    def collect(self, node: Any, scope: Scope) -> set[tuple[Source, str]]:
        """Resolve an expression and return the source columns it uses, of every level."""
        touched: set[tuple[Source, str]] = set()
        self.touched.append(touched)
        self.expression(node, scope)
        self.touched.pop()
        for outer in self.touched:
            outer.update(touched)
        return touched

    def _targets(self, targets: list[Node], scope: Scope) -> list[Column]:
        outputs: list[Column] = []
        for target in targets:
            fields = target["ResTarget"]
            value = fields.get("val", {})
            kind, inner = kind_of(value)
            self.expression(value, scope)
            parts = inner.get("fields") or inner.get("indirection") or [{}]
            if kind in ("ColumnRef", "A_Indirection") and "A_Star" in parts[-1]:
                outputs.extend(self._starred(kind, inner, scope))
                continue
            outputs.append(self._described(fields.get("name") or output_name(value), value))
        return outputs

    def _described(self, name: str, value: Node) -> Column:
        """Return the column that an expression makes, or refuse an enormous one."""
        estimates = self.estimates
        shape = estimates.shape(value)
        return Column(
            name,
            estimates.number(value),
            self.calls.check_size(value),
            estimates.few(value),
            shape.shape,
            shape.array,
            kind=value_kind(estimates, value),
            stems=stems(estimates, value),
            copies=copies(estimates, value),
        )

    def _starred(self, kind: str, inner: Node, scope: Scope) -> Iterable[Column]:
        if kind == "ColumnRef" and len(inner["fields"]) == 1:
            return scope.star
        return self.estimates.resolved[id(inner)].shape or ()

    def _group_keys(self, select: Node, scope: Scope, outputs: list[Column]) -> list[Node]:
        clause = select.get("groupClause") or []
        if cost.grouping_sets(clause) > cost.MAX_GROUPING_SETS:
            hint = f"A query may ask for {cost.MAX_GROUPING_SETS} grouping sets."
            byte = next(place(kind_of(item)[1]) for item in clause if "GroupingSet" in item)
            raise self.text.refuse("cost", byte, hint)
        targets = [target["ResTarget"] for target in select.get("targetList") or []]
        keys: list[Node] = []
        for item in clause:
            name = bare_name(item)
            named = [t.get("val", {}) for t in targets if t.get("name") == name and name]
            if named and not self._visible(name, scope):
                keys.append(named[0])
                continue
            index = item.get("A_Const", {}).get("ival", {}).get("ival", 0)
            keys.append(targets[index - 1].get("val", {}) if 0 < index <= len(targets) else item)
            self._grouping(item, scope, outputs)
        return keys

    def _grouping(self, item: Node, scope: Scope, outputs: list[Column]) -> None:
        stack = [item]
        while stack:
            node = stack.pop()
            if "GroupingSet" in node:
                stack.extend(node["GroupingSet"].get("content") or [])
                continue
            name = bare_name(node)
            known = any(column.name == name for column in outputs)
            if not (name and known and not self._visible(name, scope)):
                self.expression(node, scope)

    def _order(self, clause: list[Node] | None, scope: Scope, outputs: list[Column]) -> None:
        names = {column.name for column in outputs}
        for item in clause or []:
            node = item.get("SortBy", {}).get("node", {}) if "SortBy" in item else item
            if bare_name(node) not in names:
                self.expression(node, scope)

    def _limits(self, select: Node, scope: Scope) -> None:
        self.expression([select.get("limitCount"), select.get("limitOffset")], scope)

    def expression(self, node: Any, scope: Scope) -> None:
        """Resolve every name of an expression, then look at its costly calls."""
        stack: list[Any] = [node]
        calls: list[Node] = []
        selections: list[Node] = []
        joins: list[Node] = []
        while stack:
            value = stack.pop()
            if value.__class__ is list:
                stack += value
                continue
            if value.__class__ is not dict:
                continue
            for key, inner in value.items():
                if inner.__class__ is list:
                    if key not in _SKIPPED:
                        stack += inner
                elif inner.__class__ is not dict or key in _SKIPPED:
                    continue
                elif key == "ColumnRef":
                    self.estimates.resolved[id(inner)] = self._column(inner, scope)
                elif key == "SelectStmt":
                    self.select(inner, scope, scope.ctes)
                else:
                    if key == "FuncCall":
                        calls.append(inner)
                    elif key == "A_Expr" and strings(inner.get("name")) == ["||"]:
                        joins.append(value)
                    elif key == "A_Indirection":
                        selections.append(inner)
                    stack.append(inner)
        for selection in reversed(selections):
            self.estimates.resolved[id(selection)] = self._selected(selection)
        for call in reversed(calls):
            self._call(call)
            self.calls.check_size({"FuncCall": call})
        for join in joins:
            self.calls.check_size(join)

    def _call(self, call: Node) -> None:
        name = strings(call.get("funcname"))[-1]
        if cost.watched(name):
            if name == "generate_series":
                self.set_calls.append((self.calls.series_rows(call), call))
            else:
                self.calls.check(call)
        if name in cost.GATHERING:
            size = max((self.estimates.size(part) for part in call.get("args") or []), default=0.0)
            self.gathered.append((size, call))

    def _column(self, fields: Node, scope: Scope) -> Column:
        parts = fields.get("fields") or []
        names = strings(parts)
        starred = "A_Star" in parts[-1]
        if starred:
            names = names[:-1]
            if not names:
                return Column("*")
            return self._whole_row(fields, names, scope)
        if len(names) == 1:
            return self._unqualified(fields, names[0], scope)
        source = find_source(names[:-1], scope)
        if source is None:
            raise self._unknown_source(fields, names[:-1], scope)
        self.qualifiers.add(names[-2])
        column = source.by_name.get(names[-1])
        if column is None:
            raise self._unknown_column(fields, names[-1], source.by_name)
        self._touch(source, column)
        return column

    def _unqualified(self, fields: Node, name: str, scope: Scope) -> Column:
        level: Scope | None = scope
        while level is not None:
            for source in level.sources:
                column = source.by_name.get(name)
                if column is not None:
                    self._touch(source, column)
                    return column
            level = level.parent
        source_found = find_source([name], scope)
        if source_found is not None:
            return self._row_of(source_found)
        visible = [key for source in all_sources(scope) for key in source.by_name]
        raise self._unknown_column(fields, name, visible)

    def _whole_row(self, fields: Node, names: list[str], scope: Scope) -> Column:
        source = find_source(names, scope)
        if source is None:
            raise self._unknown_source(fields, names, scope)
        self.qualifiers.add(names[-1])
        return self._row_of(source)

    def _row_of(self, source: Source) -> Column:
        for column in source.columns:
            self._touch(source, column)
        if source.plain:
            only = source.columns[0]
            return Column(only.name, only.number, only.size)
        size = min(sum(column.size for column in source.columns), 20_000.0)
        return Column(source.name or "row", size=size, shape=source.columns)

    def _visible(self, name: str, scope: Scope) -> bool:
        return any(name in source.by_name for source in scope.sources)

    def _touch(self, source: Source, column: Column) -> None:
        for touched in self.touched:
            touched.add((source, column.name))

    def _selected(self, fields: Node) -> Column:
        """Return what a chain of fields and subscripts picks from a value."""
        value = self.estimates.shape(fields.get("arg", {}))
        for part in fields.get("indirection") or []:
            if "A_Indices" in part:
                whole = part["A_Indices"].get("is_slice")
                value = Column("", shape=value.shape if value.array else None, array=bool(whole))
                continue
            if value.shape is None or value.array:
                hint = "Select a field of a row that a view, a helper or a subquery gives."
                raise self.text.refuse("column", first_place(fields), hint)
            if "A_Star" in part:
                continue
            name = strings([part])[0]
            found = next((column for column in value.shape if column.name == name), None)
            if found is None:
                names = [column.name for column in value.shape]
                raise self._unknown_column(fields, name, names)
            value = found
        return value

    def _unknown_column(self, fields: Node, name: str, names: Iterable[str]) -> Exception:
        hint = suggest(name, names, "No source of the query has this column.")
        return self.text.refuse("column", first_place(fields), hint)

    def _unknown_source(self, fields: Node, names: list[str], scope: Scope) -> Exception:
        known = [source.name for source in all_sources(scope) if source.name]
        hint = suggest(names[-1], known, "No source of the query has this name.")
        return self.text.refuse("column", place(fields), hint)
