"""The assured operations: arguments, contracts, both forms, pages, budgets, clocks."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import jsonschema
import psycopg
import pytest
from click.testing import CliRunner
from psycopg.types.json import Jsonb

from taisce_pg import (
    AsyncMemory,
    At,
    Current,
    History,
    Memory,
    Overlap,
    errors,
    schema,
)
from taisce_pg.cli.main import cli
from taisce_pg.client.assured import ASSURED
from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import EVERYTHING, fact, lines, turn

Connection = psycopg.Connection[Any]
PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        load_lines(made, "everything", lines(EVERYTHING), name="everything")
        load_lines(made, "crowd", lines(crowd()), name="crowd")
        made.execute("set timezone = 'UTC'")
        yield made


def crowd() -> list[dict[str, Any]]:
    """Make a memory with forty facts of one person, thirty in one contradiction, much evidence."""
    said = [f"Ada said amber number {number}." for number in range(40)]
    told: list[dict[str, Any]] = [
        {"type": "entity", "key": "ada", "name": "Ada"},
        turn("t", " ".join(said)),
        *(
            {**turn(f"u{number}", f"Amber again {number}. "), "lineage": f"l{number % 2}"}
            for number in range(7)
        ),
    ]
    for number, quote in enumerate(said):
        told.append(
            fact(
                f"f{number}", {"key": "ada"}, f"amber fact {number}", "t", quote, value=str(number)
            )
        )
        if number < 5:
            told[-1]["evidence"] += [
                {"observation": f"u{n}", "quote": f"Amber again {n}."} for n in range(7)
            ]
    told.append({"type": "contradiction", "facts": [f"f{number}" for number in range(30)]})
    return told


def one(conn: Connection, call: str, *values: Any) -> Any:
    row = conn.execute(f"select memory_v1.{call}".encode(), values).fetchone()
    assert row is not None
    return row[0]


def rows(conn: Connection, call: str, *values: Any) -> list[dict[str, Any]]:
    found = conn.execute(f"select to_jsonb(r) from memory_v1.{call} as r".encode(), values)
    return [row[0] for row in found.fetchall()]


def refusal(conn: Connection, call: str, *values: Any) -> tuple[str | None, str | None]:
    with pytest.raises(psycopg.Error) as refused:
        conn.execute(f"select * from memory_v1.{call}".encode(), values)
    return refused.value.sqlstate, refused.value.diag.message_detail


def valid(answer: dict[str, Any]) -> dict[str, Any]:
    """Check an answer against its published schema; return it."""
    jsonschema.Draft202012Validator(schema(answer["contract"])).validate(answer)
    return answer


ENTITY = "5b103a6f-af84-4577-8f94-ebf2fee235e4"
REFUSED = [
    ("fact_context", "query => ''", "query"),
    ("fact_context", "query => repeat('a', 8193)", "query"),
    ("fact_context", "query => 'a', k => 0", "k"),
    ("fact_context", "query => 'a', k => 31", "k"),
    ("fact_context", "query => 'a', hops => 3", "hops"),
    ("fact_context", "query => 'a', hops => -1", "hops"),
    ("fact_context", "query => 'a', evidence_per_fact => 6", "evidence_per_fact"),
    ("fact_context", "query => 'a', evidence_per_fact => 0", "evidence_per_fact"),
    ("fact_context", "query => 'a', predicate => ' '", "predicate"),
    ("fact_context", "query => 'a', entity_ids => '{}'", "entity_ids"),
    ("fact_context", "query => 'a', entity_ids => array[null]::uuid[]", "entity_ids"),
    (
        "fact_context",
        f"query => 'a', entity_ids => array['{ENTITY}', '{ENTITY}']::uuid[]",
        "entity_ids",
    ),
    (
        "fact_context",
        "query => 'a', entity_ids => "
        "array(select gen_random_uuid() from generate_series(1, 20))",
        "entity_ids",
    ),
    ("fact_context", "query => 'a', source_roles => '{}'", "source_roles"),
    ("fact_context", "query => 'a', source_roles => '{user,user}'", "source_roles"),
    ("fact_context", "query => 'a', source_roles => '{user,king}'", "source_roles"),
    ("fact_context", "query => 'a', data_subject_id => ' '", "data_subject_id"),
    ("fact_context", "query => 'a', identity_regime => 'both'", "identity_regime"),
    ("fact_context", "query => 'a', embedding_model => 'm'", "query_embedding"),
    ("fact_context", "query => 'a', continuation => 'abc'", "continuation"),
    ("fact_context", "query => 'a', continuation => repeat('AAAA', 30)", "continuation"),
    ("testimony_context", "query => 'a', k => 101", "k"),
    ("testimony_context", "query => 'a', candidate_k => 401", "candidate_k"),
    ("testimony_context", "query => 'a', k => 60, candidate_k => 50", "candidate_k"),
    (
        "testimony_context",
        "query => 'a', entity_ids => "
        "array(select gen_random_uuid() from generate_series(1, 21))",
        "entity_ids",
    ),
    ("answer_context", "query => 'a', max_characters => 0", "max_characters"),
    ("answer_context", "query => 'a', hops => 3", "hops"),
    ("resolve_entity", "name => ' '", "name"),
    ("resolve_entity", "name => repeat('a', 4097)", "name"),
    ("resolve_entity", "name => 'a', entity_type => ''", "entity_type"),
    ("facts", "fact_ids => '{}'", "fact_ids"),
    ("claims", "claim_ids => array[null]::uuid[]", "claim_ids"),
    ("facts_as_of", "valid_at => 'infinity', believed_at => now()", "valid_at"),
    ("facts_as_of", "valid_at => now(), believed_at => null", "believed_at"),
    ("facts_as_of", "valid_at => now(), believed_at => now(), max_rows => 1001", "max_rows"),
    ("contradiction_members", f"group_id => '{ENTITY}', continuation => 'zz'", "continuation"),
    ("graph_neighborhood", f"entity_id => '{ENTITY}', max_depth => 5", "max_depth"),
    ("graph_neighborhood", f"entity_id => '{ENTITY}', max_edges => 501", "max_edges"),
    ("graph_neighborhood", f"entity_id => '{ENTITY}', predicates => '{{}}'", "predicates"),
    ("graph_path", f"from_id => '{ENTITY}', to_id => '{ENTITY}', max_depth => 7", "max_depth"),
    ("graph_path", f"from_id => '{ENTITY}', to_id => '{ENTITY}', max_paths => 11", "max_paths"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "field"), REFUSED)
def test_an_argument_out_of_range_is_refused_by_name(
    conn: Connection, function: str, arguments: str, field: str
) -> None:
    forms = [function]
    if function in ("fact_context", "testimony_context", "answer_context", "resolve_entity"):
        forms.append(f"{function}_envelope")
    for form in forms:
        code, detail = refusal(conn, f"{form}({arguments}, project => 'everything')")
        assert code == "TS005"
        assert field in (detail or "")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("[]", "object"),
        ('{"mode": "then"}', "mode"),
        ('{"at": "2024-01-01T00:00:00Z"}', "mode"),
        ('{"mode": "at"}', "at"),
        ('{"mode": "at", "at": "2024-01-01T00:00:00"}', "at"),
        ('{"mode": "at", "at": "2024-02-30T00:00:00Z"}', "at"),
        ('{"mode": "at", "at": null}', "at"),
        ('{"mode": "at", "at": "infinity"}', "at"),
        ('{"mode": "at", "at": "2024-01-01T00:00:00Z", "from": "x"}', "keys"),
        ('{"mode": "current", "at": "2024-01-01T00:00:00Z"}', "keys"),
        ('{"mode": "overlap", "from": "2024-01-01T00:00:00Z"}', "to"),
        (
            '{"mode": "overlap", "from": "2024-01-02T00:00:00Z", "to": "2024-01-01T00:00:00Z"}',
            "time_scope.to",
        ),
        ('{"mode": "history", "believed_at": "yesterday"}', "believed_at"),
    ],
)
def test_a_time_that_cannot_be_meant_is_refused(conn: Connection, given: str, said: str) -> None:
    for form in ("fact_context", "answer_context_envelope"):
        code, detail = refusal(
            conn, f"{form}('a', project => 'everything', time_scope => %s::jsonb)", given
        )
        assert code == "TS005"
        assert said in (detail or "")


def test_a_name_leads_to_all_that_have_it_canonical_first(conn: Connection) -> None:
    load_lines(
        conn,
        "names",
        lines(
            [
                {"type": "entity", "name": "Mercury", "entity_type": "planet"},
                {"type": "entity", "name": "Quicksilver", "aliases": ["MERCURY"]},
                {
                    "type": "entity",
                    "name": "Freddie",
                    "aliases": ["mercury "],
                    "entity_type": "man",
                },
            ]
        ),
        name="names",
    )
    found = rows(conn, "resolve_entity('mercury', project => 'names')")
    assert [(row["canonical_name"], row["matched_as"], row["spelling"]) for row in found] == [
        ("Mercury", "canonical", "Mercury"),
        ("Freddie", "alias", "mercury "),
        ("Quicksilver", "alias", "MERCURY"),
    ]
    answer = valid(one(conn, "resolve_entity_envelope('mercury', project => 'names')"))
    assert answer["negative"] is None
    assert [row["entity_id"] for row in answer["entities"]] == [row["entity_id"] for row in found]
    assert answer["truncation"]["returned"] == 3
    typed = rows(conn, "resolve_entity('mercury', 'planet', 'names')")
    assert [row["canonical_name"] for row in typed] == ["Mercury"]
    many = [
        {"type": "entity", "name": f"n{number}", "aliases": ["common"]} for number in range(257)
    ]
    load_lines(conn, "names256", lines(many[1:]), name="many")
    assert len(rows(conn, "resolve_entity('common', project => 'names256')")) == 256
    load_lines(conn, "names256", lines(many[:1]), name="many")
    assert refusal(conn, "resolve_entity('common', project => 'names256')")[0] == "TS010"


def test_a_name_nobody_has_brings_names_to_try(conn: Connection) -> None:
    assert rows(conn, "resolve_entity('nowak', project => 'everything')") == []
    answer = valid(one(conn, "resolve_entity_envelope('nowak', project => 'everything')"))
    assert answer["negative"]["kind"] == "unknown_entity"
    assert answer["negative"]["suggestions"] == ["Marta Nowak"]
    assert answer["negative"]["workaround"]


def test_facts_of_an_entity_are_counted_once_whatever_their_role(conn: Connection) -> None:
    [dublin] = rows(conn, "resolve_entity('Dublin', project => 'everything')")
    current = conn.execute(
        "select count(distinct v.fact_id) from taisce.fact_version as v where %s in"
        " (v.subject_entity_id, v.object_entity_id) and v.live and v.known_to = 'infinity'"
        " and v.valid_to > now()",
        [dublin["entity_id"]],
    ).fetchone()
    assert current == (dublin["fact_count"],)


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
    assert (answer["negative"] is None) == bool(found)
    account = answer["truncation"]
    assert account["returned"] == len(found)
    for row in found:
        assert row.pop("truncated") == account["truncated"]
        # The token holds its instant; the rest of it is the same.
        token = row.pop("continuation")
        assert (token or "")[12:] == (account["continuation"] or "")[12:]
        assert row.pop("dropped") == answer["dropped_by_hydration"]
        row.pop("evaluated_at")
    if name == "fact_context":
        clocks = ("valid_from", "valid_until", "known_from", "known_until")
        claims = {claim["claim_id"]: claim for claim in answer["evidence"]}
        for row, item in zip(found, answer["facts"], strict=True):
            evidence, totals = row.pop("evidence"), row.pop("evidence_totals")
            validity = {clock: row.pop(clock) for clock in clocks}
            side, own = row.pop("contradiction"), item.pop("contradiction")
            assert row | {"validity": validity} == item
            assert (side and {**side, "continuation": None}) == (
                own and {**own, "continuation": None}
            )
            links = [
                (link["claim_id"], link["stance"])
                for link in answer["fact_evidence"]
                if link["fact_id"] == row["fact_id"]
            ]
            assert [(one["claim_id"], one["stance"]) for one in evidence] == links
            assert all(
                claims[one["claim_id"]] == {k: v for k, v in one.items() if k != "stance"}
                for one in evidence
            )
            assert [
                {k: v for k, v in total.items() if not k.startswith("fact_")}
                for total in answer["evidence_totals"]
                if total["fact_id"] == row["fact_id"]
            ] == [totals]
    else:
        mine = [row for row in found if row["grain"] == "claim"]
        assert found == mine + [row for row in found if row["grain"] == "passage"]
        assert [
            {k: row[k] for k in item} for row, item in zip(mine, answer["evidence"], strict=True)
        ] == answer["evidence"]
        rest = found[len(mine) :]
        assert [
            {k: row[k] for k in item} for row, item in zip(rest, answer["passages"], strict=True)
        ] == answer["passages"]


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
            pair[side]["temporal_scope"]["evaluated_at"] = None
            pair[side]["freshness"]["read_at"] = None
            assert set(pair[side]) == set(direct)
            assert pair[side]["evidence"] == direct["evidence"]


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


def test_an_unknown_entity_is_one_answer_for_all(conn: Connection) -> None:
    [ada] = rows(conn, "resolve_entity('Ada', project => 'crowd')")
    foreign = rows(conn, "resolve_entity('Marta', project => 'everything')")[0]["entity_id"]
    answers = []
    for stranger in (str(uuid4()), foreign):
        for operation in ("fact_context", "testimony_context"):
            ids = [ada["entity_id"], stranger]
            call = f"{operation}('amber', project => 'crowd', entity_ids => %s::uuid[])"
            code, detail = refusal(conn, call, ids)
            assert code == "TS004"
            assert stranger not in (detail or "")
            envelope = valid(one(conn, call.replace("(", "_envelope(", 1), ids))
            assert envelope["negative"]["kind"] == "unknown_entity"
            assert envelope["facts"] == envelope["evidence"] == envelope["passages"] == []
            assert envelope["entities"] == []
            answers.append((operation, json.dumps(envelope["negative"])))
    assert len(set(answers)) == 2


def test_a_merged_id_leads_to_its_survivor_and_is_echoed(conn: Connection) -> None:
    gone, kept = (
        conn.execute(
            "select e.entity_id from taisce.entity as e join taisce.project as p using"
            " (project_id) where p.name = 'everything' and e.canonical_name = %s",
            [name],
        ).fetchone()
        for name in ("Bob Smith", "Robert Smith")
    )
    assert gone is not None
    assert kept is not None
    answer = valid(
        one(
            conn,
            "fact_context_envelope('age', project => 'everything', entity_ids => %s)",
            [gone[0]],
        )
    )
    assert answer["scope"]["anchors"] == [str(kept[0])]
    assert answer["entities"][0]["asked_id"] == str(gone[0])
    assert {fact["subject"] for fact in answer["facts"]} == {"Robert Smith"}


def test_names_and_ends_of_the_past_are_rebuilt_when_asked_for(conn: Connection) -> None:
    load_lines(
        conn,
        "merge",
        lines(
            [
                turn("t", "Bob swims. Rob runs."),
                {"type": "entity", "key": "bob", "name": "Bob"},
                {"type": "entity", "key": "rob", "name": "Rob"},
                fact("f1", {"key": "bob"}, "swims", "t", "Bob swims", value="swims"),
                fact("f2", {"key": "rob"}, "runs", "t", "Rob runs", value="runs"),
            ]
        ),
        name="merge",
    )
    moments = []

    def now() -> None:
        row = conn.execute("select clock_timestamp()").fetchone()
        assert row is not None
        moments.append(row[0])

    now()
    [(merge,)] = conn.execute(
        "select merge_id from memory_v1.merge_entities('\"Bob\"', '\"Rob\"', 'merge')"
    ).fetchall()
    now()
    conn.execute("select memory_v1.unmerge(%s, 'merge')", [merge])
    now()
    names = {
        regime: [
            sorted(
                {
                    row["subject"]
                    for row in rows(
                        conn,
                        "facts_as_of(now(), %s, identity_regime => %s, project => 'merge')",
                        moment,
                        regime,
                    )
                }
            )
            for moment in moments
        ]
        for regime in ("current", "as_of")
    }
    assert names["current"] == [["Bob", "Rob"]] * 3
    assert names["as_of"] == [["Bob", "Rob"], ["Rob"], ["Bob", "Rob"]]
    held = rows(
        conn,
        "fact_context('swims', 'merge', identity_regime => 'as_of', time_scope => %s)",
        Jsonb({"mode": "current", "believed_at": moments[1].isoformat()}),
    )
    assert [row["subject"] for row in held if row["statement"] == "swims"] == ["Rob"]


def test_the_audit_read_is_ordered_bounded_and_echoes_its_clocks(conn: Connection) -> None:
    call = "facts_as_of(%s, %s, %s, project => 'everything')"
    found = rows(conn, call, "2026-02-01Z", "2026-12-31Z", 1000)
    assert [(row["fact_kind"], row["fact_id"]) for row in found] == sorted(
        (row["fact_kind"], row["fact_id"]) for row in found
    )
    assert {row["object"] for row in found if row["predicate"] == "lives_in"} == {"Dublin"}
    assert {row["valid_at"] for row in found} == {"2026-02-01T00:00:00+00:00"}
    some = rows(conn, call, "2026-02-01Z", "2026-12-31Z", 2)
    assert [row["fact_id"] for row in some] == [row["fact_id"] for row in found[:2]]
    assert [row["truncated"] for row in some] == [True, True]
    assert rows(conn, call, "2026-02-01Z", "2026-12-31Z", 0) == []
    assert rows(conn, call, "2026-02-01Z", "2020-01-01Z", 10) == []


def test_kept_items_are_read_by_id_in_the_order_asked(conn: Connection) -> None:
    ids = [
        str(row[0])
        for row in conn.execute(
            "select f.fact_id from taisce.fact as f join taisce.project as p using (project_id)"
            " where p.name = 'everything' order by f.fact_id desc"
        )
    ]
    found = rows(conn, "facts(%s::uuid[], 'everything')", ids)
    assert [row["fact_id"] for row in found] == ids
    retracted = [row for row in found if row["statement"] == "allergic"]
    assert retracted[0]["known_until"] is not None
    claims = sorted({one["claim_id"] for row in found for one in row["evidence"]}, reverse=True)
    told = rows(conn, "claims(%s::uuid[], 'everything')", claims)
    assert [row["claim_id"] for row in told] == claims
    for name, some in (("facts", ids), ("claims", claims)):
        call = f"{name}(%s::uuid[], 'everything')"
        assert refusal(conn, call, [some[0], str(uuid4())])[0] == "TS004"
        assert refusal(conn, f"{name}(%s::uuid[], 'crowd')", some[:1])[0] == "TS004"


def test_a_vector_without_a_use_is_said_and_of_another_model_refused(conn: Connection) -> None:
    call = (
        "fact_context_envelope('amber', 'crowd', query_embedding => '[1,2,3]',"
        " embedding_model => %s)"
    )
    answer = valid(one(conn, call, "m"))
    assert answer["degraded"] == ["vectors"]
    assert answer["searched"] == "words"
    with conn.transaction(force_rollback=True):
        conn.execute(
            "insert into taisce.embedding_generation (project_id, generation_id, space, model,"
            " dimensions, input_version, state, created_at) select project_id, 1, 'fact', 'm', 3,"
            " '1', 'active', now() from taisce.project where name = 'crowd'"
        )
        with conn.transaction(force_rollback=True):
            assert refusal(conn, call, "other")[0] == "TS011"
        freshness = valid(one(conn, call, "m"))["freshness"]
        assert freshness["vectors"] == {"space": "fact", "generation": 1, "through_offset": 0}


def test_a_query_too_long_to_anchor_is_answered_and_said(conn: Connection) -> None:
    query = "amber " + " ".join(f"w{number}" for number in range(400))
    answer = valid(one(conn, "fact_context_envelope(%s, 'crowd')", query))
    assert "anchoring" in answer["degraded"]
    assert answer["facts"]


def test_nothing_found_says_what_emptied_it(conn: Connection) -> None:
    [acme] = rows(conn, "resolve_entity('Acme', project => 'everything')")
    entity = f"entity_ids => array['{acme['entity_id']}']::uuid[]"
    for more, because in (
        ("", None),
        (", source_roles => '{tool}'", "role"),
        (", data_subject_id => 'nobody'", "subject"),
        (", predicate => 'founded'", "predicate"),
        (', time_scope => \'{"mode": "current", "believed_at": "2020-01-01T00:00:00Z"}\'', "time"),
    ):
        answer = valid(one(conn, f"fact_context_envelope('Dublin', 'everything', {entity}{more})"))
        if because is None:
            assert answer["facts"]
        else:
            assert answer["negative"]["kind"] == "known_empty"
            assert answer["negative"]["explanation"].startswith(f"{because}:")
            assert rows(conn, f"fact_context('Dublin', 'everything', {entity}{more})") == []
    told = one(conn, "testimony_context_envelope('Dublin', 'everything', source_roles => '{tool}')")
    assert valid(told)["negative"]["explanation"].startswith("role:")


def test_a_label_carries_its_dates(conn: Connection) -> None:
    [held] = rows(
        conn,
        "fact_context('lives', 'everything', time_scope => %s, k => 1)",
        Jsonb({"mode": "at", "at": "2026-02-01T00:00:00Z"}),
    )
    assert held["label"] == "lives in Dublin (2026-01 to 2026-03)"
    labels = conn.execute(
        "select taisce.fact_label('x', f, t) from (values"
        " ('2026-01-02Z'::timestamptz, 'infinity'::timestamptz),"
        " ('-infinity', '2026-01-02 10:30Z'), ('-infinity', 'infinity')) as v (f, t)"
    ).fetchall()
    assert [row[0] for row in labels] == [
        "x (since 2026-01-02)",
        "x (until 2026-01-02T10:30Z)",
        "x",
    ]


# The page, the clients and the commands


@pytest.fixture(scope="module")
def office(module_database: Database) -> Database:
    with module_database.connect() as made:
        load_lines(made, "office", blocks("ndjson")[0].splitlines(), "office.ndjson")
    return module_database


@pytest.fixture
def memory(office: Database) -> Iterator[Memory]:
    with Memory(office.uri(), project="office") as opened:
        yield opened


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_examples_of_the_page_print_what_it_says(
    office: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAISCE_DSN", office.uri())
    examples, expected = blocks("python"), blocks("text")
    assert len(examples) == len(expected)
    scope: dict[str, Any] = {"__name__": "page"}
    for example, text in zip(examples, expected, strict=True):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(example, "docs/operations.md", "exec"), scope)
        assert out.getvalue() == text


def run(database: Database, line: str) -> str:
    args = shlex.split(line)
    assert args[0] == "taisce-pg"
    done = CliRunner().invoke(cli, ["--dsn", database.uri(), *args[1:]])
    assert done.exit_code == 0, (line, done.output, done.exception)
    return done.stdout


def test_the_commands_of_the_page_run(office: Database) -> None:
    for line in blocks("sh")[0].splitlines():
        assert run(office, line)


def test_the_page_names_every_function() -> None:
    for operation in ASSURED:
        assert f"`{operation.name}`" in PAGE


def test_both_clients_give_typed_answers(office: Database, memory: Memory) -> None:
    marta = memory.resolve_entity("Marta").entities[0].entity_id
    held = memory.fact_context("Where does Marta work?", entity_ids=[marta])
    assert held.facts
    assert held.quotes(held.facts[0].fact_id)[0].quote
    assert held.render().startswith("<memory untrusted>\n")
    both = memory.answer_context("Marta", time_scope=History())
    assert both.facts.temporal_scope.mode == "history"
    assert "Facts:" in both.render()
    with pytest.raises(errors.InvalidArgument):
        both.render(10)
    told = memory.testimony_context("Marta", k=1)
    assert told.truncation.continuation
    again = memory.testimony_context("Marta", k=1, continuation=told.truncation.continuation)
    assert again.evidence[0].claim_id != told.evidence[0].claim_id
    fact_id = held.facts[0].fact_id
    [item] = memory.facts([fact_id])
    assert item.evidence[0].claim_id
    [claim] = memory.claims([item.evidence[0].claim_id])
    assert claim.grain == "claim"
    edges = memory.graph_neighborhood(marta)
    assert edges[0].route[0] == marta
    far = edges[0].route[-1]
    assert memory.graph_path(marta, far)[0].length == 1
    for scope in (Current("2024-05-01T00:00Z"), At("2024-05-01T00:00Z"),
                  Overlap("2024-05-01T00:00Z", "2024-07-01T00:00Z")):  # fmt: skip
        assert memory.fact_context("Marta", time_scope=scope).contract == "envelope/v1"
    for answer in (held, both, told):
        assert answer.model_extra == {}
    with pytest.raises(errors.NotFound):
        memory.facts([uuid4()])

    async def ask(entity: UUID) -> None:
        async with AsyncMemory(office.uri(), project="office") as same:
            assert (await same.fact_context("Marta", entity_ids=[entity])).facts
            assert (await same.testimony_context("Marta")).evidence
            assert (await same.answer_context("Marta")).facts.facts
            assert await same.graph_neighborhood(entity)
            assert await same.facts_as_of("2024-05-01T00:00Z", "2099-01-01T00:00Z")

    asyncio.run(ask(marta))


def test_the_commands_say_what_they_found(office: Database, memory: Memory) -> None:
    marta = memory.resolve_entity("Marta").entities[0].entity_id
    shown = run(office, "taisce-pg facts 'Where does Marta work?' --project office")
    assert "Marta works at Babel" in shown
    assert "Marta" in run(office, "taisce-pg resolve marta --project office")
    assert "no entity" in run(office, "taisce-pg resolve Nobody --project office")
    past = "taisce-pg facts Marta --project office --at 2024-05-01T00:00Z --json"
    assert valid(json.loads(run(office, past)))["temporal_scope"]["mode"] == "at"
    assert "step" in run(office, f"taisce-pg graph {marta} --project office")
    both = json.loads(run(office, "taisce-pg answer Marta --project office --json"))
    assert valid(both)["contract"] == "ContextBundle/v1"
    wrong = CliRunner().invoke(
        cli, ["--dsn", office.uri(), "facts", "Marta", "--history", "--at", "2024-05-01T00:00Z"]
    )
    assert wrong.exit_code == 2
