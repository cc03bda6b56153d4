"""The assured operations in the page of the docs, in the clients and as commands."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from click.testing import CliRunner

from taisce_pg import (
    AsyncMemory,
    At,
    Current,
    History,
    Memory,
    Overlap,
    errors,
)
from taisce_pg.cli.main import cli
from taisce_pg.client.assured import ASSURED
from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.operations import valid
from tests.support.pages import fenced, run_command, run_python

PAGE = Path(__file__).parents[3] / "docs" / "operations.md"


# The page, the clients and the commands


@pytest.fixture(scope="module")
def office(module_database: Database) -> Database:
    with module_database.connect() as made:
        load_lines(made, "office", fenced(PAGE, "ndjson")[0].splitlines(), "office.ndjson")
    return module_database


@pytest.fixture
def memory(office: Database) -> Iterator[Memory]:
    with Memory(office.uri(), project="office") as opened:
        yield opened


def test_the_examples_of_the_page_print_what_it_says(office: Database) -> None:
    run_python(PAGE, office.uri())


def test_the_commands_of_the_page_run(office: Database) -> None:
    for line in fenced(PAGE, "sh")[0].splitlines():
        assert run_command(office.uri(), line)


def test_the_page_names_every_function() -> None:
    for operation in ASSURED:
        assert f"`{operation.name}`" in PAGE.read_text("utf-8")


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
    shown = run_command(office.uri(), "taisce-pg facts 'Where does Marta work?' --project office")
    assert "Marta works at Babel" in shown
    assert "Marta" in run_command(office.uri(), "taisce-pg resolve marta --project office")
    assert "no entity" in run_command(office.uri(), "taisce-pg resolve Nobody --project office")
    past = "taisce-pg facts Marta --project office --at 2024-05-01T00:00Z --json"
    assert valid(json.loads(run_command(office.uri(), past)))["temporal_scope"]["mode"] == "at"
    assert "step" in run_command(office.uri(), f"taisce-pg graph {marta} --project office")
    both = json.loads(run_command(office.uri(), "taisce-pg answer Marta --project office --json"))
    assert valid(both)["contract"] == "ContextBundle/v1"
    wrong = CliRunner().invoke(
        cli, ["--dsn", office.uri(), "facts", "Marta", "--history", "--at", "2024-05-01T00:00Z"]
    )
    assert wrong.exit_code == 2
