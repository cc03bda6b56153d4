"""What the views show, against the model that knows no SQL, on random small memories.

A failure names its seed; `TAISCE_MODEL_SEED=n` runs that memory alone.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import psycopg
import pytest

from tests.database.reading.test_recall_model import Loaded, store
from tests.model.rows import BEGINNING, FOREVER, Fact
from tests.model.strategies import make_case
from tests.model.walk import Scope, expired
from tests.support.databases import Database
from tests.support.sizes import size

ONLY = os.environ.get("TAISCE_MODEL_SEED")
SEEDS = [int(ONLY)] if ONLY else list(range(size(6, 40)))

Connection = psycopg.Connection[Any]


@pytest.fixture
def boss(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def read(
    conn: Connection, project: str, columns: str, view: str
) -> tuple[datetime, list[tuple[Any, ...]]]:
    """Return the instant of the statement, and the rows."""
    conn.execute("select set_config('taisce.project', %s, false)", (project,))
    rows = conn.execute(
        f"select clock.now, r.* from (select statement_timestamp() as now) as clock "
        f"left join (select true as there, {columns} from memory_v1.{view}) as r on true".encode()
    ).fetchall()
    return rows[0][0], [row[2:] for row in rows if row[1]]


def span(start: datetime, end: datetime) -> tuple[datetime | None, datetime | None]:
    return None if start == BEGINNING else start, None if end == FOREVER else end


def visible(loaded: Loaded, now: datetime) -> list[Fact]:
    return [fact for fact in loaded.memory.facts if not expired(fact.retention_until, now)]


def evidence(fact: Fact, stance: str, now: datetime) -> int:
    return sum(
        item.stance == stance and not expired(item.claim.observation.retention_until, now)
        for item in fact.evidence
    )


def name(loaded: Loaded, number: int | None) -> str | None:
    return None if number is None else loaded.memory.entity(number).name


def check(conn: Connection, loaded: Loaded) -> None:
    project = loaded.project
    now, rows = read(
        conn,
        project,
        "fact_id::text, fact_kind, subject, predicate, object, value, statement, source_role,"
        " data_subject_id, valid_from, valid_until, lower(valid), upper(valid), known_until,"
        " evidence_count, contradict_count, contradiction_group is not null, support, evaluated_at",
        "facts_current",
    )
    scope = Scope(now=now)
    assert Counter(rows) == Counter(
        (
            loaded.ids.fact(fact),
            "relation" if fact.object is not None else "attribute",
            name(loaded, fact.subject),
            fact.predicate,
            name(loaded, fact.object),
            fact.value,
            fact.statement,
            fact.source_role,
            fact.data_subject_id,
            *span(version.valid_from, version.valid_to),
            *span(version.valid_from, version.valid_to),
            None,
            evidence(fact, "supports", now),
            evidence(fact, "contradicts", now),
            fact.group is not None,
            fact.support,
            now,
        )
        for fact in visible(loaded, now)
        if (version := scope.version(fact)) is not None
    )
    now, rows = read(
        conn,
        project,
        "fact_id::text, valid_from, valid_until, known_from, known_until, lower(known),"
        " upper(known)",
        "facts_history",
    )
    assert Counter(rows) == Counter(
        (
            loaded.ids.fact(fact),
            *span(version.valid_from, version.valid_to),
            *span(version.known_from, version.known_to),
            *span(version.known_from, version.known_to),
        )
        for fact in visible(loaded, now)
        for version in fact.versions
    )
    now, rows = read(conn, project, "fact_id::text", "graph_edges_current")
    scope = Scope(now=now)
    assert Counter(rows) == Counter(
        (loaded.ids.fact(fact),)
        for fact in visible(loaded, now)
        if fact.object is not None and scope.version(fact)
    )
    now, rows = read(conn, project, "fact_id::text, stance", "fact_evidence")
    assert Counter(rows) == Counter(
        (loaded.ids.fact(fact), item.stance)
        for fact in loaded.memory.facts
        for item in fact.evidence
        if not expired(item.claim.observation.retention_until, now)
    )
    now, rows = read(conn, project, "entity_id::text, fact_count", "entities")
    current = [fact for fact in visible(loaded, now) if Scope(now=now).version(fact)]
    assert Counter(rows) == Counter(
        (
            loaded.ids.entity(entity),
            sum(entity.number in (fact.subject, fact.object) for fact in current),
        )
        for entity in loaded.memory.entities
        if entity.status == "active"
    )
    now, rows = read(conn, project, "log_offset, ordinal, role, content", "messages")
    assert Counter(rows) == Counter(
        (told.log_offset, ordinal, message.role, message.content)
        for told in loaded.memory.observations
        if not expired(told.retention_until, now)
        for ordinal, message in enumerate(told.messages)
    )
    now, rows = read(conn, project, "fact_id::text", "contradictions_current")
    current = [fact for fact in visible(loaded, now) if Scope(now=now).version(fact)]
    sides = Counter(fact.group for fact in current if fact.group is not None)
    assert Counter(rows) == Counter(
        (loaded.ids.fact(fact),) for fact in current if sides[fact.group] > 1
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_views_show_what_the_model_holds(boss: Connection, seed: int) -> None:
    case = make_case(Random(seed), datetime.now(UTC))
    check(boss, store(boss, f"views {seed}", case))
