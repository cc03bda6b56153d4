"""Reading the output of pgTAP files."""

from __future__ import annotations

from pathlib import Path

from tests.support.pgtap import judge
from tests.support.tap import parse


def test_a_kept_plan_has_nothing_to_say() -> None:
    report = parse("1..2\nok 1 - one\nok 2 - two\n")
    assert [a.text for a in report.assertions] == ["one", "two"]
    assert not report.failures
    assert not report.faults


def test_a_plan_may_come_last() -> None:
    assert not parse("ok 1 - one\n1..1\n").faults


def test_failures_keep_their_remarks() -> None:
    report = parse("1..1\nnot ok 1 - sum\n# Failed test 1\n#   have: 1\n")
    assert report.failures[0].remarks == ["# Failed test 1", "#   have: 1"]


def test_todo_and_skip_are_no_failures() -> None:
    report = parse("1..3\nnot ok 1 - later # TODO soon\nok 2 - odd # SKIP no\nok 3 - x # TODO y\n")
    assert not report.failures
    assert [(a.directive, a.reason) for a in report.assertions] == [
        ("TODO", "soon"),
        ("SKIP", "no"),
        ("TODO", "y"),
    ]
    assert [a.number for a in report.surprises] == [3]


def test_broken_plans_are_faults() -> None:
    assert parse("ok 1 - one\n").faults == ["no plan: neither plan(n) nor finish() was reached"]
    assert parse("").faults == ["no plan: neither plan(n) nor finish() was reached"]
    assert parse("1..2\nok 1\n").faults == ["planned 2 assertions, ran 1"]
    assert parse("1..1\n1..1\nok 1\n").faults == ["a second plan: 1..1"]
    assert parse("1..2\nok 1\nok 3\n").faults == ["assertion 3 where 2 was due"]


def test_a_skipped_file_and_a_bail_out_are_seen() -> None:
    assert parse("1..0 # SKIP not here\n").skipped == "not here"
    assert parse("1..1\nBail out! no use\n").bail_out == "no use"


def test_a_failure_is_placed_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "sum.sql"
    path.write_text("begin;\nselect is(1, 2, 'it''s a sum');\n")
    report = parse("1..1\nnot ok 1 - it's a sum\n# have: 1\n")
    assert list(judge(report, 0, "", path)) == ["sum.sql:2: not ok 1 - it's a sum\n# have: 1"]


def test_an_sql_error_hides_the_plan_it_broke(tmp_path: Path) -> None:
    path = tmp_path / "x.sql"
    path.write_text("")
    said = list(judge(parse("1..2\nok 1\n"), 3, f"psql:{path}:7: ERROR:  no\n", path))
    assert said == ["x.sql:7: ERROR:  no"]
