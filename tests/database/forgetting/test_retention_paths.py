"""A way over somebody whose name has passed is shown without the name, by every walk."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.memories import fact, turn
from tests.support.retention import LATER, pass_by

Connection = psycopg.Connection[Any]

READS: dict[str, LiteralString] = {
    "recall": "select to_jsonb(r) from memory_v1.recall_facts('Ann', 'p', hops => 2) as r",
    "fact_walk": "select to_jsonb(w) from memory_v1.fact_walk("
    "array[(select entity_id from taisce.entity where canonical_name = 'Ann')], 2, 'p') as w",
    "graph_path": "select to_jsonb(g) from memory_v1.graph_path("
    "(select entity_id from taisce.entity where canonical_name = 'Ann'),"
    " (select entity_id from taisce.entity where canonical_name = 'Cork'), project => 'p') as g",
    "graph_neighborhood": "select to_jsonb(g) from memory_v1.graph_neighborhood("
    "(select entity_id from taisce.entity where canonical_name = 'Ann'), 2, project => 'p') as g",
}


@pytest.mark.parametrize("read", READS)
def test_no_name_that_has_passed_stands_on_a_path(conn: Connection, read: str) -> None:
    zorg = {"key": "z"}
    load_lines(
        conn,
        "p",
        [
            turn("passing", "Nothing more was said.", retention_until=LATER),
            turn("kept", "She knows him. He lives there."),
            {"type": "entity", "key": "z", "name": "Zorg", "source": "passing"},
            {"type": "entity", "name": "Ann"},
            {"type": "entity", "name": "Cork"},
            fact("one", "Ann", "knows him", "kept", "She knows him", predicate="knows",
                 object=zorg),
            fact("two", zorg, "lives there", "kept", "He lives there", predicate="lives_in",
                 object="Cork"),
        ],
    )  # fmt: skip
    before = str(conn.execute(READS[read]).fetchall())
    assert "Zorg" in before
    assert "Cork" in before
    pass_by(conn)
    after = str(conn.execute(READS[read]).fetchall())
    assert "zorg" not in after.lower()
    assert "Cork" in after
