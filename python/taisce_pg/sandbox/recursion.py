"""Recursion that surely ends: a counter that every step moves towards a literal bound."""

from __future__ import annotations

import math
import re
from typing import Any

from taisce_pg.sandbox.cost import MANY, MAX_PRODUCT
from taisce_pg.sandbox.estimates import Estimates
from taisce_pg.sandbox.scopes import Column
from taisce_pg.sandbox.spans import DATED_YEARS, ENDLESS, YEAR, instant, literal, seconds_of
from taisce_pg.sandbox.text import Text
from taisce_pg.sandbox.tree import Node, kind_of, strings

MAX_STEPS = 11_000.0
"""A day after a day for thirty years."""

MAX_STEPS_OVER_VIEWS = 100.0
HINT = (
    "Count the steps: select 1 as depth ... union all select r.depth + 1 ... "
    "where r.depth < 3, with a literal."
)
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "<>": "<>", "=": "="}
_LENGTHS = frozenset({"array_length", "cardinality"})
_ORDERED = frozenset(
    {"int2", "int4", "int8", "numeric", "float4", "float8", "date", "timestamp", "timestamptz"}
)
_DAY = 86_400.0
_FLOATING = 1e7
_NUMBER = re.compile(r"\d+")


def mentions(tree: Any, name: str) -> bool:
    """Say whether a part of a tree names a relation without a schema."""
    stack = [tree]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            if "relname" in value and value["relname"] == name and "schemaname" not in value:
                return True
            stack.extend(value.values())
    return False


def arms(select: Node) -> list[Node]:
    """Return the plain SELECTs that a chain of UNIONs is made of, in any order."""
    found, stack = [], [select]
    while stack:
        node = stack.pop()
        if node.get("op", "SETOP_NONE") == "SETOP_NONE":
            found.append(node)
        else:
            stack.extend((node.get("larg", {}), node.get("rarg", {})))
    return found


class Counter:
    """Finds what bounds the recursive arm of a CTE."""

    def __init__(self, text: Text, estimates: Estimates, name: str, columns: list[str]) -> None:
        """Keep the name and the columns of the CTE."""
        self.text = text
        self.estimates = estimates
        self.name = name
        self.columns = columns
        self.aliases: set[str] = set()
        self.in_days = False

    def steps(self, base: Node, arm: Node, byte: int) -> float:
        """Return how many steps an arm can take, or refuse it.

        `base` is what the recursion starts from.
        """
        if not self._find_itself(arm.get("fromClause") or []):
            raise self.text.refuse("recursion", byte, HINT)
        conjuncts = self._conjuncts(arm)
        targets = [target["ResTarget"].get("val", {}) for target in arm.get("targetList") or []]
        rows = [row for first in arms(base) for row in _starts(first)]
        for index, target in enumerate(targets[: len(self.columns)]):
            move = self._move(target, index)
            ratio = self._ratio(target, index) if move is None else None
            if move is None and ratio is None:
                continue
            starts = [row[index] if index < len(row) else {} for row in rows]
            for conjunct in conjuncts:
                limit = self._limit(conjunct, index, (move or 0) > 0 or (ratio or 0) > 1)
                if limit is None:
                    continue
                if move is not None:
                    return max((self._span(start, limit, move) for start in starts), default=0.0)
                powers = [self._power(start, limit, ratio or 1.0) for start in starts]
                if None not in powers:
                    return max((power or 0.0 for power in powers), default=0.0)
        raise self.text.refuse("recursion", byte, HINT)

    def numbers(self, arm: Node, columns: list[Column]) -> list[float | None]:
        """Return the largest numbers that the columns have in any step, None if unknown.

        A counter is moved by a literal and bounded by MAX_STEPS; another column is known if a
        step leaves it as it is.
        """
        self._find_itself(arm.get("fromClause") or [])
        targets = [target["ResTarget"].get("val", {}) for target in arm.get("targetList") or []]
        found: list[float | None] = []
        for index, column in enumerate(columns):
            number = None
            if index < len(targets) and column.number is not None:
                move = self._move(targets[index], index)
                if self._is_column(targets[index], index):
                    number = column.number
                elif move is not None:
                    number = self._counted(arm, index, column.number, move)
            found.append(number)
        return found

    def _counted(self, arm: Node, index: int, start: float, move: float) -> float:
        for conjunct in self._conjuncts(arm):
            limit = self._limit(conjunct, index, move > 0)
            last = self.estimates.number(limit) if limit else None
            if last is not None:
                return max(start, last + abs(move))
        return max(start, 0.0) + abs(move) * MAX_STEPS

    def _find_itself(self, items: list[Node]) -> bool:
        """Collect the names of the recursive reference where an inner join shows it."""
        stack = list(items)
        while stack:
            kind, fields = kind_of(stack.pop())
            if kind == "RangeVar":
                if fields.get("relname") == self.name and "schemaname" not in fields:
                    alias = fields.get("alias") or {}
                    if alias.get("colnames"):
                        return False
                    self.aliases.add(alias.get("aliasname", self.name))
            elif kind == "JoinExpr":
                stack.extend((fields.get("larg", {}), fields.get("rarg", {})))
        return bool(self.aliases)

    def _conjuncts(self, arm: Node) -> list[Node]:
        parts = [arm.get("whereClause", {})]
        stack = list(arm.get("fromClause") or [])
        while stack:
            kind, fields = kind_of(stack.pop())
            if kind == "JoinExpr":
                stack.extend((fields.get("larg", {}), fields.get("rarg", {})))
                if fields.get("jointype", "JOIN_INNER") == "JOIN_INNER":
                    parts.append(fields.get("quals", {}))
        return [conjunct for part in parts for conjunct in conjuncts_of(part)]

    def _is_column(self, node: Node, index: int) -> bool:
        kind, fields = kind_of(_uncast(node))
        if kind != "ColumnRef":
            return False
        names = strings(fields.get("fields"))
        if names[-1] != self.columns[index]:
            return False
        return len(names) == 1 or (len(names) == 2 and names[0] in self.aliases)

    def _move(self, target: Node, index: int) -> float | None:
        """Return by how much a step moves a column: seconds for a time, elements for a path."""
        kind, fields = kind_of(_uncast(target))
        if kind == "FuncCall" and strings(fields.get("funcname"))[-1] == "array_append":
            arguments = fields.get("args") or [{}]
            return 1.0 if self._is_column(arguments[0], index) else None
        if kind != "A_Expr" or "lexpr" not in fields:
            return None
        words = strings(fields.get("name"))
        left, right = fields["lexpr"], fields.get("rexpr", {})
        if words == ["||"]:
            return self._growth(left, right, index)
        if words == ["+"] and self._is_column(right, index):
            left, right = right, left
        if words not in (["+"], ["-"]) or not self._is_column(left, index):
            return None
        amount = self._amount(right)
        if not amount:
            return None
        if _rounds(target):
            return None
        least = 1.0 if self._exact(right) is not None else _DAY
        if "TypeCast" in target and abs(amount) < least:
            return None
        return amount if words == ["+"] else -amount

    def _ratio(self, target: Node, index: int) -> float | None:
        """Return what a step multiplies a column by; below 1 if it divides."""
        kind, fields = kind_of(target)
        if kind != "A_Expr" or not self._is_column(fields.get("lexpr", {}), index):
            return None
        factor, _ = kind_of(fields.get("rexpr", {}))
        number = self.estimates.number(fields["rexpr"]) if factor == "A_Const" else None
        if number is None or number < 2:
            return None
        return {"*": number, "/": 1 / number}.get("".join(strings(fields.get("name"))))

    def _power(self, start: Node, limit: Node, ratio: float) -> float | None:
        """Return the steps from a literal to a literal, neither below 1; else None."""
        first, last = self.estimates.number(start), self.estimates.number(limit)
        plain = kind_of(start)[0] == kind_of(limit)[0] == "A_Const"
        if not plain or first is None or last is None or first < 1 or last < 1:
            return None
        return max(math.log(last / first) / math.log(ratio), 0.0) + 1

    def _growth(self, left: Node, right: Node, index: int) -> float | None:
        for path, added in ((left, right), (right, left)):
            if not self._is_column(path, index) or self._is_column(added, index):
                continue
            kind, fields = kind_of(_uncast(added))
            if kind == "ColumnRef" or (kind == "A_ArrayExpr" and fields.get("elements")):
                return 1.0
        kind, fields = kind_of(left)
        if kind == "A_Expr" and strings(fields.get("name")) == ["||"]:
            return self._growth(fields.get("lexpr", {}), fields.get("rexpr", {}), index)
        return None

    def _amount(self, node: Node) -> float | None:
        if not self.estimates.constant(node):
            return None
        self.in_days = False
        number = self._exact(node)
        if number is not None:
            self.in_days = True
            return number
        text = literal(node)
        if text and "-" in text and len(_NUMBER.findall(text)) > 1:
            return None  # A month less thirty days goes backwards in February.
        return seconds_of(text) if text else None

    def _exact(self, node: Node) -> float | None:
        """Return the number that is written; one reckoned to be large may well be 0."""
        kind, fields = kind_of(node)
        if kind == "TypeCast":
            number = self._exact(fields.get("arg", {}))
            whole = number is not None and number == int(number)
            plain = strings(fields.get("typeName", {}).get("names"))[-1:] != ["interval"]
            return number if whole and plain else None
        if kind == "A_Expr" and "lexpr" not in fields:
            sign = {"+": 1.0, "-": -1.0}.get("".join(strings(fields.get("name"))))
            number = self._exact(fields.get("rexpr", {}))
            return None if sign is None or number is None else sign * number
        return self.estimates.number(node) if kind == "A_Const" else None

    def _limit(self, conjunct: Node, index: int, upward: bool) -> Node | None:
        """Return the literal that a condition keeps a column below, or above."""
        kind, fields = kind_of(conjunct)
        if kind != "A_Expr":
            return None
        words = strings(fields.get("name"))
        left, right = fields.get("lexpr", {}), fields.get("rexpr", {})
        if fields.get("kind") == "AEXPR_BETWEEN" and self._counts(left, index):
            bounds = right.get("List", {}).get("items", [])
            bound: Node = bounds[1 if upward else 0] if len(bounds) == 2 else {}
            return bound if bound and self._is_literal(bound) else None
        if fields.get("kind") != "AEXPR_OP" or not words:
            return None
        word = words[0]
        if self._counts(right, index):
            left, right, word = right, left, _MIRRORED.get(word, "")
        wanted = ("<", "<=") if upward else (">", ">=")
        if word in wanted and self._counts(left, index) and self._is_literal(right):
            literal: Node = right
            return literal
        return None

    def _is_literal(self, node: Node) -> bool:
        text = literal(node)
        if text is not None and "inf" in text.lower():
            return False
        if self.estimates.constant(node):
            return True
        kind, fields = kind_of(node)
        return (
            kind == "MinMaxExpr"
            and fields.get("op") == "IS_LEAST"
            and any(self.estimates.constant(argument) for argument in fields.get("args", []))
        )

    def _counts(self, node: Node, index: int) -> bool:
        """Say whether an expression is the counter, moved by a constant, or a path's length."""
        if self._is_column(node, index):
            return True
        kind, fields = kind_of(_uncast(node))
        if kind == "FuncCall" and strings(fields.get("funcname"))[-1] in _LENGTHS:
            return self._is_column((fields.get("args") or [{}])[0], index)
        if kind == "A_Expr" and strings(fields.get("name")) in (["+"], ["-"]):
            return self._is_column(fields.get("lexpr", {}), index) and self.estimates.constant(
                fields.get("rexpr", {})
            )
        return False

    def _span(self, start: Node, limit: Node, move: float) -> float:
        last = self.estimates.number(limit)
        if last is not None:
            if _is_float(start) and abs(last) > _FLOATING * abs(move):
                return MANY  # Too large for the step to make a difference.
            return max((last - self._least(start, last, move)) / move, 0.0)
        begin, end = instant(start), instant(limit)
        if end == ENDLESS:
            return MANY
        seconds = DATED_YEARS * YEAR
        if begin is not None and end is not None:
            seconds = (end - begin).total_seconds() * (1 if move > 0 else -1)
        return max(seconds / (abs(move) * (_DAY if self.in_days else 1.0)), 0.0)

    def _least(self, start: Node, last: float, move: float) -> float:
        """Return from where a counter may start at worst: what is counted here is not negative."""
        kind, _ = kind_of(_uncast(start))
        number = self.estimates.number(start)
        if number is None:
            return last - move * MANY if kind not in ("ColumnRef", "A_ArrayExpr", "") else 0.0
        if kind == "A_Const":
            return number
        if move < 0:
            return abs(number)
        return min(number, 0.0) if kind == "ColumnRef" else -abs(number)


def _starts(first: Node) -> list[list[Node]]:
    """Return the rows of expressions that a recursion starts with."""
    if first.get("valuesLists"):
        return [row["List"].get("items", []) for row in first["valuesLists"]]
    return [[target["ResTarget"].get("val", {}) for target in first.get("targetList") or []]]


def check_steps(text: Text, steps: float, branches: float, byte: int) -> float:
    """Return the rows a recursion may give, or refuse one that goes too far."""
    over_views = branches >= MANY
    if steps > (MAX_STEPS_OVER_VIEWS if over_views else MAX_STEPS):
        most = MAX_STEPS_OVER_VIEWS if over_views else MAX_STEPS
        raise text.refuse("recursion", byte, f"A recursion may take {most:.0f} steps.")
    if over_views:
        return MANY
    rows = 1.0
    for _ in range(int(steps)):
        rows *= branches
        if rows > MAX_PRODUCT:
            raise text.refuse("recursion", byte, "Every step multiplies the rows; bound it lower.")
        if branches <= 1.0:
            break
    return max(rows, steps) + 1


def conjuncts_of(node: Node) -> list[Node]:
    """Return the conditions that must all hold."""
    found, stack = [], [node]
    while stack:
        part = stack.pop()
        kind, fields = kind_of(part)
        if kind == "BoolExpr" and fields.get("boolop") == "AND_EXPR":
            stack.extend(fields.get("args", []))
        elif kind:
            found.append(part)
    return found


def _uncast(node: Node) -> Node:
    while "TypeCast" in node:
        type_name = node["TypeCast"].get("typeName", {})
        if strings(type_name.get("names"))[-1] not in _ORDERED and "arrayBounds" not in type_name:
            return node
        node = node["TypeCast"].get("arg", {})
    return node


def _rounds(node: Node) -> bool:
    """Say whether a cast in a step may round it away."""
    while "TypeCast" in node:
        if node["TypeCast"].get("typeName", {}).get("typmods"):
            return True
        node = node["TypeCast"].get("arg", {})
    return False


def _is_float(node: Node) -> bool:
    """Say whether an expression is cast to a number that keeps only its first digits."""
    while "TypeCast" in node:
        if strings(node["TypeCast"].get("typeName", {}).get("names"))[-1].startswith("float"):
            return True
        node = node["TypeCast"].get("arg", {})
    return False
