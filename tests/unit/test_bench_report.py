"""Tests of what the bench reports."""

from pathlib import Path

from taisce_pg.bench import report
from taisce_pg.bench.loading import lines
from taisce_pg.bench.measures import Row
from taisce_pg.bench.probe import summary
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
