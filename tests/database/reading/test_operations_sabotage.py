"""Indexes may propose what they like: only the live tables decide, and the count says so.

Each test breaks something between a proposal and its confirmation: rows taken away behind the
back of the words, facts retracted and sources erased between two pages, entities merged or gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.amber import (
    FACTS,
    behind_the_back,
    facts,
    ids_of,
    memory_lines,
    new_memory,
    said,
    token_of,
)
from tests.support.databases import Database
from tests.support.memories import fact, lines, turn

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture
def project(conn: Connection) -> str:
    return new_memory(conn)


def all_ids(conn: Connection, project: str) -> list[str]:
    return [
        str(row[0])
        for row in conn.execute(
            "select f.fact_id from taisce.fact as f join taisce.project as p using (project_id)"
            " where p.name = %s",
            [project],
        )
    ]


def unshown(conn: Connection, project: str, answer: dict[str, Any]) -> str:
    """Return the first fact that the next page will show."""
    following = ids_of(facts(conn, token_of(answer)))
    assert set(following) <= set(all_ids(conn, project))
    return following[0]


def test_words_of_rows_that_are_gone_bring_nothing_back(conn: Connection, project: str) -> None:
    gone = ids_of(facts(conn))[0]
    with behind_the_back(conn):
        for table in ("fact_evidence", "fact_version", "fact"):
            conn.execute(f"delete from taisce.{table} where fact_id = %s".encode(), [gone])
    answer = facts(conn, k=30)
    assert gone not in ids_of(answer)
    assert len(answer["facts"]) == FACTS - 1
    assert answer["dropped_by_hydration"] == 1
    assert answer["truncation"]["estimated_total"] == FACTS - 1


def test_a_fact_whose_words_are_missing_is_still_reached_from_its_entity(
    conn: Connection, project: str
) -> None:
    with behind_the_back(conn):
        conn.execute("delete from taisce.word_document where space = 'fact'")
        conn.execute("delete from taisce.posting where space = 'fact'")
    assert facts(conn, k=30)["facts"] == []
    ada = conn.execute("select entity_id from memory_v1.resolve_entity('Ada')").fetchone()
    assert ada is not None
    answer = facts(conn, k=30, ids=[ada[0]])
    assert len(answer["facts"]) == FACTS
    assert {one["score"] for one in answer["facts"]} == {0}


def test_expired_and_retracted_facts_are_counted_and_not_shown(
    conn: Connection, project: str
) -> None:
    first, second, third = ids_of(facts(conn))[:3]
    with behind_the_back(conn):
        for table in ("fact", "fact_version"):
            conn.execute(
                f"update taisce.{table} set retention_until = now() - interval '1 day'"
                " where fact_id = %s".encode(),
                [first],
            )
        conn.execute("delete from taisce.fact_evidence where fact_id = %s", [third])
    conn.execute("select memory_v1.retract_fact(%s, 'a joke')", [second])
    answer = facts(conn, k=30)
    assert not {first, second, third} & set(ids_of(answer))
    assert answer["dropped_by_hydration"] == 3
    assert len(answer["facts"]) == FACTS - 3


def test_what_was_not_looked_at_is_truncation_and_not_a_drop(
    conn: Connection, project: str
) -> None:
    order = ids_of(facts(conn, k=30))
    conn.execute("select memory_v1.retract_fact(%s, 'a joke')", [order[1]])
    conn.execute("select memory_v1.retract_fact(%s, 'a joke')", [order[9]])
    answer = facts(conn, k=5)
    # Refilled from the tail: five are shown all the same.
    assert ids_of(answer) == [order[0], *order[2:6]]
    assert answer["dropped_by_hydration"] == 1
    assert answer["truncation"]["truncated"] is True


def test_a_fact_retracted_between_pages_is_counted_and_never_served(
    conn: Connection, project: str
) -> None:
    first = facts(conn)
    gone = unshown(conn, project, first)
    conn.execute("select memory_v1.retract_fact(%s, 'a joke')", [gone])
    second = facts(conn, token_of(first))
    third = facts(conn, token_of(second))
    seen = ids_of(first) + ids_of(second) + ids_of(third)
    assert gone not in seen
    assert len(seen) == len(set(seen)) == FACTS - 1
    assert second["dropped_by_hydration"] + third["dropped_by_hydration"] == 1
    assert third["truncation"]["continuation"] is None
    assert second["temporal_scope"]["evaluated_at"] == first["temporal_scope"]["evaluated_at"]


def test_what_is_told_between_pages_neither_shifts_nor_joins_them(
    conn: Connection, project: str
) -> None:
    first = facts(conn)
    before = set(all_ids(conn, project))
    more = [turn("new", "Amber amber amber again.")]
    more += [
        fact(f"n{n}", "Ada", f"amber amber amber {n}", "new", "Amber amber", value=f"new {n}")
        for n in range(8)
    ]
    load_lines(conn, project, lines(more), name="more")
    seen = ids_of(first)
    token = first["truncation"]["continuation"]
    while token:
        answer = facts(conn, token)
        seen += ids_of(answer)
        token = answer["truncation"]["continuation"]
    assert len(seen) == len(set(seen)) == FACTS
    assert set(seen) == before
    assert len(facts(conn, k=30)["facts"]) == FACTS + 8


def test_a_source_erased_between_pages_is_never_served(conn: Connection, project: str) -> None:
    told = said(conn)
    held = facts(conn)
    claim = said(conn, token_of(told))["evidence"][0]
    [(shown,)] = conn.execute(
        "select count(*) from jsonb_array_elements(%s::jsonb) as e where e = to_jsonb(%s::text)",
        [str([one["observation_id"] for one in told["passages"]]).replace("'", '"'),
         claim["observation_id"]],
    ).fetchall()  # fmt: skip
    conn.execute(
        "select * from memory_v1.erase_observations(array[%s]::uuid[], false)",
        [claim["observation_id"]],
    )
    seen, dropped, token = [], 0, told["truncation"]["continuation"]
    passages = [one["passage_id"] for one in told["passages"]]
    while token:
        answer = said(conn, token)
        assert claim["observation_id"] not in {
            one["observation_id"] for one in [*answer["evidence"], *answer["passages"]]
        }
        seen += [one["claim_id"] for one in answer["evidence"]]
        passages += [one["passage_id"] for one in answer["passages"]]
        dropped += answer["dropped_by_hydration"]
        token = answer["truncation"]["continuation"]
    # Two claims of the erased turn, and its message unless that had been shown.
    assert dropped == 3 - shown
    assert len(seen) == len(set(seen))
    assert len(passages) == len(set(passages))
    rest, token = [], held["truncation"]["continuation"]
    while token:
        answer = facts(conn, token)
        rest += answer["facts"]
        token = answer["truncation"]["continuation"]
    assert len(rest) + len(held["facts"]) in (FACTS - 1, FACTS)
    assert len(facts(conn, k=30)["facts"]) == FACTS - 1


def test_a_claim_taken_back_between_pages_is_never_served(conn: Connection, project: str) -> None:
    told = said(conn)
    claim = said(conn, token_of(told))["evidence"][0]["claim_id"]
    conn.execute(
        "update taisce.claim set is_current_testimony = false where claim_id = %s", [claim]
    )
    answer = said(conn, token_of(told))
    assert claim not in [one["claim_id"] for one in answer["evidence"]]
    assert answer["dropped_by_hydration"] == 1
    fresh = said(conn, k=100)
    assert claim not in [one["claim_id"] for one in fresh["evidence"]]
    # The index still proposes it.
    assert fresh["dropped_by_hydration"] == 1


def test_a_released_text_leaves_quotes_and_takes_the_passage(
    conn: Connection, project: str
) -> None:
    told = said(conn, k=100)
    observation = told["passages"][0]["observation_id"]
    conn.execute("select * from memory_v1.release_content(%s, false)", [observation])
    again = said(conn, k=100)
    assert observation not in [one["observation_id"] for one in again["passages"]]
    quotes = [one for one in again["evidence"] if one["observation_id"] == observation]
    assert quotes
    assert {(one["context"], one["context_complete"]) for one in quotes} == {("", False)}
    assert "citation_context" in again["degraded"]


def test_an_entity_merged_between_pages_is_followed(conn: Connection, project: str) -> None:
    ada = conn.execute("select entity_id from memory_v1.resolve_entity('Ada')").fetchone()
    assert ada is not None
    first = facts(conn, ids=[ada[0]])
    conn.execute("select * from memory_v1.merge_entities('\"Ada\"', '\"Bob\"')")
    second = facts(conn, token_of(first), ids=[ada[0]])
    assert {one["subject"] for one in second["facts"]} == {"Bob"}
    assert second["entities"][0]["asked_id"] == str(ada[0])
    assert not set(ids_of(first)) & set(ids_of(second))
    assert second["dropped_by_hydration"] == 0


def test_an_anchor_gone_between_pages_is_a_boundary(conn: Connection, project: str) -> None:
    ada = conn.execute("select entity_id from memory_v1.resolve_entity('Ada')").fetchone()
    assert ada is not None
    first = facts(conn, ids=[ada[0]])
    with behind_the_back(conn):
        conn.execute("update taisce.entity set status = 'retired' where entity_id = %s", [ada[0]])
    second = facts(conn, token_of(first), ids=[ada[0]])
    assert second["negative"]["kind"] == "boundary"
    assert second["facts"] == []
    with pytest.raises(psycopg.Error) as refused:
        conn.execute(
            "select * from memory_v1.fact_context('amber', continuation => %s,"
            " entity_ids => array[%s]::uuid[])",
            [token_of(first), ada[0]],
        )
    assert refused.value.sqlstate == "TS013"
    assert facts(conn, ids=[ada[0]])["negative"]["kind"] == "unknown_entity"


def test_a_neighbour_gone_between_pages_is_left_out_and_counted(
    conn: Connection, project: str
) -> None:
    more = [turn("k", "Ada knows Bob."),
            fact("knows", "Ada", "amber: knows Bob", "k", "knows Bob", predicate="knows",
                 object="Bob")]  # fmt: skip
    load_lines(conn, project, lines(more), name="more")
    ada = conn.execute("select entity_id from memory_v1.resolve_entity('Ada')").fetchone()
    bob = conn.execute("select entity_id from memory_v1.resolve_entity('Bob')").fetchone()
    assert ada is not None
    assert bob is not None
    first = facts(conn, ids=[ada[0]])
    assert first["scope"]["neighbours"] == [str(bob[0])]
    with behind_the_back(conn):
        conn.execute("update taisce.entity set status = 'retired' where entity_id = %s", [bob[0]])
    second = facts(conn, token_of(first), ids=[ada[0]])
    assert second["scope"]["neighbours"] == []
    assert second["dropped_by_hydration"] == 1
    assert second["facts"]


def test_a_page_of_somebody_elses_items_gives_nothing_of_his(
    conn: Connection, project: str
) -> None:
    mine = token_of(facts(conn))
    load_lines(conn, "other", lines(memory_lines()), name="other")
    conn.execute("set taisce.project = 'other'")
    with pytest.raises(psycopg.Error) as refused:
        facts(conn, mine)
    assert refused.value.sqlstate == "TS005"
