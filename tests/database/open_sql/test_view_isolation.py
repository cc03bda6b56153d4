"""Views keep to one project and to what is not expired, whoever asks and however."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import turn

Connection = psycopg.Connection[Any]

VIEWS = [
    "facts_current",
    "facts_history",
    "entities",
    "entity_names",
    "claims_current",
    "claims_history",
    "messages",
    "observations",
    "fact_evidence",
    "evidence_lineage",
    "graph_edges_current",
    "graph_edges_history",
    "contradictions_current",
    "entity_mentions",
    "identity_events",
    "segments",
    "communities",
    "community_reports",
    "changes",
    "project_freshness",
]


def memory(mark: str) -> list[dict[str, Any]]:
    """Tell of two people in words that hold a mark, once for good and once for a past retention."""
    said = f"{mark} Ada knows {mark} Bo."
    hidden = f"7{mark}expired"
    return [
        {"type": "project"},
        turn("t1", said),
        turn("t2", hidden, retention_until="2020-01-01T00:00:00Z"),
        {
            "type": "fact",
            "key": "f1",
            "subject": f"{mark} Ada",
            "predicate": "knows",
            "object": f"{mark} Bo",
            "statement": said,
            "evidence": [{"observation": "t1", "quote": said}],
        },
        {
            "type": "fact",
            "key": "f2",
            "subject": f"{mark} Ada",
            "predicate": "hides",
            "value": hidden,
            "statement": hidden,
            "evidence": [{"observation": "t2", "quote": hidden}],
        },
    ]


@pytest.fixture(scope="module")
def two(module_database: Database) -> Database:
    """Load north and south; analysts are granted what the tests give them."""
    with psycopg.connect(module_database.login("taisce_admin"), autocommit=True) as boss:
        for name in ("north", "south"):
            load_lines(boss, name, memory(f"mark{name}"))
    return module_database


@pytest.fixture(scope="module")
def guests(two: Database) -> dict[str, str]:
    """Make logins that are only members of taisce_analyst, granted no, one or both projects."""
    made = {}
    with two.connect() as conn:
        for name, projects in {"none": (), "one": ("north",), "both": ("north", "south")}.items():
            made[name] = two.login("taisce_analyst")
            role = two.logins[-1]
            for project in projects:
                conn.execute(
                    "insert into taisce.project_grant (project_id, grantee, access) "
                    "select p.project_id, %s::regrole, 'read' from taisce.project as p "
                    "where p.name = %s",
                    (role, project),
                )
    return made


@pytest.fixture
def one(guests: dict[str, str]) -> Iterator[Connection]:
    with psycopg.connect(guests["one"], autocommit=True) as conn:
        yield conn


@pytest.fixture
def both(guests: dict[str, str]) -> Iterator[Connection]:
    with psycopg.connect(guests["both"], autocommit=True) as conn:
        yield conn


def everything(conn: Connection, view: str) -> str:
    return str(conn.execute(f"select * from memory_v1.{view}".encode()).fetchall())


@pytest.mark.parametrize("view", VIEWS)
def test_one_granted_project_is_shown_alone(one: Connection, view: str) -> None:
    shown = everything(one, view)
    assert "marksouth" not in shown
    assert "expired" not in shown


def test_what_is_granted_is_shown(one: Connection) -> None:
    assert "marknorth" in everything(one, "facts_current")
    assert "marknorth" in everything(one, "messages")


@pytest.mark.parametrize("view", VIEWS)
def test_the_setting_chooses_among_granted_projects(both: Connection, view: str) -> None:
    both.execute("select set_config('taisce.project', 'south', false)")
    assert "marknorth" not in everything(both, view)
    both.execute("select set_config('taisce.project', '', false)")
    with pytest.raises(psycopg.Error) as told:
        everything(both, view)
    assert told.value.sqlstate == "TS005"


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_not_granted_and_what_is_unknown_are_one_error(one: Connection, view: str) -> None:
    said = []
    for project in ("south", "nowhere"):
        one.execute("select set_config('taisce.project', %s, false)", (project,))
        with pytest.raises(psycopg.Error) as told:
            everything(one, view)
        said.append((told.value.sqlstate, str(told.value)))
    assert said[0] == said[1]
    assert said[0][0] == "TS003"


def test_nothing_granted_is_an_error(guests: dict[str, str]) -> None:
    with psycopg.connect(guests["none"], autocommit=True) as conn:
        for view in VIEWS:
            with pytest.raises(psycopg.Error) as told:
                everything(conn, view)
            assert told.value.sqlstate == "TS003"


def test_a_superuser_without_a_grant_sees_nothing(two: Database) -> None:
    with two.connect() as conn, pytest.raises(psycopg.Error) as told:
        everything(conn, "facts_current")
    assert told.value.sqlstate == "TS003"


def test_a_prepared_statement_follows_the_role(two: Database) -> None:
    with two.connect() as conn:
        names = [psycopg.conninfo.conninfo_to_dict(two.login("taisce_analyst"))["user"]
                 for _ in range(2)]  # fmt: skip
        for name, project in zip(names, ("north", "south"), strict=True):
            conn.execute(
                "insert into taisce.project_grant (project_id, grantee, access) "
                "select p.project_id, %s::regrole, 'read' from taisce.project as p "
                "where p.name = %s",
                (name, project),
            )
        for _ in range(7):
            for name, project in zip(names, ("north", "south"), strict=True):
                conn.execute(f"set role {name}".encode())
                rows = conn.execute(
                    "select project, subject from memory_v1.facts_current", prepare=True
                ).fetchall()
                assert rows == [(project, f"mark{project} Ada")]


@pytest.mark.parametrize(
    "condition",
    [
        "value::integer > 0",
        "statement::integer is null and predicate = 'hides'",
        "length(statement) / (length(statement) - 17) > 0",
    ],
)
def test_a_condition_that_fails_on_a_row_does_not_meet_hidden_rows(
    one: Connection, condition: str
) -> None:
    said = ""
    try:
        one.execute(f"select fact_id from memory_v1.facts_history where {condition}".encode())
    except psycopg.Error as error:
        said = f"{error.sqlstate} {error}"
    for hidden in ("expired", "marksouth", "22012"):
        assert hidden not in said


def test_a_row_of_another_project_cannot_be_named(both: Connection, one: Connection) -> None:
    both.execute("select set_config('taisce.project', 'south', false)")
    found = both.execute("select fact_id from memory_v1.facts_current").fetchone()
    assert found is not None
    for view in ("facts_current", "facts_history", "fact_evidence", "graph_edges_current"):
        rows = one.execute(
            f"select * from memory_v1.{view} where fact_id = %s".encode(), found
        ).fetchall()
        assert rows == []


def test_an_analyst_reaches_nothing_but_views_and_helpers(one: Connection) -> None:
    for text in (
        "select * from taisce.fact",
        "select taisce.view_ground()",
        "insert into memory_v1.entities (canonical_name) values ('x')",
        "delete from memory_v1.facts_current",
        "create view memory_v1.mine as select 1",
        "select * from memory_v1.load_stage",
    ):
        with pytest.raises(psycopg.Error) as told:
            one.execute(text.encode())
        assert told.value.sqlstate in ("42501", "55000"), text
