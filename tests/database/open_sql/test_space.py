"""The query space: its examples run, its command prints it."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.load.apply import load_lines
from taisce_pg.sandbox.check import check
from taisce_pg.sandbox.manifest import read_space
from tests.support.databases import Database
from tests.support.memories import EVERYTHING

TITLES = 8


@pytest.fixture(scope="module")
def login(module_database: Database) -> str:
    """Load a memory and make a login that is only a member of taisce_analyst."""
    with psycopg.connect(module_database.login("taisce_admin"), autocommit=True) as boss:
        load_lines(boss, "north", EVERYTHING)
        boss.execute("select memory_v1.grant_project('north', 'taisce_analyst', 'read')")
    return module_database.login("taisce_analyst")


@pytest.fixture(scope="module")
def space(login: str) -> dict[str, Any]:
    with psycopg.connect(login, autocommit=True) as conn:
        return read_space(conn)


@pytest.mark.parametrize("place", range(TITLES))
def test_right_examples_are_accepted_and_run(login: str, space: dict[str, Any], place: int) -> None:
    example = space["examples"][place]
    check(example["right"])
    with psycopg.connect(login, autocommit=True) as conn:
        conn.execute("set search_path = memory_v1")
        conn.execute(example["right"].encode())
        conn.execute(example["wrong"].encode())


def test_every_example_is_tried(space: dict[str, Any]) -> None:
    assert len(space["examples"]) == TITLES


def test_an_example_finds_what_it_is_about(login: str, space: dict[str, Any]) -> None:
    with psycopg.connect(login, autocommit=True) as conn:
        conn.execute("set search_path = memory_v1")
        found = {
            example["title"]: conn.execute(example["right"].encode()).rowcount
            for example in space["examples"]
        }
    for title in (
        "what is believed, not what was said",
        "how widely a fact is supported",
        "the newest turns",
        "what is disputed",
        "where something is spoken of",
    ):
        assert found[title], title


def test_the_command_prints_the_space_as_json(login: str, capsys: Any) -> None:
    assert run(cli, ["--dsn", login, "space", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["contract"] == "query-space/v1"
    assert printed["limits"]["interactive"]["rows"] == 200


def test_the_command_tells_of_every_view(login: str, space: dict[str, Any], capsys: Any) -> None:
    assert run(cli, ["--dsn", login, "space"]) == 0
    printed = capsys.readouterr().out
    assert "Testimony is not belief" in printed
    for view in space["views"]:
        assert view["name"] in printed


def test_a_search_describes_columns_and_finding_nothing_is_said(login: str, capsys: Any) -> None:
    assert run(cli, ["--dsn", login, "space", "--search", "lineage"]) == 0
    printed = capsys.readouterr().out
    assert "evidence_lineage" in printed
    assert "segment_id" not in printed
    assert run(cli, ["--dsn", login, "space", "--search", "zzz"]) == 0
    printed, said = capsys.readouterr()
    assert printed == ""
    assert "zzz" in said
