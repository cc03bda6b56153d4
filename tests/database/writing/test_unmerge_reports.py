"""A report that a merge withdrew stands again when the merge is undone, if nothing else changed."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.memories import fact, turn

Connection = psycopg.Connection[Any]


def home(key: str, where: str, since: str) -> dict[str, Any]:
    made: dict[str, Any] = fact(
        key, "Anna", f"lives in {where}", "t", "So it is", predicate="lives_in", value=where,
        cardinality="one", valid_from=since,
    )  # fmt: skip
    return made


def report(title: str, key: str) -> dict[str, Any]:
    return {"type": "report", "community": "k", "title": title, "summary": "s", "facts": [key]}


MEANWHILE: dict[str, tuple[list[dict[str, Any]], dict[str, str | None]]] = {
    "nothing": ([], {"old": None}),
    "another fact": (
        [fact("more", "Ann", "is tall", "t", "So it is", predicate="is", value="tall")],
        {"old": None},
    ),
    "a newer report": ([report("new", "hers")], {"old": "merged", "new": None}),
    "the fact was retracted": ([{"type": "retract", "fact": "home"}], {"old": "merged"}),
    "the fact was replaced": (
        [home("moved", "Cork", "2021-01-01T00:00:00Z")], {"old": "merged"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_report_stands_again_if_nothing_else_changed(conn: Connection, meanwhile: str) -> None:
    lines, left = MEANWHILE[meanwhile]
    load_lines(
        conn,
        "p",
        [
            turn("t", "So it is."),
            fact("hers", "Ann", "likes tea", "t", "So it is", predicate="likes", value="tea"),
            home("home", "Dublin", "2020-01-01T00:00:00Z"),
            {"type": "community", "key": "k", "members": ["Ann", "Anna"]},
            report("old", "home"),
        ],
    )
    causes = "select title, withdrawn_cause from taisce.report"
    assert dict(conn.execute(causes).fetchall()) == {"old": None}
    [(merge,)] = conn.execute(
        """select merge_id from memory_v1.merge_entities('"Anna"', '"Ann"', project => 'p')"""
    ).fetchall()
    assert dict(conn.execute(causes).fetchall()) == {"old": "merged"}
    load_lines(conn, "p", lines)
    conn.execute("select memory_v1.unmerge(%s, project => 'p')", [merge])
    assert dict(conn.execute(causes).fetchall()) == left
