"""Static bounds on the work of a query: joins of everything with everything, huge values.

Rows are guesses: a view counts as a million. The database's own limits hold in any case; these
bounds say early, and with a hint, what could only end in a time-out.
"""

from __future__ import annotations

import math
import re
from typing import Any

from taisce_pg.sandbox.estimates import FEW, Estimates
from taisce_pg.sandbox.sizes import fill_bounds, known
from taisce_pg.sandbox.spans import literal
from taisce_pg.sandbox.text import Text
from taisce_pg.sandbox.tree import Node, kind_of, place, strings

MANY = 1e6
MAX_PRODUCT = 1e5
MAX_FACTOR = 1_000.0
MAX_ROWS = 1e9
MAX_SERIES = 1e5
MAX_SERIES_PER_ROW = 20_000.0
MAX_LITERAL_PER_ROW = 1_000.0
MAX_VALUE = 1e5
MAX_TEXT = 1e6
MAX_SEPARATOR = 1_000.0
MAX_GATHERED = 5e7
MAX_GATHERED_EACH = 50_000.0
MAX_GROUPING_SETS = 128
MAX_FACTORIAL = 1_000.0
MAX_CORNERS = 10_000.0

GATHERING = frozenset(
    {"string_agg", "array_agg", "json_agg", "jsonb_agg", "json_agg_strict", "jsonb_agg_strict",
     "json_object_agg", "jsonb_object_agg", "json_object_agg_strict", "jsonb_object_agg_strict",
     "json_object_agg_unique", "jsonb_object_agg_unique", "json_object_agg_unique_strict",
     "jsonb_object_agg_unique_strict"}
)  # fmt: skip
_WIDTH = re.compile(r"%(?:\d+\$)?-?(\d+|\*)")
_WATCHED = frozenset(
    {"repeat", "lpad", "rpad", "array_fill", "factorial", "format", "string_agg", "replace",
     "regexp_replace", "generate_series", "concat", "polygon", "pg_input_is_valid",
     "pg_input_error_info"}
)  # fmt: skip


def watched(name: str) -> bool:
    """Say whether calls of a function must be looked at."""
    return name in _WATCHED


class Joins:
    """Which items of one FROM clause are tied together, and their guessed rows."""

    def __init__(self) -> None:
        """Start with no items."""
        self.rows: list[float] = []
        self._parent: list[int] = []
        self._equal: set[int] = set()
        self._growing: set[int] = set()

    def add(self, rows: float, itself: bool = False) -> int:
        """Add an item and return its number; `itself` is one that a recursion lets grow."""
        self.rows.append(max(rows, 1.0))
        self._parent.append(len(self._parent))
        if itself:
            self._growing.add(len(self.rows) - 1)
        return len(self.rows) - 1

    def tie(self, leaves: set[int], equal: bool) -> None:
        """Tie items by a condition; an equal one pairs a row with few others."""
        first, *others = leaves
        for leaf in others:
            self._parent[self._root(leaf)] = self._root(first)
        if equal:
            self._equal.update(leaves)

    def restrict(self, leaf: int, rows: float) -> None:
        """Lower the rows of an item that a constant picks from."""
        self.rows[leaf] = min(self.rows[leaf], rows)

    def total(self) -> tuple[float, bool]:
        """Return the guessed rows of the whole, and whether they stay within bounds."""
        total, fits = self._product()
        if fits and self._growing and max(self.rows) >= MANY:
            kept = list(self.rows)
            for leaf in self._growing:
                self.rows[leaf] = MANY
            fits = self._product()[1]
            self.rows = kept
        return total, fits and total <= MAX_ROWS

    def _product(self) -> tuple[float, bool]:
        groups: dict[int, list[int]] = {}
        for leaf in range(len(self.rows)):
            groups.setdefault(self._root(leaf), []).append(leaf)
        sizes = [self._size(members) for members in groups.values()]
        total = math.prod(sizes) if sizes else 1.0
        largest = max(sizes, default=1.0)
        factor = total / largest
        return total, factor <= 1.0 or total <= MAX_PRODUCT or (
            largest >= MANY and factor <= MAX_FACTOR
        )

    def _size(self, members: list[int]) -> float:
        rows = [self.rows[leaf] for leaf in members]
        if max(rows) >= MANY or all(leaf in self._equal for leaf in members):
            return max(rows)
        return math.prod(rows)

    def _root(self, leaf: int) -> int:
        while self._parent[leaf] != leaf:
            leaf = self._parent[leaf]
        return leaf


def is_tie(conjunct: Node) -> tuple[bool, bool]:
    """Say whether a condition can tie two items, and whether by equality."""
    kind, fields = kind_of(conjunct)
    if kind == "A_Expr":
        words = strings(fields.get("name"))
        if fields.get("kind") == "AEXPR_DISTINCT" or words == ["<>"]:
            return False, False
        return True, words == ["="]
    if kind == "BoolExpr" and fields.get("boolop") == "NOT_EXPR":
        inner, inner_fields = kind_of((fields.get("args") or [{}])[0])
        if inner == "A_Expr" and strings(inner_fields.get("name")) == ["="]:
            return False, False
    return kind not in ("NullTest", "A_Const"), False


def picks(conjunct: Node, estimates: Estimates) -> int:
    """Return how many constants a column is compared with for equality, or 0."""
    kind, fields = kind_of(conjunct)
    if kind != "A_Expr" or strings(fields.get("name")) != ["="]:
        return 0
    left, right = fields.get("lexpr", {}), fields.get("rexpr", {})
    if fields.get("kind") == "AEXPR_IN" and "ColumnRef" in left and estimates.constant(right):
        return len(right.get("List", {}).get("items", []))
    if fields.get("kind") != "AEXPR_OP":
        return 0
    if "ColumnRef" in left and estimates.constant(right):
        return 1
    return 1 if "ColumnRef" in right and estimates.constant(left) else 0


def aggregates(targets: Any, names: frozenset[str]) -> bool:
    """Say whether an output list makes one row of many."""
    stack = [targets]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            call = value.get("FuncCall")
            if call and "over" not in call and strings(call.get("funcname"))[-1] in names:
                return True
            if value.keys() & {"JsonObjectAgg", "JsonArrayAgg"}:
                return True
            stack.extend(inner for key, inner in value.items() if key != "SubLink")
    return False


def grouping_sets(clause: list[Node]) -> int:
    """Return how many groupings a GROUP BY clause asks for."""
    total = 1
    for item in clause:
        kind, fields = kind_of(item)
        if kind != "GroupingSet":
            continue
        content = fields.get("content") or []
        how = fields.get("kind")
        if how == "GROUPING_SET_CUBE":
            total *= 2 ** min(len(content), 20)
        elif how == "GROUPING_SET_ROLLUP":
            total *= len(content) + 1
        elif how == "GROUPING_SET_SETS":
            total *= max(sum(grouping_sets([part]) for part in content), 1)
    return total


def grouped_rows(keys: list[Node], rows: float, estimates: Estimates) -> float:
    """Return about how many groups come of some rows."""
    if keys and all(estimates.few(key) for key in keys):
        return min(rows, MAX_FACTOR if len(keys) > 1 else FEW)
    return rows


def limited(rows: float, limit: Node | None, estimates: Estimates) -> float:
    """Return the rows left by a LIMIT."""
    count = estimates.number(limit) if limit else None
    return rows if count is None else min(rows, max(count, 0.0))


class Calls:
    """Looks at calls that make large values or many rows."""

    def __init__(self, text: Text, estimates: Estimates) -> None:
        """Keep the text for refusals and the guesses."""
        self.text = text
        self.estimates = estimates

    def check(self, fields: Node) -> None:
        """Refuse a call whose value could be huge."""
        name = strings(fields.get("funcname"))[-1]
        arguments = fields.get("args") or []
        if name in ("repeat", "lpad", "rpad"):
            self._check_growth(name, fields, arguments)
        elif name == "array_fill" and len(arguments) > 1:
            self._check_fill(fields, arguments[1])
        elif name == "polygon" and len(arguments) == 2:
            corners = self.estimates.number(arguments[0])
            if corners is None or corners > MAX_CORNERS:
                raise self._refusal(fields, f"A polygon may have {MAX_CORNERS:.0f} corners.")
        elif name == "factorial" and arguments:
            bound = self.estimates.number(arguments[0])
            if bound is None or bound > MAX_FACTORIAL:
                raise self._refusal(fields, f"Take the factorial of at most {MAX_FACTORIAL:.0f}.")
        elif name == "format" and arguments:
            self._check_format(fields, arguments[0])
        elif name == "string_agg" and len(arguments) > 1:
            if self.estimates.size(arguments[1]) > MAX_SEPARATOR:
                raise self._refusal(fields, f"A separator may have {MAX_SEPARATOR:.0f} characters.")
        elif name in ("pg_input_is_valid", "pg_input_error_info"):
            self._check_type_name(fields, arguments)

    def check_size(self, node: Node) -> float:
        """Return the guessed length of a value, or refuse an enormous one."""
        size = self.estimates.size(node)
        if size > MAX_TEXT and not size <= min(1.2 * self.estimates.largest(node), MAX_GATHERED):
            byte = place(kind_of(node)[1])
            hint = f"A value may have about {MAX_TEXT:.0f} characters."
            raise self.text.refuse("cost", byte, hint)
        return size

    def series_rows(self, fields: Node) -> float:
        """Return the rows of generate_series, or refuse a series that is too long."""
        rows = self.estimates.series(fields)
        if rows is None or not rows <= MAX_SERIES:
            hint = f"Give generate_series bounds that make at most {MAX_SERIES:.0f} rows."
            raise self._refusal(fields, hint)
        return rows

    def check_product(self, rows: float, series: list[tuple[float, Node]]) -> float:
        """Return the rows of a SELECT with series in its list, or refuse too many."""
        factor = math.prod(count for count, _ in series)
        for _, call in series:
            constant = all(self.estimates.constant(part) for part in call.get("args") or [])
            most = MAX_LITERAL_PER_ROW if constant else MAX_SERIES_PER_ROW
            if factor > most if rows >= MANY else rows * factor > MAX_PRODUCT:
                raise self._refusal(call, f"For every row a series may have {most:.0f} values.")
        return min(rows * factor, MAX_ROWS)

    def check_gathered(self, rows: float, gathered: list[tuple[float, Node]]) -> None:
        """Refuse an aggregate that would gather one enormous value."""
        total = 0.0
        for size, call in gathered:
            total += size * rows
            if size > MAX_GATHERED_EACH if rows >= MANY else total > MAX_GATHERED:
                raise self._refusal(call, "The gathered value would be enormous.")

    def _check_growth(self, name: str, fields: Node, arguments: list[Node]) -> None:
        if len(arguments) < 2:
            return
        times = self.estimates.number(arguments[1])
        size = max(self.estimates.size(arguments[0]), 1.0) if name == "repeat" else 1.0
        if times is None or not times * size <= MAX_VALUE:
            hint = f"Bound the length, as in {name}(text, least(n, 100)); {MAX_VALUE:.0f} at most."
            raise self._refusal(fields, hint)

    def _check_fill(self, fields: Node, sizes: Node) -> None:
        bounds = fill_bounds(sizes, self.estimates.number(sizes))
        sure = known(bounds)
        if len(sure) < len(bounds) or math.prod(sure) > MAX_VALUE:
            raise self._refusal(fields, f"An array may have {MAX_VALUE:.0f} elements.")

    def _check_format(self, fields: Node, pattern: Node) -> None:
        text = literal(pattern)
        if text is None:
            raise self._refusal(fields, "Write the pattern of format as a literal.")
        for width in _WIDTH.findall(text.replace("%%", "")):
            if width == "*" or len(width) > 6 or int(width) > MAX_SEPARATOR:
                raise self._refusal(fields, f"A width may be {MAX_SEPARATOR:.0f} at most.")

    def _check_type_name(self, fields: Node, arguments: list[Node]) -> None:
        name = literal(arguments[1]) if len(arguments) > 1 else None
        bare = re.sub(r"\(.*\)|\[\]", "", name or "").strip().lower()
        if bare not in self.estimates.catalogue.types:
            hint = "Name a built-in data type as a literal."
            raise self.text.refuse("type", place(fields), hint)

    def _refusal(self, fields: Node, hint: str) -> Exception:
        return self.text.refuse("cost", place(fields), hint)
