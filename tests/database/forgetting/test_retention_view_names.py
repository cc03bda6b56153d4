"""Views show no name whose only source has passed, beside facts that are kept."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.memories import fact, turn
from tests.support.retention import LATER, pass_by

Connection = psycopg.Connection[Any]

# Rows that stay, with or without a name, when it has passed; None: those that go with it.
VIEWS = {
    "facts_current": 4,
    "facts_history": 6,
    "contradictions_current": 2,
    "graph_edges_current": 3,
    "graph_edges_history": 5,
    "entities": None,
    "entity_names": None,
    "entity_mentions": 3,
    "identity_events": 2,
}


def told() -> list[dict[str, Any]]:
    """Tell names in a turn that passes, and all else in words that name nobody."""

    def said(key: str, one: str, predicate: str, other: str, **more: Any) -> dict[str, Any]:
        return fact(key, {"key": one}, f"statement {key}", "kept", "He said so",
                    predicate=predicate, object={"key": other}, **more)  # fmt: skip

    return [
        turn("passing", "Nothing more was said.", retention_until=LATER),
        turn("kept", "He said so of them."),
        *(
            {"type": "entity", "key": name.lower(), "name": name, "source": "passing"}
            for name in ("Zorgone", "Zorgtwo", "Zorgthree", "Zorgfour")
        ),
        said("f1", "zorgone", "knows", "zorgtwo"),
        said("f2", "zorgone", "lives_in", "zorgtwo", cardinality="one",
             valid_from="2001-01-01T00:00:00Z"),
        said("f3", "zorgone", "lives_in", "zorgthree", cardinality="one",
             valid_from="2002-01-01T00:00:00Z"),
        said("f4", "zorgone", "likes", "zorgthree"),
        fact("f5", {"key": "zorgtwo"}, "is tall", "kept", "He said so", predicate="height",
             value="2"),
        {"type": "contradiction", "facts": ["f1", "f4"]},
        {"type": "community", "key": "k", "members": [{"key": "zorgone"}, {"key": "zorgtwo"}]},
    ]  # fmt: skip


@pytest.fixture
def boss(conn: Connection) -> Connection:
    load_lines(conn, "p", told())
    conn.execute(
        "select memory_v1.unmerge(m.merge_id, project => 'p') from memory_v1.merge_entities("
        """'{"key": "zorgfour"}', '{"key": "zorgone"}', project => 'p') as m"""
    )
    conn.execute("select set_config('taisce.project', 'p', false)")
    return conn


def rows_of(conn: Connection, view: str) -> list[str]:
    rows = conn.execute(f"select to_jsonb(v)::text from memory_v1.{view} as v".encode())
    return [text for (text,) in rows]


def test_no_view_shows_a_name_that_has_passed(boss: Connection) -> None:
    views = boss.execute(
        "select relname from pg_class where relkind = 'v'"
        " and relnamespace = 'memory_v1'::regnamespace"
    ).fetchall()
    before = {view: rows_of(boss, view) for (view,) in views}
    named = {view for view, rows in before.items() if any("Zorg" in row for row in rows)}
    assert named == set(VIEWS)
    pass_by(boss)
    for view in before:
        rows = rows_of(boss, view)
        assert not any("zorg" in row.lower() for row in rows), (view, rows)
        if (kept := VIEWS.get(view)) is not None:
            assert (view, len(rows), len(before[view])) == (view, kept, kept)


def test_who_has_no_name_any_more_is_no_member(boss: Connection) -> None:
    members = "select member_count, cardinality(member_ids) from memory_v1.communities"
    assert boss.execute(members).fetchall() == [(2, 2)]
    boss.execute(
        "update taisce.entity set name_source = null, name_until = 'infinity'"
        " where canonical_name = 'Zorgone'"
    )
    pass_by(boss)
    assert boss.execute(members).fetchall() == [(1, 1)]


@pytest.mark.parametrize("end", ["subject", "object"])
def test_a_name_that_is_kept_is_shown_beside_one_that_is_not(boss: Connection, end: str) -> None:
    """Each end of a fact by itself."""
    kept, other = {"subject": ("Zorgone", "object"), "object": ("Zorgthree", "subject")}[end]
    boss.execute(
        "update taisce.entity set name_source = null, name_until = 'infinity'"
        " where canonical_name = %s",
        [kept],
    )
    pass_by(boss)
    for view in VIEWS:
        if view.startswith(("facts", "graph", "contradictions")):
            shown = boss.execute(
                f"select {end}, {other} from memory_v1.{view} where predicate = 'likes'".encode()
            ).fetchall()
            assert shown == [(kept, None)], view
