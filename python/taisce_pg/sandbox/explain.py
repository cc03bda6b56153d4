"""The shape of a plan, without names of tables and without numbers.

Views stand for tables that analysts do not see, and the estimates of a table come from all
projects in it, so only the kinds of steps are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

CostClass = Literal["light", "moderate", "heavy"]

_LIGHT = 10_000.0
_MODERATE = 1_000_000.0
_READS = {
    "Seq Scan": "read a whole table",
    "Index Scan": "read by an index",
    "Index Only Scan": "read an index alone",
    "Bitmap Heap Scan": "read by an index, many rows",
    "Bitmap Index Scan": "collect places from an index",
    "Tid Scan": "read one row",
    "Function Scan": "call a function",
    "Table Function Scan": "call a function",
    "Values Scan": "take given rows",
    "CTE Scan": "read a with query",
    "WorkTable Scan": "read the last round",
    "Subquery Scan": "take the rows of a subquery",
    "Result": "compute",
    "ProjectSet": "expand sets",
}


def cost_class(plan: dict[str, Any]) -> CostClass:
    """Return the class of a plan's total cost as the planner guesses it."""
    cost = float(plan.get("Total Cost", 0))
    return "light" if cost < _LIGHT else "moderate" if cost < _MODERATE else "heavy"


def shape(plan: dict[str, Any], depth: int = 0) -> Iterator[str]:
    """Yield one line a step, indented below the step that takes its rows."""
    yield "  " * depth + _step(plan)
    for below in plan.get("Plans", ()):
        yield from shape(below, depth + 1)


def _step(plan: dict[str, Any]) -> str:
    kind = str(plan.get("Node Type", "step"))
    words = _READS.get(kind)
    if words is None:
        join = plan.get("Join Type")
        strategy = plan.get("Strategy")
        words = kind.lower()
        if join and join != "Inner":
            words += f", {str(join).lower()}"
        if strategy and strategy != "Plain":
            words += f", {str(strategy).lower()}"
    if plan.get("Parent Relationship") in ("SubPlan", "InitPlan"):
        words += {"SubPlan": " (for each row)", "InitPlan": " (once)"}[plan["Parent Relationship"]]
    return words
