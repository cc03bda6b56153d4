"""Results of open SQL on narrow terminals."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from taisce_pg.cli.show_query import show_result
from taisce_pg.sandbox.result import QueryResult

STAMP = "2026-11-30T14:06:07.611524+00:00"
ID = "00000000-0003-83bb-90ee-6fd45a49807e"


def shown(columns: dict[str, str], *rows: tuple[Any, ...], width: int = 80) -> list[str]:
    result = QueryResult(
        query_hash=None,
        columns=[{"name": name, "type": kind} for name, kind in columns.items()],
        rows=rows,
    )
    out = io.StringIO()
    show_result(Console(file=out, width=width), Console(file=io.StringIO()), result, "table")
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    return lines


def test_names_and_stamps_stay_whole_beside_a_long_text() -> None:
    columns = {"valid_from": "timestamp with time zone", "what": "text"}
    head, first, *more = shown(columns, (STAMP, "word " * 30))
    assert head.split() == ["valid_from", "what"]
    assert first.startswith(f"{STAMP}  word")
    assert more


def test_what_is_too_wide_for_a_table_is_a_line_for_each_value() -> None:
    stamp = "timestamp with time zone"
    columns = {"valid_from": stamp, "known_from": stamp, "what": "text", "fact_id": "uuid"}
    lines = shown(columns, (STAMP, None, "one", ID), (STAMP, STAMP, "two " * 40, ID))
    assert lines[:5] == [
        f"valid_from  {STAMP}",
        "known_from",
        "what        one",
        f"fact_id     {ID}",
        "",
    ]
    assert lines[5] == f"valid_from  {STAMP}"


def test_a_wide_terminal_keeps_the_table() -> None:
    stamp = "timestamp with time zone"
    columns = {"valid_from": stamp, "known_from": stamp, "what": "text", "fact_id": "uuid"}
    head, row = shown(columns, (STAMP, STAMP, "one", ID), width=150)
    assert head.split() == list(columns)
    assert row.split() == [STAMP, STAMP, "one", ID]


def test_no_rows_are_their_header() -> None:
    columns = {f"a_rather_long_name_{number}": "text" for number in range(3)}
    assert shown(columns)[0].split() == list(columns)
