"""Tests of what the bench reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from taisce_pg.bench import curves, databases, report, suite
from taisce_pg.bench.loading import lines
from taisce_pg.bench.measures import Row
from taisce_pg.bench.probe import summary
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.load.parse import check_lines


def test_a_summary_is_in_milliseconds() -> None:
    times = summary([0.001, 0.003, 0.002])
    assert (times.median, times.p95, times.runs) == (2.0, 3.0, 3)


def test_more_reading_than_the_baseline_is_a_regression(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    before = [Row("hub", buffers=100, entries=200), Row("load")]
    report.write_baseline(path, "a", before)
    report.write_baseline(path, "b", [])
    kept = report.read_baseline(path, "a")
    assert kept == {"hub": {"buffers": 100, "entries": 200}}
    assert list(report.regressions([Row("hub", buffers=110, entries=210)], kept)) == []
    worse = list(report.regressions([Row("hub", buffers=200, entries=200)], kept))
    assert worse == ["hub: 200 buffers, 100 before"]
    assert report.read_baseline(tmp_path / "none.json", "a") == {}


def test_results_are_a_table_of_all_rows() -> None:
    rows = [Row("hub", ours=1.5, ordinary=1.0, ratio=1.5, goal="≤ 2x", met=True)]
    text = report.results(rows, {"cores": 2}, [100_000])
    assert "| hub | 1.50 |  | 1.00 o | 1.50 | ≤ 2x | yes |  |  |  |" in text
    assert "100,000" in text


def test_rows_become_plain_values() -> None:
    assert Row("hub", ours=1.23456).to_dict()["ours"] == 1.235


def test_lines_to_load_are_of_the_load_format() -> None:
    assert len(list(check_lines(lines(100), "bench"))) == 200


KEYS = {"measure", "ours", "reference", "floor", "ratio", "goal", "met"}


class Nothing:
    """Stands for the databases of a run that measures nothing."""

    conn = None

    def __init__(self, *given: Any) -> None:
        pass

    def memory(self, facts: int, rounds: int) -> Nothing:
        return self

    def say(self, text: str) -> None:
        pass

    def close(self) -> None:
        pass


def test_json_is_the_rows_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = [Row("hub", ours=1.23456, reference=9.0, ratio=0.1, goal="≤ 2x", met=True), Row("load")]
    monkeypatch.setattr(databases, "Databases", Nothing)
    monkeypatch.setattr(suite, "everything", lambda *given: iter(rows))
    monkeypatch.setattr(report, "machine", lambda conn: {"server": "PostgreSQL 18.6"})
    monkeypatch.chdir(tmp_path)
    assert run(cli, ["--dsn", "host=/nonexistent", "bench", "--short", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["rows"]
    assert [row["measure"] for row in printed["rows"]] == ["hub", "load"]
    for row in printed["rows"]:
        assert set(row) >= KEYS
    first = printed["rows"][0]
    assert (first["ours"], first["reference"], first["floor"]) == (1.235, 9.0, None)
    assert (first["ratio"], first["goal"], first["met"]) == (0.1, "≤ 2x", True)
    assert not list(tmp_path.iterdir())


def test_what_is_written_tells_the_machine_and_can_be_read_again() -> None:
    point = curves.Point("hub", "current", 100, 5, 1.5)
    kept = json.loads(report.whole([Row("hub")], [point], {"cores": 2}, [100], 1))
    assert set(kept) == {"rows", "curves", "machine", "sizes", "seed"}
    assert kept["curves"][0]["buffers"] == 5
    assert kept["machine"] == {"cores": 2}
