"""The schemas that the package ships, and that no test reads an answer past them."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg import AsyncMemory, Memory, schema
from taisce_pg.load.apply import load_lines
from tests.support.answers import check, checked
from tests.support.databases import Database
from tests.support.memories import fact, lines, turn

Connection = psycopg.Connection[Any]
LINES = [
    turn("news", "Marta works at Acme."),
    fact("f", "Marta", "Marta works at Acme.", "news", "Marta works", predicate="works at",
         object="Acme"),
]  # fmt: skip
CALLS = {
    "recall/v1": "recall('Where is Marta?', 'told')",
    "envelope/v1": "fact_context_envelope('Marta', 'told')",
    "ContextBundle/v1": "answer_context_envelope('Marta', 'told')",
}
ENVELOPES = (
    "resolve_entity_envelope('Marta', 'told')",
    "resolve_entity_envelope('Nobody', 'told')",
    "testimony_context_envelope('Marta', 'told')",
    "testimony_context_envelope('unheard', 'told')",
    "fact_context_envelope('Marta', 'told')",
    "fact_context_envelope('unheard', 'told')",
)


@pytest.fixture(scope="module")
def told(module_database: Database) -> Database:
    with module_database.connect() as conn:
        load_lines(conn, "told", lines(LINES), name="told")
    return module_database


@pytest.fixture
def conn(told: Database) -> Iterator[Connection]:
    with told.connect() as opened:
        yield opened


def ask(conn: Connection, call: str) -> dict[str, Any]:
    row = conn.execute(f"select memory_v1.{call}".encode()).fetchone()
    assert row is not None
    answer: dict[str, Any] = row[0]
    return answer


@pytest.mark.parametrize("contract", CALLS)
def test_an_answer_without_a_part_or_with_an_odd_one_is_refused(
    conn: Connection, contract: str
) -> None:
    answer = ask(conn, CALLS[contract])
    assert answer["contract"] == contract
    for part in set(answer) - {"contract"}:
        for sick in ({}, {part: object()}):
            broken = {key: value for key, value in answer.items() if key != part} | sick
            with pytest.raises(pytest.fail.Exception, match=contract):
                check(broken)
    with pytest.raises(pytest.fail.Exception, match="news"):
        check({**answer, "news": 1})


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ("facts", "label"),
        ("facts", "validity"),
        ("evidence", "quote"),
        ("evidence", "corroboration_count"),
        ("fact_evidence", "stance"),
        ("evidence_totals", "supports"),
        ("temporal_scope", "evaluated_at"),
        ("truncation", "total_is_exact"),
        ("freshness", "known_through"),
        ("freshness", "compiled"),
        ("scope", "neighbours"),
    ],
)
def test_an_item_without_a_field_is_refused(conn: Connection, part: str, field: str) -> None:
    answer = copy.deepcopy(ask(conn, CALLS["envelope/v1"]))
    holder = answer[part][0] if isinstance(answer[part], list) else answer[part]
    del holder[field]
    with pytest.raises(pytest.fail.Exception, match=field):
        check(answer)


def test_every_connection_of_a_test_reads_through_the_schemas(
    told: Database, conn: Connection
) -> None:
    for binary in (False, True):
        before = checked["envelope/v1"]
        cursor = conn.cursor(binary=binary)
        for call in ENVELOPES:
            cursor.execute(f"select memory_v1.{call}".encode()).fetchall()
        assert checked["envelope/v1"] == before + len(ENVELOPES)
        with pytest.raises(pytest.fail.Exception, match="operation"):
            cursor.execute("""select '{"contract": "envelope/v1"}'::jsonb""").fetchall()
    before = checked["ContextBundle/v1"]
    with Memory(told.uri(), project="told") as memory:
        memory.answer_context("Marta")

    async def ask_too() -> None:
        async with AsyncMemory(told.uri(), project="told") as memory:
            await memory.answer_context("Marta")

    asyncio.run(ask_too())
    assert checked["ContextBundle/v1"] == before + 2


@pytest.mark.parametrize("contract", CALLS)
def test_a_schema_says_what_it_is_and_lets_newer_fields_pass(contract: str) -> None:
    shipped = schema(contract)
    assert shipped["$schema"].endswith("2020-12/schema")
    assert shipped["properties"]["contract"]["const"] == contract
    assert shipped.get("additionalProperties", True) is not False
