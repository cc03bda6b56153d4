"""Commands of the bench that make a memory of their own run, and print what they say they print."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from tests.support.servers import ServerUnderTest

COMMANDS = {
    "past": (["--versions", "1000"], "readings", {"versions", "known", "facts", "entries"}),
    "churn": (
        ["--supersessions", "1000", "--values", "100", "--steps", "2"],
        "states",
        {"superseded", "versions", "now", "early", "pages_a_version", "dead_share", "tables"},
    ),
    "partitions": (
        ["--facts", "10000", "--rounds", "3", "--partitions", "2"],
        "rows",
        {"measure", "facts", "whole_buffers", "cut_buffers"},
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_the_bench_runs_and_leaves_nothing(
    server: ServerUnderTest, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    options, listed, keys = COMMANDS[name]
    assert _call(server, ["bench", name, *options, "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)[listed]
    assert found
    assert all(keys <= set(one) for one in found)
    assert "Traceback" not in err
    with server.connect() as conn:
        left = conn.execute(
            "select datname from pg_database where datname like %s", [f"taisce_bench_{name}%"]
        ).fetchall()
    assert left == []


def test_what_grows_fails_the_check(
    server: ServerUnderTest, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--supersessions", "1000", "--values", "100", "--steps", "2", "--check"]
    assert _call(server, ["bench", "churn", *options]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split()[:2] == ["superseded", "versions"]
    assert [row.split()[0] for row in table[1:]] == ["450", "1,000"]
    monkeypatch.setattr("taisce_pg.cli.bench.churn._GROWTH", 0.5)
    assert _call(server, ["bench", "churn", *options]) == 1


def _call(server: ServerUnderTest, words: Sequence[str]) -> int:
    return run(cli, ["--dsn", server.uri(), *words])
