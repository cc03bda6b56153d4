"""Contexts and segments_due against the plain model, and how much they read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from tests.model.contexts import History, Item, Segment, Turn, live_a_life
from tests.support.buffers import buffers, use_project
from tests.support.databases import Database
from tests.support.sizes import size

CASES = size(20, 200)
ONLY = os.environ.get("TAISCE_MODEL_SEED")
LONG = size(10_000, 100_000)

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        made.execute("update taisce.setting set value = '10000000' where name like 'bundle%'")
        yield made


def store(conn: Connection, project: int, subject: str, history: History) -> None:
    """Insert a history; every turn is one message of the user, whose role counts too."""
    states = [turn.state for turn in history.turns]
    conn.execute(
        """
        with given as materialized (
            select gen_random_uuid() as id, t.*
            from unnest(%(offsets)s::bigint[], %(sizes)s::integer[], %(states)s::text[])
                as t (log_offset, size, state)
        ),
        said as (
            insert into taisce.observation (
                project_id, observation_id, log_offset, kind, source_role, data_subject_id,
                ingested_at, lineage, message_count, characters, formed_at, parked_at,
                retention_until)
            select %(p)s, g.id, g.log_offset, 'turn', 'user', %(s)s, now(), '', 1, 0,
                case when g.state in ('formed', 'expired') then now() end,
                case when g.state = 'parked' then now() end,
                case when g.state = 'expired' then now() - interval '1 s' else 'infinity' end
            from given as g
        )
        insert into taisce.message (project_id, observation_id, ordinal, passage_id,
            log_offset, role, content, characters, octets, content_digest, data_subject_id)
        select %(p)s, g.id, 0, g.id, g.log_offset, 'user', repeat('é', g.size), g.size,
            2 * g.size, sha256('x'), %(s)s
        from given as g
        """,
        {
            "p": project,
            "s": subject,
            "offsets": [turn.offset for turn in history.turns],
            "sizes": [turn.size - len("user") for turn in history.turns],
            "states": states,
        },
    )
    with conn.cursor() as cursor:
        cursor.executemany(
            "insert into taisce.segment values "
            "(%s, gen_random_uuid(), %s, %s, %s, %s, %s, repeat('ß', %s), %s, now())",
            [
                (project, subject, s.level, s.first, s.last, s.covered, s.size, s.size)
                for s in history.segments
            ],
        )


def shape(item: Item) -> tuple[Any, ...]:
    if isinstance(item, Turn):
        return ("turn", None, item.offset, item.offset, 1, item.size)
    return ("segment", item.level, item.first, item.last, item.covered, item.size)


def items(conn: Connection, subject: str, budget: int, project: str) -> list[tuple[Any, ...]]:
    return list(
        conn.execute(
            "select kind, level, from_offset, to_offset, covered, characters "
            "from memory_v1.context_items(%s, %s, %s)",
            [subject, budget, project],
        ).fetchall()
    )


@pytest.mark.parametrize("seed", [int(ONLY)] if ONLY else range(CASES))
def test_a_context_is_what_looking_at_every_turn_gives(conn: Connection, seed: int) -> None:
    random = Random(seed)
    history = live_a_life(random, random.choice([0, 1, 2, 4, size(6, 12)]))
    project = use_project(conn, f"life {seed}")
    with conn.transaction():
        store(conn, project, "s", history)
    for budget in [10_000_000, 1, *(random.randint(1, 2000) for _ in range(4))]:
        kept, used, truncated = history.context(budget)
        found = items(conn, "s", budget, f"life {seed}")
        assert found == [shape(item) for item in kept]
        answer = conn.execute(
            "select memory_v1.context('s', %s, %s)", [budget, f"life {seed}"]
        ).fetchone()
        assert answer is not None
        assert answer[0]["characters"] == used
        assert answer[0]["truncated"] is truncated
        assert [turn["log_offset"] for turn in answer[0]["turns"]] == [
            item.offset for item in kept if isinstance(item, Turn)
        ]
        assert [one["from_offset"] for one in answer[0]["segments"]] == [
            item.first for item in kept if isinstance(item, Segment)
        ]
    due = conn.execute(
        "select level, from_offset, to_offset, covered, 0, cardinality(sources) "
        "from memory_v1.segments_due('s', 100, %s)",
        [f"life {seed}"],
    ).fetchall()
    assert [Segment(*row[:5]) for row in due] == history.due()[:100]
    assert all(2 <= row[5] <= 8 for row in due)


def test_what_is_due_ends_with_every_turn_covered_but_a_tail(conn: Connection) -> None:
    history = live_a_life(Random(7), 6)
    for turn in history.turns:
        turn.state = "formed"
    while plans := history.due():
        history.segments += plans
    levels = [item.level if isinstance(item, Segment) else 0 for item in history.older()]
    assert len(levels) <= 8 * 7
    assert levels == sorted(levels, reverse=True)


@pytest.fixture(scope="module")
def long_life(conn: Connection) -> str:
    """Insert a person of very many turns, all condensed, among others who say as much."""
    project = use_project(conn, "long")
    with conn.transaction():
        conn.execute(
            """
            insert into taisce.observation (project_id, observation_id, log_offset, kind,
                source_role, data_subject_id, ingested_at, lineage, message_count, characters,
                formed_at)
            select %(p)s, gen_random_uuid(), n,
                case when n %% 3 = 2 then 'document' else 'turn' end, 'user',
                case n %% 3 when 0 then 'long' when 1 then 'other' else 'long' end,
                now(), '', 1, 10, now()
            from generate_series(1, 3 * %(n)s) as n
            """,
            {"p": project, "n": LONG},
        )
        # Else foreign keys are checked by plans made while the tables were small.
        conn.execute("discard plans")
        conn.execute(
            """
            insert into taisce.message (project_id, observation_id, ordinal, passage_id,
                log_offset, role, content, characters, octets, content_digest, data_subject_id)
            select o.project_id, o.observation_id, 0, o.observation_id, o.log_offset, 'user',
                '0123456789', 10, 10, sha256('x'), o.data_subject_id
            from taisce.observation as o
            where o.project_id = %s
            """,
            [project],
        )
        for level in range(1, 7):
            conn.execute(
                """
                insert into taisce.segment
                select %(p)s, gen_random_uuid(), 'long', %(level)s, 3 * (n * %(width)s + 1),
                    3 * (n + 1) * %(width)s, %(width)s, 'in short', 8, now()
                from generate_series(0, (%(n)s - 8) / %(width)s - 1) as n
                """,
                {"p": project, "n": LONG, "level": level, "width": 8**level},
            )
    return "long"


def test_a_context_reads_what_it_returns_whatever_the_history(
    conn: Connection, long_life: str
) -> None:
    found = items(conn, "long", 10_000_000, "long")
    assert sum(row[4] for row in found) == LONG
    assert len(found) <= 8 + 6 * 8
    for _ in range(2):
        whole = buffers(conn, "select memory_v1.context('long', 10000000, 'long')")
        small = buffers(conn, "select memory_v1.context('long', 30, 'long')")
        due = buffers(conn, "select * from memory_v1.segments_due('long', 20, 'long')")
        assert whole <= 100 + 30 * len(found)
        assert small <= 150
        assert due <= 100 + 30 * len(found)
        # The same with statistics as without.
        conn.execute("analyze taisce.observation, taisce.segment, taisce.message")


def test_nothing_condensed_yet_costs_no_more_than_the_page(
    conn: Connection, long_life: str
) -> None:
    assert buffers(conn, "select memory_v1.context('other', 280, 'long')") <= 400
    due = "select * from memory_v1.segments_due('other', 2, 'long')"
    assert len(conn.execute(due).fetchall()) == 2
    assert buffers(conn, due) <= 250
    assert buffers(conn, "select memory_v1.context('nobody', 280, 'long')") <= 100
