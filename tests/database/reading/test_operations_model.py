"""The assured operations against the brute-force model, on random small memories.

A failure names its seed; `TAISCE_MODEL_SEED=n` runs that memory alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from taisce_pg.load.apply import load_lines
from tests.model.compare import RealIds
from tests.model.operation_cases import PREDICATES, ROLES, SUBJECTS, VOCABULARY, OperationCase
from tests.model.operations import SIDES, chosen_evidence, fact_context, other_sides, said_about
from tests.model.rows import Fact, Line
from tests.model.told import Asked, Said, Told, visible
from tests.support.databases import Database
from tests.support.forms import (
    assert_cut_in_turn,
    assert_same_in_pages,
    assert_same_items,
    envelope,
    rows,
)
from tests.support.sizes import size

CASES = int(os.environ.get("TAISCE_MODEL_CASES") or size(24, 160))
ONLY = os.environ.get("TAISCE_MODEL_SEED")
BLOCKS = 4
QUESTIONS = 10
MANY = 30

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


class Loaded:
    """A memory that is in the database and in the model, with the ids of both."""

    def __init__(self, conn: Connection, project: str, case: OperationCase) -> None:
        """Load the case, then read back ids and knowledge stamps."""
        load_lines(conn, project, [json.dumps(line) for line in case.lines], name="model")
        self.project = project
        self.case = case
        self.statements = {
            line["key"]: line["statement"] for line in case.lines if line["type"] == "fact"
        }

        def rows(query: str) -> list[Any]:
            return conn.execute(f"{query} and p.name = %s", [project]).fetchall()

        source = "taisce.project as p join taisce."
        stamps = {
            statement: (first, last)
            for statement, first, last in conn.execute(
                "select f.statement, min(v.known_from), max(nullif(v.known_to, 'infinity'))"
                " from taisce.project as p join taisce.fact as f using (project_id)"
                " join taisce.fact_version as v using (project_id, fact_id)"
                " where p.name = %s group by 1",
                [project],
            )
        }
        links = {
            (statement, claim): linked
            for statement, claim, linked in conn.execute(
                "select f.statement, c.quote, e.linked_at from taisce.project as p"
                " join taisce.fact as f using (project_id)"
                " join taisce.fact_evidence as e using (project_id, fact_id)"
                " join taisce.claim as c using (project_id, claim_id) where p.name = %s",
                [project],
            )
        }

        def stamp(number: int, line: Line, what: str) -> datetime:
            if what == "retract":
                found = stamps[self.statements[line["fact"]]][1]
            elif what == "fact":
                found = stamps[line["statement"]][0]
            else:
                found = max(
                    links[line["statement"], part["quote"]]
                    for part in line["evidence"]
                    if "quote" in part
                )
            assert isinstance(found, datetime)
            return found

        self.memory = Told(stamps=stamp)
        for line in case.lines:
            self.memory.apply(line)
        self.known = [one for pair in stamps.values() for one in pair if one is not None]
        self.ids = RealIds(
            facts=dict(rows(f"select f.statement, f.fact_id::text from {source}fact as f using"
                            " (project_id) where true")),
            entities={
                (kind, name): found
                for kind, name, found in rows(
                    "select e.identity_kind, e.canonical_name, e.entity_id::text"
                    f" from {source}entity as e using (project_id) where true"
                )
            },
            observations=dict(rows(
                f"select o.log_offset, o.observation_id::text from {source}observation as o"
                " using (project_id) where true"
            )),
        )  # fmt: skip
        self.fact_of = {self.ids.fact(fact): fact for fact in self.memory.facts}
        self.claims = {
            (str(observation), ordinal, start, end, text): str(claim)
            for observation, ordinal, start, end, text, claim in rows(
                "select c.observation_id, c.ordinal, c.byte_start, c.byte_end, c.claim_text,"
                f" c.claim_id from {source}claim as c using (project_id) where true"
            )
        }

    def claim_id(self, claim: Said) -> str:
        return self.claims[
            self.ids.observation(claim.observation),
            claim.ordinal,
            claim.byte_start,
            claim.byte_end,
            claim.text,
        ]


def time_scope(asked: Asked) -> dict[str, str]:
    given: dict[str, str] = {"mode": asked.mode}
    for key, value in (
        ("at", asked.at),
        ("from", asked.start),
        ("to", asked.end),
        ("believed_at", asked.known_at),
    ):
        if value is not None:
            given[key] = value.isoformat()
    return given


def check_facts(conn: Connection, loaded: Loaded, rng: Random) -> None:
    memory, ids = loaded.memory, loaded.ids
    asked = loaded.case.asked(loaded.known)
    named = [one for one in memory.entities if one.status == "active" and one.kind == "named"]
    anchors = [one.number for one in rng.sample(named, min(len(named), rng.choice((1, 1, 2))))]
    given = rng.random() < 0.5
    hops = rng.choice((0, 1, 1, 2))
    predicate = rng.choice(PREDICATES) if rng.random() < 0.2 else None
    subject = rng.choice(SUBJECTS) if rng.random() < 0.2 else None
    roles = rng.choice((("user",), ROLES, ROLES))
    per_fact = rng.choice((1, 2, 3, 5))
    some = rng.sample(VOCABULARY, rng.randint(1, 4))
    query = " ".join(some)
    arguments = {
        "query": query,
        "project": loaded.project,
        "entity_ids": [ids.entity(memory.entity(one)) for one in anchors] if given else None,
        "hops": hops,
        "predicate": predicate,
        "evidence_per_fact": per_fact,
        "time_scope": Jsonb(time_scope(asked)),
        "data_subject_id": subject,
        "source_roles": list(roles),
    }
    real = envelope(conn, "fact_context", {**arguments, "k": 30})
    assert_same_items(rows(conn, "fact_context", {**arguments, "k": 30}), real)
    if real["facts"]:
        assert_same_in_pages(conn, real, {**arguments, "k": rng.randint(1, 4)})
    now = datetime.fromisoformat(real["temporal_scope"]["evaluated_at"])
    asked = Asked(now, asked.mode, asked.at, asked.start, asked.end, asked.known_at)
    name_of = {ids.entity(one): one.number for one in memory.entities}
    found = [name_of[one["entity_id"]] for one in real["entities"] if one["part"] == "named"]
    wanted = fact_context(
        memory,
        set(some),
        anchors=anchors if given else None,
        named=found,
        hops=hops,
        predicate=predicate,
        asked=asked,
        roles=roles,
        subject=subject,
        ids=ids,
    )
    shown: list[Fact] = [loaded.fact_of[one["fact_id"]] for one in real["facts"]]
    assert {f.key for f in shown} == {f.key for f in wanted.kept}
    assert real["truncation"]["estimated_total"] == len(wanted.kept)
    assert real["dropped_by_hydration"] == wanted.dropped
    for one, fact in zip(real["facts"], shown, strict=True):
        assert one["hops"] == wanted.hops[fact.key]
        version = asked.version(fact)
        for part, value in (
            ("valid_from", version.valid_from),
            ("valid_until", version.valid_to),
            ("known_from", version.known_from),
        ):
            real_value = one["validity"][part]
            assert real_value is None or datetime.fromisoformat(real_value) == value
        sides = sorted(
            ids.fact(other) for other in other_sides(memory, fact, asked, roles, subject)
        )
        contradiction = one["contradiction"]
        if not sides:
            assert contradiction is None
        else:
            assert [side["fact_id"] for side in contradiction["co_members"]] == sides[:SIDES]
            assert contradiction["total"] == len(sides)
    if given:
        order = [wanted.touches[fact.key] for fact in shown]
        assert order == sorted(order, reverse=True)
        assert real["scope"]["neighbours"] == [
            ids.entity(memory.entity(one)) for one in wanted.neighbours
        ]
        assert real["scope"]["truncated"] == wanted.neighbours_cut
    negative = real["negative"]
    if wanted.because is None:
        assert negative is None
    else:
        assert negative["kind"] == "known_empty"
        assert negative["explanation"].split(":")[0] == wanted.because

    chosen = chosen_evidence(memory, shown, asked, roles, subject, per_fact, loaded.claim_id)
    assert real["evidence_totals"] == [
        {
            "fact_kind": "attribute" if fact.object is None else "relation",
            "fact_id": ids.fact(fact),
            **{
                stance: len(list(visible(fact, stance, asked, roles, subject)))
                for stance in ("supports", "contradicts")
            },
            **{
                f"{stance}_returned": sum(one == stance for one, _ in evidence)
                for stance in ("supports", "contradicts")
            },
        }
        for fact, evidence in zip(shown, chosen, strict=True)
    ]
    links = [(one["fact_id"], one["stance"], one["claim_id"]) for one in real["fact_evidence"]]
    assert links == [
        (ids.fact(fact), stance, loaded.claim_id(claim))  # type: ignore[arg-type]
        for fact, evidence in zip(shown, chosen, strict=True)
        for stance, claim in evidence
    ]
    assert {one["claim_id"] for one in real["evidence"]} == {link[2] for link in links}


def check_testimony(conn: Connection, loaded: Loaded, rng: Random) -> None:
    memory, ids = loaded.memory, loaded.ids
    named = [one for one in memory.entities if one.status == "active" and one.kind == "named"]
    anchors = [one.number for one in rng.sample(named, min(len(named), rng.choice((1, 2))))]
    given = rng.random() < 0.4
    subject = rng.choice(SUBJECTS) if rng.random() < 0.2 else None
    roles = rng.choice((("user",), ROLES, ROLES))
    some = rng.sample(VOCABULARY, rng.randint(1, 3))
    arguments = {
        "query": " ".join(some),
        "project": loaded.project,
        "entity_ids": [ids.entity(memory.entity(one)) for one in anchors] if given else None,
        "data_subject_id": subject,
        "source_roles": list(roles),
    }
    real = envelope(conn, "testimony_context", {**arguments, "k": 100})
    assert_same_items(rows(conn, "testimony_context", {**arguments, "k": 100}), real)
    if real["negative"] is None:
        assert_same_in_pages(conn, real, {**arguments, "k": rng.randint(1, 4)})
    whole = envelope(conn, "answer_context", arguments)
    for most in (rng.randint(1, 1000), whole["characters"], max(1, whole["characters"] - 1)):
        cut = envelope(conn, "answer_context", {**arguments, "max_characters": max(1, most)})
        assert_cut_in_turn(whole, cut, max(1, most))
    now = datetime.fromisoformat(real["temporal_scope"]["evaluated_at"])
    wanted = said_about(
        memory,
        set(some),
        anchors=anchors if given else None,
        now=now,
        roles=roles,
        subject=subject,
    )
    real_groups = sorted(sorted(one["grouped_claim_ids"]) for one in real["evidence"])
    assert real_groups == sorted(
        sorted(loaded.claim_id(claim) for claim in group) for group in wanted.groups.values()
    )
    by_group = {
        tuple(sorted(loaded.claim_id(claim) for claim in group)): form
        for form, group in wanted.groups.items()
    }
    touches = []
    for one in real["evidence"]:
        form = by_group[tuple(sorted(one["grouped_claim_ids"]))]
        group = wanted.groups[form]
        assert one["corroboration_count"] == len({memory.lineage(claim) for claim in group})
        assert one["claim_id"] == one["grouped_claim_ids"][0]
        touches.append(wanted.touches[form])
    if given:
        assert touches == sorted(touches, reverse=True)
    offsets = {ids.observation(one): one.key for one in memory.observations}
    passages = {(offsets[one["observation_id"]], one["ordinal"]) for one in real["passages"]}
    assert len(passages) == len(real["passages"])
    assert wanted.surely <= passages <= wanted.possibly
    assert real["facts"] == []


@pytest.mark.parametrize("block", range(BLOCKS))
def test_operations_equal_the_model(conn: Connection, block: int) -> None:
    seeds = [int(ONLY)] if ONLY else range(block, CASES, BLOCKS)
    for seed in seeds:
        rng = Random(seed)
        loaded = Loaded(conn, f"om{block}-{seed}", OperationCase(rng, datetime.now(UTC)))
        for number in range(QUESTIONS):
            check = check_facts if number % 3 else check_testimony
            state = rng.getstate()
            try:
                check(conn, loaded, rng)
            except (AssertionError, KeyError) as error:
                rng.setstate(state)
                raise AssertionError(f"seed {seed}, question {number}") from error
