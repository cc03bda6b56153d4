from __future__ import annotations

import io
import sys

import click
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.operations import read_text
from taisce_pg.cli.recall import recall
from taisce_pg.cli.report import run
from taisce_pg.client import calls


def refuse(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command that is used wrongly and return its one line."""
    assert run(cli, ["--dsn", "host=/nonexistent", "recall", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_every_argument_of_the_table_that_is_not_hidden_is_a_parameter() -> None:
    names = {parameter.name for parameter in recall.params}
    for argument in calls.OPERATIONS["recall"].arguments:
        assert (argument.name in names) is not argument.hidden


def test_the_help_ends_with_the_example() -> None:
    text = recall.get_help(click.Context(recall, info_name="recall"))
    example = calls.OPERATIONS["recall"].example
    assert text.splitlines()[-1].strip() == f"Example: {example}"


@pytest.mark.parametrize("option", ["--as-of", "--as-known-at"])
@pytest.mark.parametrize("time", ["2024-03-01", "2024-03-01T10:00:00"])
def test_a_time_without_a_zone_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], option: str, time: str
) -> None:
    line = refuse(capsys, "x", option, time)
    assert option in line
    assert "without a zone" in line
    assert calls.ZONE_HINT in line


def test_what_is_no_time_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert "not a time" in refuse(capsys, "x", "--as-of", "yesterday")


def test_a_misspelled_option_brings_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--subject" in refuse(capsys, "x", "--subjet", "u1")


@pytest.mark.parametrize(
    "args",
    [
        ("x", "--role", "bob"),
        ("x", "--hops", "two"),
        ("x", "--json", "--render"),
        ("x", "--render-characters", "9"),
        (),
    ],
)
def test_wrong_use_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...]
) -> None:
    refuse(capsys, *args)


def test_a_server_that_does_not_answer_is_one_clear_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(cli, ["--dsn", "host=/nonexistent", "recall", "x"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(("given", "text"), [(b"Who?\n", "Who?"), (b"a\nb", "a\nb"), (b"", "")])
def test_a_dash_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, given: bytes, text: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert read_text("-") == text
    assert read_text("- not alone") == "- not alone"


def test_standard_input_that_is_no_text_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(click.UsageError):
        read_text("-")
