"""How results of open SQL look: a table, CSV, or the contract as JSON."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.report import print_json

if TYPE_CHECKING:
    from taisce_pg.sandbox.result import QueryError, QueryPlan, QueryResult

_NUMBERS = {"smallint", "integer", "bigint", "numeric", "real", "double precision"}
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
        out.print(_table(result))
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


def _table(result: QueryResult) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in result.columns:
        table.add_column(
            Text(column.name),
            overflow="fold",
            justify="right" if column.type in _NUMBERS else "left",
        )
    for row in result.rows:
        table.add_row(*(Text("" if value is None else _text(value)) for value in row))
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
