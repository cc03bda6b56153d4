"""Hints of the database, in commands and options that exist."""

from __future__ import annotations

import re

import click
import pytest

from taisce_pg.cli.hints import _COMMANDS, _OPTIONS, missing_role, role_for, translated
from taisce_pg.cli.main import cli
from taisce_pg.cli.show import counted
from taisce_pg.resources import db_root


def found(words: list[str]) -> click.Command | None:
    """Return the command that the words lead to; the rest are its arguments."""
    at: click.Command | None = cli
    for word in words:
        if not isinstance(at, click.Group):
            break
        at = at.get_command(click.Context(at), word)
    return at


@pytest.mark.parametrize("written", sorted(set(_COMMANDS.values())))
def test_every_command_of_the_table_exists(written: str) -> None:
    words = written.split()
    command = found([word for word in words if not word.startswith("--")])
    assert command is not None
    for option in (word for word in words if word.startswith("--")):
        assert any(option in parameter.opts for parameter in command.params)


@pytest.mark.parametrize(
    "option", sorted(option for option in _OPTIONS.values() if option.startswith("--"))
)
def test_every_option_of_the_table_exists(option: str) -> None:
    commands = (cli.get_command(click.Context(cli), name) for name in cli.list_commands(None))  # type: ignore[arg-type]
    assert any(option in one.opts for command in commands if command for one in command.params)


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("List them with memory_v1.list_settings().", "List them with taisce-pg setting list."),
        ("See memory_v1.generations().", "See taisce-pg embed status."),
        ("Find ids with memory_v1.recall_anchors(question).", "Find ids with taisce-pg resolve."),
        ("Begin one with begin_rebuild().", "Begin one with taisce-pg rebuild begin."),
        ("Give evidence that is new, or use correct_fact.",
         "Give evidence that is new, or use taisce-pg correct."),
        ("Name one with the argument project, or set taisce.project.",
         "Name one with the option --project, or set taisce.project."),
        ("Ask without entity_ids, or fact_context for what is held.",
         "Ask without --entity, or taisce-pg facts for what is held."),
        ("Name more source_roles, or leave data_subject_id out.",
         "Name more --role, or leave --subject out."),
        # Plain words stay what they are.
        ("Pass the facts of a bundle, for example.", "Pass the facts of a bundle, for example."),
        ("Run its fixtures: taisce-pg saved activate NAMESPACE.NAME",
         "Run its fixtures: taisce-pg saved activate NAMESPACE.NAME"),
        ("An administrator may raise the setting bundle_characters.",
         "An administrator may raise the setting bundle_characters."),
    ],
)  # fmt: skip
def test_functions_and_arguments_become_commands_and_options(hint: str, said: str) -> None:
    assert translated(hint) == said


def test_no_hint_of_the_database_speaks_of_its_schema() -> None:
    hints = [
        hint
        for path in (db_root() / "functions").rglob("*.sql*")
        for hint in re.findall(r"hint = '((?:[^']|'')*)'", path.read_text("utf-8"))
    ]
    assert len(hints) > 50
    assert [hint for hint in hints if "memory_v1." in translated(hint)] == []


@pytest.mark.parametrize(
    ("message", "role"),
    [
        ("permission denied for function observe", "taisce_writer"),
        ("permission denied for function create_project", "taisce_admin"),
        ("permission denied for function recall", "taisce_reader"),
        ("permission denied for schema memory_v1", "taisce_reader"),
        ("permission denied for schema taisce", "taisce_admin"),
    ],
)
def test_a_denial_names_the_role(message: str, role: str) -> None:
    assert f"grant {role} to LOGIN" in str(missing_role(message))


@pytest.mark.parametrize("message", ["permission denied for table theirs", "must be owner of x"])
def test_a_denial_about_something_else_says_nothing(message: str) -> None:
    assert missing_role(message) is None


def test_what_no_table_names_is_for_readers() -> None:
    assert role_for("recall") == "reader"


@pytest.mark.parametrize(
    ("many", "one"), [("entities", "entity"), ("facts", "fact"), ("evidence", "evidence")]
)
def test_one_of_them_is_singular(many: str, one: str) -> None:
    assert counted(1, many) == f"1 {one}"
    assert counted(1200, many) == f"1,200 {many}"
