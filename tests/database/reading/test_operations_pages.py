"""The assured operations in both forms, page by page, and within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.forms import assert_same_items
from tests.support.memories import EVERYTHING, lines
from tests.support.operations import Connection, crowd, one, refusal, rows, valid


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        load_lines(made, "everything", lines(EVERYTHING), name="everything")
        load_lines(made, "crowd", lines(crowd()), name="crowd")
        made.execute("set timezone = 'UTC'")
        yield made


QUESTIONS = [
    "fact_context('Where is Acme?', project => 'everything'",
    "fact_context('How old is Bob Smith?', project => 'everything'",
    "fact_context('allergic', project => 'everything', time_scope => '{\"mode\": \"history\"}'",
    "fact_context('amber', project => 'crowd'",
    "fact_context('amber', project => 'crowd', k => 30, evidence_per_fact => 5",
    "fact_context('unheard', project => 'crowd'",
    "testimony_context('Marta in Dublin', project => 'everything'",
    "testimony_context('amber', project => 'crowd', k => 7",
    "testimony_context('unheard', project => 'crowd'",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_rows_and_envelope_carry_the_same_items_in_the_same_order(
    conn: Connection, question: str
) -> None:
    name, _, arguments = question.partition("(")
    found = rows(conn, f"{question})")
    answer = valid(one(conn, f"{name}_envelope({arguments})"))
    assert_same_items(found, answer)


@pytest.mark.parametrize("name", ["Marta", "Acme", "Nobody at all"])
def test_rows_and_envelope_of_a_name_carry_the_same_entities(conn: Connection, name: str) -> None:
    found = rows(conn, "resolve_entity(%s, project => 'everything')", name)
    answer = valid(one(conn, "resolve_entity_envelope(%s, project => 'everything')", name))
    shown = answer["entities"]
    assert len(found) == len(shown) == answer["truncation"]["returned"]
    for row, entity in zip(found, shown, strict=True):
        same = entity.keys() & row.keys()
        assert same == {
            *("entity_id", "canonical_name", "entity_type", "matched_as", "spelling", "fact_count")
        }
        assert {key: row[key] for key in same} == {key: entity[key] for key in same}
        assert row["truncated"] is False
        assert row["continuation"] is None
        assert row["dropped"] == answer["dropped_by_hydration"]


def pages(conn: Connection, call: str) -> Iterator[dict[str, Any]]:
    """Yield the envelopes of an answer, page by page."""
    token: str | None = None
    while True:
        answer = valid(one(conn, f"{call}, continuation => %s)", token))
        yield answer
        token = answer["truncation"]["continuation"]
        if token is None:
            return


def test_pages_walk_the_candidates_without_a_repeat(conn: Connection) -> None:
    call = "fact_context_envelope('amber', project => 'crowd', k => 15"
    found = list(pages(conn, call))
    ids = [fact["fact_id"] for answer in found for fact in answer["facts"]]
    assert [len(answer["facts"]) for answer in found] == [15, 15, 10]
    assert len(set(ids)) == 40
    assert [answer["truncation"]["estimated_total"] for answer in found] == [40, 25, 10]
    assert all(answer["truncation"]["total_is_exact"] for answer in found)
    assert [answer["truncation"]["truncated"] for answer in found] == [True, True, False]
    assert len({answer["temporal_scope"]["evaluated_at"] for answer in found}) == 1
    whole = one(conn, "fact_context_envelope('amber', project => 'crowd', k => 30)")
    assert [fact["fact_id"] for fact in whole["facts"]] == ids[:30]

    call = "testimony_context_envelope('amber', project => 'crowd', k => 6"
    found = list(pages(conn, call))
    claims = [claim["claim_id"] for answer in found for claim in answer["evidence"]]
    passages = [one["passage_id"] for answer in found for one in answer["passages"]]
    assert len(claims) == len(set(claims)) == 47
    assert len(passages) == len(set(passages)) == 8


def test_a_continuation_serves_the_same_call_only(conn: Connection) -> None:
    token = one(conn, "fact_context_envelope('amber', project => 'crowd')")["truncation"][
        "continuation"
    ]
    for call in (
        "fact_context('amber again', project => 'crowd'",
        "fact_context('amber', project => 'everything'",
        "fact_context('amber', project => 'crowd', hops => 2",
        "fact_context('amber', project => 'crowd', predicate => 'p'",
        "fact_context('amber', project => 'crowd', source_roles => '{tool}'",
        "fact_context('amber', project => 'crowd', time_scope => '{\"mode\": \"history\"}'",
        "testimony_context('amber', project => 'crowd'",
    ):
        assert refusal(conn, f"{call}, continuation => %s)", token)[0] == "TS005"
    assert rows(
        conn, "fact_context('amber', project => 'crowd', k => 3, continuation => %s)", token
    )


def test_a_contradiction_comes_with_all_its_sides_and_pages_beyond_the_cap(
    conn: Connection,
) -> None:
    [first] = rows(conn, "fact_context('amber fact 3', project => 'crowd', k => 1)")
    dispute = first["contradiction"]
    assert (dispute["returned"], dispute["total"]) == (25, 29)
    assert len(dispute["co_members"]) == 25
    seen = [side["fact_id"] for side in dispute["co_members"]]
    token = dispute["continuation"]
    more = rows(
        conn,
        "contradiction_members(%s, %s, 'crowd')",
        dispute["group_id"],
        token,
    )
    seen += [row["fact_id"] for row in more]
    assert len(more) == 4
    assert len(set(seen)) == 29
    assert first["fact_id"] not in seen
    assert more[-1]["continuation"] is None
    page = rows(conn, "contradiction_members(%s, project => 'crowd')", dispute["group_id"])
    rest = rows(
        conn,
        "contradiction_members(%s, %s, 'crowd')",
        dispute["group_id"],
        page[-1]["continuation"],
    )
    assert (len(page), len(rest)) == (25, 5)
    assert {row["total"] for row in page + rest} == {30}
    assert (
        refusal(conn, "contradiction_members(%s, project => 'crowd')", str(uuid4()))[0] == "TS004"
    )


def test_sixty_records_of_evidence_are_shared_out_fairly(conn: Connection) -> None:
    answer = one(
        conn,
        "fact_context_envelope('amber', project => 'crowd', k => 30, evidence_per_fact => 5)",
    )
    links = [link["fact_id"] for link in answer["fact_evidence"]]
    counts = {fact["fact_id"]: links.count(fact["fact_id"]) for fact in answer["facts"]}
    assert len(links) == 60 or sum(min(t["supports"], 5) for t in answer["evidence_totals"]) < 60
    assert min(counts.values()) >= 1
    for total in answer["evidence_totals"]:
        assert total["supports_returned"] == counts[total["fact_id"]]
        assert total["supports"] in (1, 8)
    rich = [total for total in answer["evidence_totals"] if total["supports"] == 8]
    lineages = {claim["claim_id"]: claim["lineage"] for claim in answer["evidence"]}
    for total in rich:
        mine = [
            lineages[link["claim_id"]]
            for link in answer["fact_evidence"]
            if link["fact_id"] == total["fact_id"]
        ]
        assert len(set(mine[:3])) == len(mine[:3])


def test_both_contexts_together_are_the_two_calls(conn: Connection) -> None:
    for question, project in (("Marta Dublin", "everything"), ("amber", "crowd")):
        with conn.transaction():
            row = conn.execute(
                "select memory_v1.answer_context_envelope(%(q)s, %(p)s),"
                " memory_v1.testimony_context_envelope(%(q)s, %(p)s),"
                " memory_v1.fact_context_envelope(%(q)s, %(p)s)",
                {"q": question, "p": project},
            ).fetchone()
        assert row is not None
        both, told, held = row
        assert valid(both)["testimony"] == told
        assert both["facts"] == held
        [pair] = rows(conn, "answer_context(%s, %s)", question, project)
        for side, direct in (("testimony", told), ("facts", held)):
            for answer in (pair[side], direct):
                answer["temporal_scope"]["evaluated_at"] = answer["freshness"]["read_at"] = None
                # A token holds its instant; the rest of it is the same.
                account = answer["truncation"]
                account["continuation"] = account["continuation"] and account["continuation"][12:]
                for fact in answer["facts"]:
                    if fact["contradiction"]:
                        fact["contradiction"]["continuation"] = None
            assert pair[side] == direct


def cost(bundle: dict[str, Any]) -> int:
    """Count what is rendered of a bundle."""
    total = 0
    claims = {claim["claim_id"]: claim for claim in bundle["facts"]["evidence"]}
    for one_fact in bundle["facts"]["facts"]:
        parts = [one_fact[key] for key in ("subject", "predicate", "label", "source_role")]
        parts.append(one_fact["object"] or one_fact["value"])
        total += sum(len(part or "") for part in parts)
    for link in bundle["facts"]["fact_evidence"]:
        claim = claims[link["claim_id"]]
        total += len(claim["quote"]) + len(claim["context"])
    for claim in bundle["testimony"]["evidence"]:
        parts = [claim[key] for key in ("claim_text", "quote", "context", "title", "role")]
        total += sum(len(part or "") for part in parts)
    for passage in bundle["testimony"]["passages"]:
        total += sum(len(passage[key] or "") for key in ("content", "title", "role"))
    return total


def test_a_budget_cuts_both_in_turn_and_the_rest_can_be_fetched(conn: Connection) -> None:
    call = "answer_context_envelope('amber', 'crowd', max_characters => %s)"
    whole = valid(one(conn, call, None))
    assert whole["cut"] is None
    assert whole["characters"] == cost(whole)
    assert valid(one(conn, call, whole["characters"]))["cut"] is None
    before = -1
    for budget in (1, 2000, 6000, whole["characters"] - 1):
        cut = valid(one(conn, call, budget))
        assert cut["cut"] == "characters"
        assert cut["characters"] == cost(cut) <= budget
        assert cut["characters"] >= before
        before = cut["characters"]
        shown = [fact["fact_id"] for fact in cut["facts"]["facts"]]
        assert shown == [fact["fact_id"] for fact in whole["facts"]["facts"]][: len(shown)]
        assert abs(len(shown) - len(cut["testimony"]["evidence"])) <= 1 or len(shown) == 15
        token = cut["facts"]["truncation"]["continuation"]
        rest = rows(conn, "fact_context('amber', 'crowd', k => 30, continuation => %s)", token)
        assert not {row["fact_id"] for row in rest} & set(shown)
        assert len(rest) == min(30, 40 - len(shown))
