"""Recall of the database against the brute-force model, on random small memories.

A failure names its seed; `TAISCE_MODEL_SEED=n` runs that memory alone, and
`TAISCE_MODEL_CASES=n` chooses how many are drawn.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import psycopg
import pytest

from tests.model.compare import RealIds, compare
from tests.model.memory import Memory, load
from tests.model.questions import BROKEN_QUESTIONS, make_controls, make_question
from tests.model.recall import recall, recall_anchors
from tests.model.rows import BEGINNING, FOREVER, Line, ModelError
from tests.model.strategies import MANY, Case, make_case
from tests.model.surfaces import Told
from tests.model.text import TooManyTermsError, evidence_window, find_terms
from tests.model.walk import Boundary, Scope, fact_walk, facts_at
from tests.support.databases import Database
from tests.support.sizes import size

CASES = int(os.environ.get("TAISCE_MODEL_CASES") or size(24, 400))
SEEN = [701]
"""Memories that once told SQL and model apart."""
ONLY = os.environ.get("TAISCE_MODEL_SEED")
BLOCKS = 8
QUESTIONS = 12
SHOWN = 5
MICROSECOND = timedelta(microseconds=1)

Connection = psycopg.Connection[Any]

TYPES = {
    "question": "text",
    "project": "text",
    "entity_ids": "uuid[]",
    "data_subject_id": "text",
    "max_characters": "integer",
    "source_roles": "text[]",
    "hops": "integer",
    "surfaces": "text[]",
    "themes": "boolean",
    "as_of": "timestamptz",
    "as_known_at": "timestamptz",
    "evidence_per_fact": "integer",
    "predicate": "text",
    "max_rows": "integer",
}


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@dataclass
class Loaded:
    """A memory that is in the database and in the model."""

    project: str
    case: Case
    memory: Memory
    ids: RealIds
    known: list[datetime]
    taken_in: dict[int, datetime]

    def told(self, real: dict[str, Any]) -> Told:
        """Take from a bundle what its words found, which the model does not rank."""
        offsets = {found: offset for offset, found in self.ids.observations.items()}
        found = [(offsets[one["observation_id"]], one["ordinal"]) for one in real["passages"]]
        more = bool(real["cut"] in ("characters", "both"))
        return Told(found, more, self.taken_in)


def rows(conn: Connection, query: str, *values: Any) -> list[tuple[Any, ...]]:
    return list(conn.execute(query, values).fetchall())


def store(conn: Connection, project: str, case: Case) -> Loaded:
    """Load a case, then read back its ids and knowledge stamps for the model."""
    from taisce_pg.load.apply import load_lines

    load_lines(conn, project, [json.dumps(line) for line in case.lines], name="model")
    [(number,)] = rows(conn, "select project_id from taisce.project where name = %s", project)
    facts = rows(
        conn, "select statement, fact_id::text from taisce.fact where project_id = %s", number
    )
    entities = rows(
        conn,
        "select identity_kind, coalesce(speaker_subject_id, canonical_name), entity_id::text"
        " from taisce.entity where project_id = %s",
        number,
    )
    observations = rows(
        conn,
        "select log_offset, observation_id::text from taisce.observation where project_id = %s",
        number,
    )
    stamps = rows(
        conn,
        "select f.statement, min(v.known_from), max(nullif(v.known_to, 'infinity'))"
        " from taisce.fact f join taisce.fact_version v using (project_id, fact_id)"
        " where f.project_id = %s group by 1",
        number,
    )
    links = rows(
        conn,
        "select f.statement, c.quote, e.linked_at from taisce.fact f"
        " join taisce.fact_evidence e using (project_id, fact_id)"
        " join taisce.claim c using (project_id, claim_id) where f.project_id = %s",
        number,
    )
    asserted = {statement: known_from for statement, known_from, _ in stamps}
    closed = {statement: known_to for statement, _, known_to in stamps}
    linked = {(statement, quote): moment for statement, quote, moment in links}
    statements = {line["key"]: line["statement"] for line in case.lines if line["type"] == "fact"}

    def stamp(number: int, line: Line, what: str) -> datetime:
        found: datetime
        if what == "retract":
            found = closed[statements[line["fact"]]]
        elif what == "fact":
            found = asserted[line["statement"]]
        else:
            found = max(linked[line["statement"], said["quote"]] for said in line["evidence"])
        return found

    known = [moment for moment in [*asserted.values(), *closed.values()] if moment is not None]
    return Loaded(
        project=project,
        case=case,
        memory=load(case.lines, stamp),
        ids=RealIds(
            facts=dict(facts),
            entities={(kind, name): found for kind, name, found in entities},
            observations=dict(observations),
        ),
        known=known,
        taken_in=dict(
            rows(
                conn,
                "select log_offset, ingested_at from taisce.observation where project_id = %s",
                number,
            )
        ),
    )


def call(conn: Connection, function: str, **arguments: Any) -> list[tuple[Any, ...]]:
    """Call a function of memory_v1 with its arguments by name; returns all rows."""
    names = ", ".join(f"{name} => %({name})s::{TYPES[name]}" for name in arguments)
    query = f"select * from memory_v1.{function}({names})"
    return list(conn.execute(query, arguments).fetchall())


def refusal(loaded: Loaded, question: str, controls: dict[str, Any]) -> str | None:
    """Return the code by which the model refuses a question, if it does."""
    try:
        recall(loaded.memory, question, now=loaded.case.now, ids=loaded.ids, **controls)
    except ModelError as error:
        return error.code
    return None


def ask(conn: Connection, loaded: Loaded, question: str, controls: dict[str, Any]) -> list[str]:
    """Ask both; returns how the answers differ."""
    refused = refusal(loaded, question, controls)
    allowed = {refused, refusal(loaded, question, {})} - {None}
    try:
        [(real,)] = call(conn, "recall", question=question, project=loaded.project, **controls)
    except psycopg.Error as error:
        if refused and error.sqlstate in allowed:
            return []
        return [f"{error.sqlstate} {error}, where the model says {refused or 'an answer'}"]
    if refused:
        return [f"an answer, where the model says {refused}"]
    through = real["freshness"]["known_through"]
    model = recall(
        loaded.memory,
        question,
        now=datetime.fromisoformat(real["freshness"]["read_at"]),
        known_through=datetime.fromisoformat(through) if through else None,
        ids=loaded.ids,
        told=loaded.told(real),
        **controls,
    )
    return compare(real, model)


def report(seed: int, question: str, controls: dict[str, Any], found: list[str]) -> str:
    asked = f"seed {seed}: {question!r} {controls!r}"
    return "\n  ".join([asked, *found[:12]])


@pytest.mark.parametrize("block", range(BLOCKS))
def test_recall_equals_the_model(conn: Connection, block: int) -> None:
    seeds = [int(ONLY)] if ONLY else [*range(block, CASES, BLOCKS), *SEEN[block::BLOCKS]]
    failures: list[str] = []
    for seed in seeds:
        rng = Random(seed)
        loaded = store(conn, f"m{block}-{seed}", make_case(rng, datetime.now(UTC)))
        for _ in range(QUESTIONS):
            question = make_question(rng, loaded.case)
            if rng.random() < 0.02:
                question = rng.choice(BROKEN_QUESTIONS)
            known = loaded.known if rng.random() < 0.7 else loaded.case.instants
            controls = make_controls(rng, loaded.case, known)
            found = ask(conn, loaded, question, controls)
            if found:
                failures.append(report(seed, question, controls, found))
                break
        if len(failures) == SHOWN:
            break
    assert not failures, "\n\n".join(failures)


def test_recall_equals_the_model_after_an_erasure(conn: Connection) -> None:
    failures: list[str] = []
    for seed in range(10_000, 10_000 + CASES // 8):
        rng = Random(seed)
        loaded = store(conn, f"e{seed}", make_case(rng, datetime.now(UTC), MANY))
        gone = rng.sample(loaded.memory.observations, rng.choice((1, 2)))
        conn.execute(
            "select * from memory_v1.erase_observations("
            "ids => %s::uuid[], dry_run => false, project => %s)",
            ([loaded.ids.observation(one) for one in gone], loaded.project),
        )
        loaded.memory.erase([one.key for one in gone])
        for _ in range(QUESTIONS):
            question, controls = make_question(rng, loaded.case), make_controls(rng, loaded.case)
            found = ask(conn, loaded, question, controls)
            if found:
                failures.append(report(seed, question, controls, found))
                break
        if len(failures) == SHOWN:
            break
    assert not failures, "\n\n".join(failures)


def test_more_than_256_pairs_are_refused(conn: Connection) -> None:
    for count, code in ((256, None), (257, "TS001")):
        lines: list[Line] = [
            {"type": "entity", "key": f"e{number}", "name": f"n{number}", "aliases": ["it"]}
            for number in range(count)
        ]
        loaded = store(conn, f"pairs{count}", Case(lines, datetime.now(UTC), MANY))
        assert refusal(loaded, "it", {}) == code
        assert ask(conn, loaded, "it", {}) == []


def test_terms_equal_the_model(conn: Connection) -> None:
    for seed in range(CASES * 2):
        rng = Random(seed)
        case = make_case(rng, datetime.now(UTC), MANY)
        question = make_question(rng, case)
        try:
            wanted = find_terms(question).rows
        except TooManyTermsError:
            continue
        real = call(conn, "recall_terms", question=question)
        assert [(candidate, kind) for _, candidate, kind in real] == wanted, (seed, question)


def test_windows_equal_the_model(conn: Connection) -> None:
    rng = Random(0)
    alphabet = "aaabc  \n\u00e9\u2003\U0001f600"
    for _ in range(CASES * 10):
        content = "".join(rng.choices(alphabet, k=rng.randint(1, 60)))
        first = rng.randrange(len(content))
        last = rng.randint(first + 1, len(content))
        start, end = len(content[:first].encode()), len(content[:last].encode())
        margin = rng.choice((0, 1, 2, 5, 9, 160))
        [real] = rows(
            conn,
            "select context, context_start, context_complete from memory_v1.evidence_window("
            "content => %s, byte_start => %s, byte_end => %s, margin => %s)",
            content,
            start,
            end,
            margin,
        )
        wanted = evidence_window(content, start, end, margin)
        assert real == wanted, (content, start, end, margin)


def test_the_building_blocks_equal_the_model(conn: Connection) -> None:
    """Anchors, the walk by itself and the time filter by itself."""
    for seed in range(20_000, 20_000 + CASES // 8):
        rng = Random(seed)
        loaded = store(conn, f"b{seed}", make_case(rng, datetime.now(UTC)))
        memory, ids = loaded.memory, loaded.ids
        now = loaded.case.now
        question = make_question(rng, loaded.case)
        if not refusal(loaded, question, {}):
            probed = [
                tuple(str(part) if part is not None else None for part in row)
                for row in call(conn, "recall_anchors", question=question, project=loaded.project)
            ]
            anchors = recall_anchors(memory, question, now=now, ids=ids)
            assert probed == [
                (ids.entity(memory.entity(a.entity)), a.name, a.entity_type, a.matched)
                for a in anchors
            ], seed

        starts = rng.sample(
            [e.number for e in memory.entities if e.status == "active"], rng.choice((1, 2))
        )
        roles = ["user", "tool"]
        predicate = rng.choice((None, "p", "lives_in"))
        walk = fact_walk(
            memory, starts, 2, Scope(now), Boundary(tuple(roles), predicate=predicate), ids
        )
        found = call(
            conn,
            "fact_walk",
            entity_ids=[ids.entity(memory.entity(start)) for start in starts],
            hops=2,
            project=loaded.project,
            source_roles=roles,
            predicate=predicate,
        )
        assert [(str(row[0]), row[2]) for row in found] == [
            (ids.fact(row.fact), row.hops) for row in walk.rows
        ], seed

        moment = rng.choice(loaded.case.instants or [now])
        for first, last in ((moment, moment + MICROSECOND), (now, BEGINNING)):
            wanted = facts_at(memory, first, last, FOREVER, FOREVER, now)
            real = rows(
                conn,
                "select fact_id::text from memory_v1.facts_at("
                "valid_from_max => %s, valid_to_min => %s::timestamptz,"
                " known_from_max => 'infinity', known_to_min => 'infinity',"
                " project => %s, max_rows => 1000)",
                first,
                "-infinity" if last is BEGINNING else last,
                loaded.project,
            )
            assert sorted(one for (one,) in real) == sorted(ids.fact(fact) for fact, _ in wanted), (
                seed
            )
