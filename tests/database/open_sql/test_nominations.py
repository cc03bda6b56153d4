"""A query says how many items its searches proposed, and how many the live tables confirmed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.harden import harden
from taisce_pg.sandbox.execute import Analyst, AsyncAnalyst
from taisce_pg.sandbox.result import QueryResult
from taisce_pg.sandbox.session import Query
from tests.support.databases import Database


def line(number: int, said: str, **fact: Any) -> list[dict[str, Any]]:
    """Return a message of its own and a fact that rests on it."""
    message = {"role": "user", "content": f"{said}, number {number}."}
    return [
        {"type": "observation", "key": f"t{number}", "messages": [message]},
        {
            "type": "fact",
            "subject": f"Person {number}",
            "statement": said,
            "evidence": [{"observation": f"t{number}", "quote": said}],
            **fact,
        },
    ]


@pytest.fixture(scope="module")
def uri(module_database: Database) -> str:
    """Make a memory in which half of the facts about Dublin are over; return a login."""
    made: list[dict[str, Any]] = []
    for number in range(8):
        over = {"valid_until": "2020-01-01T00:00:00Z"} if number % 2 else {}
        made += line(number, "lives in Dublin", predicate="lives_in", object="Dublin", **over)
    made += line(8, "keeps bees", predicate="keeps", value="bees")
    with module_database.connect() as conn:
        conn.execute("select memory_v1.create_project('mine')")
        with conn.transaction():
            conn.cursor().executemany(
                "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                [(place, json.dumps(body)) for place, body in enumerate(made, 1)],
            )
            conn.execute("select count(*) from memory_v1.load('mine')")
        # As long as nobody has looked, the index still proposes what is over.
        conn.execute("update taisce.fact_version set live = true")
        conn.execute("select taisce.rebuild_words(p.project_id) from taisce.project as p")
        conn.execute("select memory_v1.grant_project('mine', 'taisce_analyst', 'read')")
    return module_database.login("taisce_analyst")


@pytest.fixture(scope="module")
def analyst(uri: str) -> Iterator[Analyst]:
    made = Analyst(uri)
    yield made
    made.close()


def counts(result: QueryResult) -> list[tuple[str, int, int, int]]:
    assert result.error is None, result.error
    return [(one.function, one.nominated, one.confirmed, one.dropped) for one in result.nominations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select * from lexical_facts('Dublin')", [("lexical_facts", 8, 4, 4)]),
        ("select * from lexical_facts('bees')", [("lexical_facts", 1, 1, 0)]),
        ("select * from lexical_facts('nowhere')", [("lexical_facts", 0, 0, 0)]),
        ("select * from lexical_claims('Dublin', 100)", [("lexical_claims", 8, 8, 0)]),
        (
            "select f.fact_id, p.passage_id from lexical_facts('bees') f, "
            "lexical_passages('bees') p",
            [("lexical_facts", 1, 1, 0), ("lexical_passages", 1, 1, 0)],
        ),
        (
            "select e.canonical_name, f.statement from entities e cross join lateral "
            "lexical_facts('bees') f where e.canonical_name in ('Person 1', 'Person 2')",
            None,
        ),
        ("select statement from facts_current", []),
        ("select * from resolve_entity('Dublin')", []),
    ],
)
def test_a_query_tells_of_its_searches(
    analyst: Analyst, text: str, expected: list[tuple[str, int, int, int]] | None
) -> None:
    found = counts(analyst.run(Query(text)))
    if expected is None:  # Asked once or for each row, as the planner likes.
        assert found in ([("lexical_facts", 1, 1, 0)], [("lexical_facts", 2, 2, 0)])
    else:
        assert found == expected


def test_what_comes_behind_the_last_wanted_is_not_counted(analyst: Analyst) -> None:
    ((_, nominated, confirmed, dropped),) = counts(
        analyst.run(Query("select * from lexical_facts('Dublin', 2)"))
    )
    assert confirmed == 2
    assert nominated == confirmed + dropped
    assert nominated <= 6


def test_rows_cut_off_do_not_hide_the_counts_and_a_failure_has_none(analyst: Analyst) -> None:
    text = "select * from lexical_facts('Dublin')"
    assert counts(analyst.run(Query(text, rows=1))) == [("lexical_facts", 8, 4, 4)]
    failed = analyst.run(Query("select 1 / (k.score * 0)::int from lexical_facts('bees') k"))
    assert failed.error is not None
    assert failed.nominations == ()


def test_async_and_hardened_it_is_the_same(module_database: Database, uri: str) -> None:
    with module_database.connect() as conn:
        harden(conn)

    async def ask() -> QueryResult:
        made = AsyncAnalyst(uri)
        try:
            return await made.run(Query("select * from lexical_facts('Dublin')"))
        finally:
            await made.close()

    assert counts(asyncio.run(ask())) == [("lexical_facts", 8, 4, 4)]


def test_outside_a_run_nothing_is_counted(uri: str) -> None:
    with psycopg.connect(uri) as conn:
        conn.execute("select * from memory_v1.lexical_facts('Dublin')")
        with pytest.raises(psycopg.errors.UndefinedObject):
            conn.execute("show taisce.nominated_lexical_facts")
        conn.rollback()
        conn.execute("set taisce.nominated_lexical_facts = 'my own words'")
        conn.execute("select * from memory_v1.lexical_facts('Dublin')")
        assert conn.execute("show taisce.nominated_lexical_facts").fetchone() == ("my own words",)
