"""What the command line says and how it ends."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
import psycopg
import pytest

from taisce_pg.cli.report import console, explain, print_json, run
from taisce_pg.problem import Problem


def ending(error: BaseException | int | None) -> click.Command:
    @click.command()
    @click.option("--debug", is_flag=True)
    @click.pass_context
    def command(ctx: click.Context, debug: bool) -> None:
        if isinstance(error, BaseException):
            raise error
        if error is not None:
            ctx.exit(error)

    return command


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (None, 0, ""),
        (3, 3, ""),
        (4, 4, ""),
        (Problem("no water", "turn the tap"), 1, "error: no water; turn the tap\n"),
        (Problem("bad words", exit_code=2), 2, "error: bad words\n"),
        (click.UsageError("what?"), 2, "error: what? (see: taisce-pg --help)\n"),
        (click.ClickException("no"), 1, "error: no\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (
            FileNotFoundError(2, "No such file or directory", "x.json"),
            1,
            "error: x.json: No such file or directory\n",
        ),
        (psycopg.OperationalError("gone\naway"), 1, "error: gone away\n"),
        (ValueError("odd"), 1, "error: ValueError: odd (unexpected; --debug shows where)\n"),
    ],
)
def test_every_end_has_its_code_and_at_most_one_line(
    error: Any, code: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(ending(error), []) == code
    shown = capfd.readouterr()
    assert shown.err.lstrip("\n") == said
    assert shown.out == ""


def test_debug_adds_the_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(ending(Problem("no water")), ["--debug"]) == 1
    shown = capfd.readouterr().err
    assert "Traceback" in shown
    assert shown.endswith("error: no water\n")


def test_an_unknown_option_is_a_usage_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(ending(None), ["--nonsense"]) == 2
    assert "--nonsense" in capfd.readouterr().err


def test_a_group_without_a_command_shows_its_help_as_it_is(
    capfd: pytest.CaptureFixture[str],
) -> None:
    group = click.Group("g", help="Do things.", commands={"one": click.Command("one")})
    assert run(group, []) in (0, 2)
    shown = capfd.readouterr()
    assert "error:" not in shown.err
    assert "Do things.\n" in shown.err + shown.out


def test_a_database_error_shows_code_message_detail_and_hint() -> None:
    class Refused(psycopg.Error):
        @property
        def diag(self) -> Any:
            return type(
                "Diag",
                (),
                {
                    "sqlstate": "TS002",
                    "message_primary": "invalid_recall_controls",
                    "message_detail": "hops is 9,\nat most 2",
                    "message_hint": "ask for 1 or 2",
                },
            )

    assert explain(Refused()) == (
        "error TS002: invalid_recall_controls: hops is 9, at most 2\nhint: ask for 1 or 2",
        1,
    )


def test_a_reader_that_leaves_early_is_no_error() -> None:
    program = (
        "import sys, click\nfrom taisce_pg.cli.report import run\n"
        "@click.command()\ndef cli():\n"
        "    for n in range(100000): print('line', n)\n"
        "sys.exit(run(cli, []))\n"
    )
    command = f'{sys.executable} -c "$1" | head -n 1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", command, "bash", program], capture_output=True, text=True)
    assert done.stdout == "line 0\n0\n"
    assert done.stderr == ""


@pytest.mark.parametrize(("color", "coloured"), [("always", True), ("never", False)])
def test_colour_is_as_asked(color: str, coloured: bool, capfd: pytest.CaptureFixture[str]) -> None:
    context = click.Context(click.Command("x"), obj={"color": color})
    console(context).print("[red]word[/red]")
    assert ("\x1b[" in capfd.readouterr().out) is coloured


def test_a_name_is_no_markup_where_that_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    console(click.Context(click.Command("x"), obj={}), markup=False).print("database [/x]")
    assert capfd.readouterr().out == "database [/x]\n"


def test_json_on_a_pipe_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "Zoë", "none": None})
    assert capsys.readouterr().out == '{"name": "Zoë", "none": null}\n'
