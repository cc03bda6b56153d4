"""How results of open SQL look: a table, CSV, or the contract as JSON."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.report import print_json

if TYPE_CHECKING:
    from taisce_pg.sandbox.result import QueryError, QueryPlan, QueryResult

_NUMBERS = {"smallint", "integer", "bigint", "numeric", "real", "double precision"}
# A text may be folded to this width; all else stays whole.
_TEXT_WIDTH = 16
_GAP = 2
_CUT = {
    "rows": "cut at {rows} rows: there are more",
    "bytes": "cut at {bytes} bytes: there are more rows",
    "time": "cut after {seconds:g} s: there may be more rows",
}


def show_result(out: Console, talk: Console, result: QueryResult, form: str) -> None:
    """Print a result in a form: table, json or csv; what must be said about it goes to `talk`."""
    if form == "json":
        print_json(result.to_dict())
        return
    if result.error is not None:
        show_error(talk, result.error)
        return
    if form == "csv":
        _csv(result)
    else:
        out.print(_table(result, out.width))
    _say(talk, result)


def show_plan(out: Console, talk: Console, plan: QueryPlan, form: str) -> None:
    """Print the shape of a plan and its class of cost."""
    if form == "json":
        print_json(plan.to_dict())
    elif plan.error is not None:
        show_error(talk, plan.error)
    else:
        out.print(Text(f"cost: {plan.cost_class}", style="bold"))
        for line in plan.shape:
            out.print(Text(line), soft_wrap=True)


def show_error(talk: Console, error: QueryError) -> None:
    """Print why a query gave nothing, on one line, and what to do on another."""
    where = f" at character {error.position}" if error.position else ""
    fragment = f": {error.fragment!r}" if error.fragment else ""
    talk.print(Text(f"error {error.code}{fragment}{where}: {error.message}"), soft_wrap=True)
    if error.hint:
        talk.print(Text(f"hint: {error.hint}"), soft_wrap=True)


def _table(result: QueryResult, width: int) -> Table:
    """Make a table, or a line for each value where names or stamps would be broken."""
    rows = [["" if value is None else _text(value) for value in row] for row in result.rows]
    least = [
        max(
            cell_len(column.name),
            *(
                min(cell_len(row[place]), _TEXT_WIDTH if column.type == "text" else width)
                for row in rows
            ),
            0,
        )
        for place, column in enumerate(result.columns)
    ]
    if sum(least) + _GAP * len(least) > width + _GAP and rows:
        return _expanded(result, rows)
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    for column, narrowest in zip(result.columns, least, strict=True):
        table.add_column(
            Text(column.name),
            overflow="fold",
            min_width=narrowest,
            justify="right" if column.type in _NUMBERS else "left",
        )
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _expanded(result: QueryResult, rows: list[list[str]]) -> Table:
    """Write each row as lines of a name and a value, with an empty line between rows."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, _GAP, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for number, row in enumerate(rows):
        if number:
            table.add_row("", "")
        for column, value in zip(result.columns, row, strict=True):
            table.add_row(Text(column.name), Text(value))
    return table


def _csv(result: QueryResult) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([column.name for column in result.columns])
    for row in result.rows:
        writer.writerow(["" if value is None else _text(value) for value in row])


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _say(talk: Console, result: QueryResult) -> None:
    rows = f"{result.returned_rows:,} row{'' if result.returned_rows == 1 else 's'}"
    talk.print(Text(f"{rows}, {result.elapsed_ms:.0f} ms"), style="dim")
    if result.truncation_reason and result.limits:
        said = _CUT[result.truncation_reason].format(**result.limits.model_dump())
        talk.print(Text(said), style="yellow")
    for warning in result.warnings:
        talk.print(Text(f"warning: {warning}"), style="yellow", soft_wrap=True)
