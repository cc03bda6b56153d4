"""Sabotage of testimony, of words that are out of step, and of contradictions between two pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.amber import (
    FACTS,
    behind_the_back,
    facts,
    ids_of,
    new_memory,
    said,
    token_of,
)
from tests.support.databases import Database
from tests.support.memories import fact, lines, turn

Connection = psycopg.Connection[Any]
SIDES = 40
_numbers = count(1)


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture
def project(conn: Connection) -> str:
    return new_memory(conn)


def entity(conn: Connection, name: str) -> str:
    row = conn.execute("select entity_id from memory_v1.resolve_entity(%s)", [name]).fetchone()
    assert row is not None
    return str(row[0])


def said_of(conn: Connection, ids: list[str], k: int, token: str | None = None) -> dict[str, Any]:
    row = conn.execute(
        "select memory_v1.testimony_context_envelope('amber', k => %s,"
        " entity_ids => %s::uuid[], continuation => %s)",
        [k, ids, token],
    ).fetchone()
    assert row is not None
    answer: dict[str, Any] = row[0]
    return answer


def rest_of(conn: Connection, answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the pages after one, of testimony."""
    found = [answer]
    while found[-1]["truncation"]["continuation"]:
        found.append(said(conn, token_of(found[-1])))
    return found[1:]


def test_stale_words_propose_and_the_live_text_is_shown(conn: Connection, project: str) -> None:
    first = facts(conn, k=30)["facts"][0]
    claim = said(conn, k=100)["evidence"][0]
    with behind_the_back(conn):
        conn.execute(
            "update taisce.fact set statement = 'violet' where fact_id = %s", [first["fact_id"]]
        )
        conn.execute(
            "update taisce.claim set claim_text = 'violet' where claim_id = %s",
            [claim["claim_id"]],
        )
    held, told = facts(conn, k=30), said(conn, k=100)
    [changed] = [one for one in held["facts"] if one["fact_id"] == first["fact_id"]]
    assert (changed["statement"], changed["label"]) == ("violet", "violet")
    assert first["statement"] not in json.dumps(held)
    [now] = [one for one in told["evidence"] if one["claim_id"] == claim["claim_id"]]
    assert now["claim_text"] == "violet"
    assert claim["claim_text"] not in json.dumps(told)
    assert held["dropped_by_hydration"] == told["dropped_by_hydration"] == 0
    assert facts(conn, query="violet")["negative"]["kind"] == "known_empty"


def test_words_of_another_time_do_not_group_claims(conn: Connection, project: str) -> None:
    told = said(conn, k=100)["evidence"]
    same = [one["claim_id"] for one in told[:3]]
    with behind_the_back(conn):
        conn.execute(
            "update taisce.claim set claim_text = 'Amber, all the same!' where claim_id = any (%s)",
            [same],
        )
    [group] = [one for one in said(conn, k=100)["evidence"] if one["claim_id"] in same]
    assert sorted(group["grouped_claim_ids"]) == sorted(same)
    assert group["corroboration_count"] == len({one["lineage"] for one in told[:3]})


def test_testimony_without_words_is_not_found_and_not_counted(
    conn: Connection, project: str
) -> None:
    gone = said(conn, k=100)["evidence"][0]
    with behind_the_back(conn):
        conn.execute(
            "delete from taisce.word_document where item_id = %s or item_id ="
            " (select passage_id from taisce.message where passage_id = %s)",
            [gone["claim_id"], gone["passage_id"]],
        )
    answer = said(conn, k=100)
    assert gone["claim_id"] not in [one["claim_id"] for one in answer["evidence"]]
    assert gone["passage_id"] not in [one["passage_id"] for one in answer["passages"]]
    assert answer["dropped_by_hydration"] == 0
    with behind_the_back(conn):
        conn.execute("delete from taisce.word_document where space in ('claim', 'message')")
    answer = said(conn, k=100)
    assert answer["negative"]["explanation"].startswith("words:")
    assert answer["evidence"] == answer["passages"] == []


def test_expired_testimony_is_counted_and_not_shown(conn: Connection, project: str) -> None:
    before = said(conn, k=100)
    gone = before["passages"][0]
    with behind_the_back(conn):
        for table in ("claim", "message"):
            conn.execute(
                f"update taisce.{table} set retention_until = now() - interval '1 day'"
                " where observation_id = %s".encode(),
                [gone["observation_id"]],
            )
    after = said(conn, k=100)
    shown = [one["observation_id"] for one in [*after["evidence"], *after["passages"]]]
    assert gone["observation_id"] not in shown
    lost = [one for one in before["evidence"] if one["observation_id"] == gone["observation_id"]]
    assert lost
    assert after["dropped_by_hydration"] >= len(lost)
    assert len(after["evidence"]) == len(before["evidence"]) - len(lost)
    assert len(after["passages"]) == len(before["passages"]) - 1


def test_what_is_told_between_pages_of_testimony_neither_shifts_nor_joins_them(
    conn: Connection, project: str
) -> None:
    whole = said(conn, k=100)
    first = said(conn)
    more = [turn(f"new {n}", f"Amber amber amber, says {n}.") for n in range(8)]
    load_lines(conn, project, lines(more), name="more")
    found = [first, *rest_of(conn, first)]
    for part, key in (("evidence", "claim_id"), ("passages", "passage_id")):
        seen = [one[key] for answer in found for one in answer[part]]
        assert seen == [one[key] for one in whole[part]]
    assert len(said(conn, k=100)["passages"]) == len(whole["passages"]) + 8


def test_testimony_about_an_entity_merged_between_pages_is_followed(
    conn: Connection, project: str
) -> None:
    ada = entity(conn, "Ada")
    whole = said_of(conn, [ada], 100)
    first = said_of(conn, [ada], 5)
    conn.execute("select * from memory_v1.merge_entities('\"Ada\"', '\"Bob\"')")
    second = said_of(conn, [ada], 100, token_of(first))
    assert second["entities"][0]["asked_id"] == ada
    assert second["entities"][0]["canonical_name"] == "Bob"
    for part, key in (("evidence", "claim_id"), ("passages", "passage_id")):
        seen = [one[key] for answer in (first, second) for one in answer[part]]
        assert seen == [one[key] for one in whole[part]]
    assert second["dropped_by_hydration"] == 0


def test_testimony_of_an_anchor_gone_between_pages_is_a_boundary(
    conn: Connection, project: str
) -> None:
    ada = entity(conn, "Ada")
    first = said_of(conn, [ada], 5)
    with behind_the_back(conn):
        conn.execute("update taisce.entity set status = 'retired' where entity_id = %s", [ada])
    second = said_of(conn, [ada], 5, token_of(first))
    assert second["negative"]["kind"] == "boundary"
    assert second["evidence"] == second["passages"] == []
    assert said_of(conn, [ada], 5)["negative"]["kind"] == "unknown_entity"


@pytest.fixture
def dispute(conn: Connection) -> str:
    """Make a contradiction of forty sides."""
    name = f"dispute {next(_numbers)}"
    made: list[dict[str, Any]] = [turn("t", "Ada is one of forty.")]
    made += [
        fact(f"f{n}", "Ada", f"amber side {n}", "t", "Ada is", predicate="is", value=f"{n}")
        for n in range(SIDES)
    ]
    made.append({"type": "contradiction", "facts": [f"f{n}" for n in range(SIDES)]})
    load_lines(conn, name, lines(made), name="dispute")
    conn.execute("select set_config('taisce.project', %s, false)", [name])
    return name


def members(conn: Connection, group: str, token: str | None) -> list[dict[str, Any]]:
    return [
        row[0]
        for row in conn.execute(
            "select to_jsonb(r) from memory_v1.contradiction_members(%s, %s) as r", [group, token]
        )
    ]


def test_no_side_stands_alone_on_any_page(conn: Connection, dispute: str) -> None:
    seen, token = [], None
    while True:
        answer = facts(conn, token, k=15)
        for one in answer["facts"]:
            sides = one["contradiction"]
            assert (sides["returned"], sides["total"]) == (25, SIDES - 1)
            inline = [side["fact_id"] for side in sides["co_members"]]
            rest = [
                row["fact_id"] for row in members(conn, sides["group_id"], sides["continuation"])
            ]
            assert sorted([*inline, *rest, one["fact_id"]]) == sorted(
                row["fact_id"]
                for page in (members(conn, sides["group_id"], None),)
                for row in [*page, *members(conn, sides["group_id"], page[-1]["continuation"])]
            )
        seen += ids_of(answer)
        token = answer["truncation"]["continuation"]
        if token is None:
            break
    assert len(seen) == len(set(seen)) == SIDES


def test_sides_retracted_between_pages_are_neither_shown_nor_counted(
    conn: Connection, dispute: str
) -> None:
    [shown] = facts(conn, k=1)["facts"]
    sides = shown["contradiction"]
    inline = [side["fact_id"] for side in sides["co_members"]]
    every = [row["fact_id"] for row in members(conn, sides["group_id"], sides["continuation"])]
    gone = [every[0], every[-1], inline[3]]
    for fact_id in gone:
        conn.execute("select memory_v1.retract_fact(%s, 'a joke')", [fact_id])
    rest = members(conn, sides["group_id"], sides["continuation"])
    assert [row["fact_id"] for row in rest] == every[1:-1]
    [again] = [one for one in facts(conn, k=30)["facts"] if one["fact_id"] == shown["fact_id"]]
    assert again["contradiction"]["total"] == SIDES - 1 - len(gone)
    assert not set(gone) & {side["fact_id"] for side in again["contradiction"]["co_members"]}
    # Of what the index proposes, the three are counted, not shown.
    answer, token, dropped, seen = facts(conn, k=30), None, 0, []
    while True:
        dropped += answer["dropped_by_hydration"]
        seen += ids_of(answer)
        token = answer["truncation"]["continuation"]
        if token is None:
            break
        answer = facts(conn, token, k=30)
    assert dropped == len(gone)
    assert len(seen) == len(set(seen)) == SIDES - len(gone)


def test_evidence_runs_out_in_turn(conn: Connection) -> None:
    name = f"budget {next(_numbers)}"
    # Facts with 1, 2, 3 ... records of either stance, each of a source of its own.
    made: list[dict[str, Any]] = []
    for number in range(30):
        evidence = []
        for part in range(1 + number % 6):
            made.append(turn(f"t{number}-{part}", f"amber {number} told {part}."))
            evidence.append({"observation": f"t{number}-{part}", "quote": f"amber {number}"})
            if part % 3 == 2:
                evidence[-1]["stance"] = "contradicts"
        made.append({**fact(f"f{number}", "Ada", f"amber fact {number}", f"t{number}-0", "amber",
                            value=str(number)), "evidence": evidence})  # fmt: skip
    load_lines(conn, name, lines(made), name="budget")
    conn.execute("select set_config('taisce.project', %s, false)", [name])
    row = conn.execute(
        "select memory_v1.fact_context_envelope('amber', k => 30, evidence_per_fact => 5)"
    ).fetchone()
    assert row is not None
    answer = row[0]
    links = [link["fact_id"] for link in answer["fact_evidence"]]
    counts = [links.count(one["fact_id"]) for one in answer["facts"]]
    there = [
        min(5, total["supports"]) + min(5, total["contradicts"])
        for total in answer["evidence_totals"]
    ]
    numbers = [int(one["value"]) % 6 for one in answer["facts"]]
    assert [(t["supports"], t["contradicts"]) for t in answer["evidence_totals"]] == [
        (1 + number - (number + 1) // 3, (number + 1) // 3) for number in numbers
    ]
    assert sum(there) > 60
    assert sum(counts) == 60
    # Nobody has another before all have had their turn, in the order shown.
    turns = max(counts)
    full = [min(have, turns) for have in there]
    short = [place for place, (got, whole) in enumerate(zip(counts, full, strict=True))
             if got < whole]  # fmt: skip
    assert all(counts[place] == turns - 1 for place in short)
    served = [place for place, got in enumerate(counts) if got == turns]
    assert not short or max(served) < min(short)


def test_the_pages_of_a_memory_that_loses_facts_add_up(conn: Connection, project: str) -> None:
    order = ids_of(facts(conn, k=30))
    answer = facts(conn, k=2)
    seen, dropped, gone = ids_of(answer), 0, []
    while answer["truncation"]["continuation"]:
        left = [one for one in order if one not in seen and one not in gone]
        if len(left) > 1:
            gone.append(left[1])
            conn.execute("select memory_v1.retract_fact(%s, 'a joke')", [left[1]])
        answer = facts(conn, token_of(answer), k=2)
        dropped += answer["dropped_by_hydration"]
        assert not set(ids_of(answer)) & {*seen, *gone}
        seen += ids_of(answer)
    assert gone
    assert seen == [one for one in order if one not in gone]
    assert dropped == len(gone)
    assert len(seen) + len(gone) == FACTS
