"""The command of open SQL: its forms of output, its sources of text, its words for errors."""

from __future__ import annotations

import io
import json
from typing import Any

import jsonschema
import pytest

from taisce_pg import schema
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from tests.support.analysts import Stage, build
from tests.support.databases import Database


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    return build(module_database)


@pytest.fixture
def shell(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("TAISCE_ANALYST_DSN", stage.uri)
    return ["--dsn", stage.database.uri()]


def test_the_command_prints_tables_csv_and_json(shell: list[str], capsys: Any) -> None:
    text = "select subject, valid_from, evidence_count from facts_history order by fact_id limit 2"
    assert run(cli, [*shell, "query", text]) == 0
    out, err = capsys.readouterr()
    assert "subject" in out
    assert "2 rows" in err
    assert run(cli, [*shell, "query", text, "--format", "csv", "--rows", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "subject,valid_from,evidence_count"
    assert len(out.splitlines()) == 2
    assert "cut at 1 rows" in err
    assert run(cli, [*shell, "query", text, "--json"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), schema("QueryResult/v1"))


def test_the_command_reads_a_file_and_standard_input(
    shell: list[str], capsys: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "q.sql"
    file.write_text("select $1::int * 2 as double")
    assert run(cli, [*shell, "query", "-f", str(file), "-v", "21", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "double\n42\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"select 'x' as a")))
    assert run(cli, [*shell, "query", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "a\nx\n"
    assert run(cli, [*shell, "query", "select 1", "-f", str(file)]) == 2


def test_the_command_says_why_and_ends_with_1(shell: list[str], capsys: Any) -> None:
    assert run(cli, [*shell, "query", "select statment from facts_current"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "error column: 'statment' at character 8" in err
    assert "hint: Did you mean statement?" in err
    assert run(cli, [*shell, "query", "select 1", "--explain"]) == 0
    assert capsys.readouterr().out.startswith("cost: light")
    assert run(cli, [*shell, "query", "drop table x", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "not_a_query"


def test_the_command_without_a_server_says_so(
    shell: list[str], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAISCE_ANALYST_DSN", "host=/nowhere dbname=x connect_timeout=2")
    assert run(cli, [*shell, "query", "select 1"]) == 1
    assert "no connection" in capsys.readouterr().err
