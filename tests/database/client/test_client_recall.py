"""The client against the real recall, and the page about it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors, schema
from taisce_pg.cli.main import cli
from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.pages import fenced

PAGE = Path(__file__).parents[3] / "docs" / "python.md"
WIDE = {"hops": 2, "as_of": "2024-06-01T00:00:00+02:00", "evidence_per_fact": 5}


@pytest.fixture(scope="module")
def team(module_database: Database) -> Database:
    with module_database.connect() as conn:
        load_lines(conn, "team", fenced(PAGE, "ndjson")[0].splitlines(), "team.ndjson")
    return module_database


@pytest.fixture
def memory(team: Database) -> Iterator[Memory]:
    with Memory(team.uri(), project="team") as opened:
        yield opened


def raw(database: Database, question: str, **controls: Any) -> dict[str, Any]:
    names = ", ".join(f"{name} => %({name})s" for name in controls)
    with database.connect() as conn:
        row = conn.execute(
            f"select memory_v1.recall(%(question)s, project => 'team', {names})".encode(),
            {"question": question, **controls},
        ).fetchone()
    assert row is not None
    answer: dict[str, Any] = row[0]
    return answer


def test_the_model_holds_all_that_the_server_sends(team: Database, memory: Memory) -> None:
    sent = raw(team, "Where does Marta work?", **WIDE)
    answer = memory.recall("Where does Marta work?", **WIDE).to_dict()
    assert len(answer["facts"]) == 2
    for one in (sent, answer):
        one["freshness"].pop("read_at")
    assert answer == sent


@pytest.mark.parametrize("question", ["Where does Marta work?", "Who is Bob?", "?!"])
def test_answers_fit_the_schema_and_no_field_is_outside_the_model(
    memory: Memory, question: str
) -> None:
    answer = memory.recall(question, **WIDE)
    jsonschema.Draft202012Validator(schema("recall/v1")).validate(answer.to_dict())
    parts = [answer, answer.controls, answer.reach, answer.freshness, answer.scope]
    for part in [
        *parts,
        *answer.anchors,
        *answer.facts,
        *(e for f in answer.facts for e in f.evidence),
    ]:
        assert part.model_extra == {}


def test_every_quote_is_found_in_its_context(memory: Memory) -> None:
    for fact in memory.recall("Marta", **WIDE).facts:
        for one in fact.evidence:
            assert "".join(one.parts()) == one.context


@pytest.mark.parametrize(
    ("question", "controls", "error"),
    [
        ("", {}, errors.InvalidQuestion),
        ("x" * 8193, {}, errors.InvalidQuestion),
        ("x", {"max_characters": 0}, errors.InvalidRecallControls),
        ("x", {"max_characters": 10**20}, errors.InvalidRecallControls),
        ("x", {"source_roles": []}, errors.InvalidRecallControls),
        ("x", {"source_roles": ["bob"]}, errors.InvalidRecallControls),
        ("x", {"surfaces": ["facts", "facts"]}, errors.InvalidRecallControls),
        ("x", {"data_subject_id": " "}, errors.InvalidRecallControls),
        ("x", {"query_embedding": [1.0]}, errors.InvalidRecallControls),
        ("x", {"project": "nobody's"}, errors.UnknownProject),
    ],
)
def test_what_the_server_refuses_is_one_class_in_both_clients(
    team: Database,
    memory: Memory,
    question: str,
    controls: dict[str, Any],
    error: type[errors.TaisceError],
) -> None:
    async def ask() -> None:
        async with AsyncMemory(team.uri(), project="team") as same:
            await same.recall(question, **controls)

    with pytest.raises(error) as caught:
        memory.recall(question, **controls)
    assert caught.value.message == error.word
    assert caught.value.detail
    assert caught.value.hint
    with pytest.raises(error):
        asyncio.run(ask())


def test_hops_of_any_size_are_clamped_and_not_refused(memory: Memory) -> None:
    assert memory.recall("Marta", hops=10**15).controls.hops == 2
    assert memory.recall("Marta", hops=-(10**15)).controls.hops == 1


def test_a_reader_without_a_grant_sees_no_project(team: Database) -> None:
    with Memory(team.login("taisce_reader")) as reader, pytest.raises(errors.UnknownProject):
        reader.recall("Marta", project="team")


def test_the_command_shows_the_answer_in_all_three_ways(team: Database) -> None:
    def run(*args: str) -> str:
        done = CliRunner().invoke(
            cli, ["--dsn", team.uri(), "recall", "Where does Marta work?", "--project=team", *args]
        )
        assert done.exit_code == 0, done.output
        return done.stdout

    assert "Marta works at Acme" in run()
    assert '"statement": "Marta works at Acme."' in run("--json")
    assert '[F1] "Marta works at Acme."' in run("--render")
    assert "Left out" in run("--render", "--render-characters=700", "--hops=2")


def test_the_page_names_every_error() -> None:
    for code, cls in errors.CLASSES.items():
        assert f"| `{cls.__name__}` | {code} |" in PAGE.read_text("utf-8")
