"""`taisce-pg bench sandbox` measures what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from taisce_pg.bench.sandbox import query_of
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.sandbox import check


@pytest.mark.parametrize("size", [450, 1_000, 4_000])
def test_the_queries_are_ordinary_and_of_their_size(size: int) -> None:
    text = query_of(size)
    assert size <= len(text) < size + 120
    assert check(text).views == ("entities", "facts_current")


def test_the_command_needs_no_server(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAISCE_DSN", "host=/nowhere")
    assert run(cli, ["bench", "sandbox", "--rounds", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"] == 2
    assert [sorted(one) for one in found["checks"]] == [["bytes", "median_ms", "p95_ms"]] * 3
    assert all(0 < one["median_ms"] <= one["p95_ms"] for one in found["checks"])
    assert run(cli, ["bench", "sandbox", "--rounds", "2"]) == 0
    assert "median ms" in capsys.readouterr().out
