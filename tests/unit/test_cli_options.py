"""Options of the command line reach what they are for; none is taken and then forgotten."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from uuid import UUID

import click
import pytest

from taisce_pg import Memory
from taisce_pg.cli.main import cli
from taisce_pg.cli.operations import _help, given
from taisce_pg.cli.report import run
from taisce_pg.client.calls import OPERATIONS
from taisce_pg.client.described import Argument, Operation
from taisce_pg.client.scopes import At, Current, History, Overlap
from taisce_pg.errors import InvalidQuestion

ONE, OTHER = str(UUID(int=1)), str(UUID(int=2))
NOON, LATE = "2024-01-01T12:00:00Z", "2025-06-01T00:00:00+02:00"
NOON_AT, LATE_AT = datetime(2024, 1, 1, 12, tzinfo=UTC), datetime.fromisoformat(LATE)
SAMPLES: dict[str, tuple[str, Any]] = {
    "text": ("words", "words"),
    "texts": ("user", ("user",)),
    "integer": ("7", 7),
    "offset": ("7", 7),
    "number": ("0.5", 0.5),
    "instant": (NOON, NOON_AT),
    "uuid": (ONE, UUID(ONE)),
    "uuids": (ONE, (UUID(ONE),)),
    "json": ('{"k": 1}', {"k": 1}),
    "items": ('{"k": 1}', ({"k": 1},)),
    "reference": ("Ann", "Ann"),
    "references": ("Ann", ("Ann",)),
}


class Answer:
    """An answer that says nothing."""

    table = task = "observation"
    rows = 0
    known_from = known_until = NOON

    def to_dict(self) -> dict[str, Any]:
        return {}

    def render(self, limit: int | None = None) -> str:
        return f"rendered {limit}"


class Recorder:
    """A memory that keeps what it is asked."""

    deadline = 0.0

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.answers = True

    def open(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def ready(self) -> bool:
        return self.answers

    def __getattr__(self, name: str) -> Callable[..., Any]:
        assert hasattr(Memory, name), name

        def ask(*values: Any, **options: Any) -> Any:
            self.asked.append((name, values, options))
            return (Answer(),) if OPERATIONS[name].form == "rows" else Answer()

        return ask

    def given(self) -> dict[str, Any]:
        """Return the options of the only call."""
        [(_, _, options)] = self.asked
        return options


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    made = Recorder()
    monkeypatch.setenv("TAISCE_DSN", "host=/nonexistent")
    monkeypatch.setattr("taisce_pg.cli.operations.Memory", lambda _: made)
    return made


def commands(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        found = group.get_command(ctx, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))
        else:
            yield (*path, name), found


def of_operations() -> Iterator[tuple[tuple[str, ...], Operation]]:
    """Find the commands that are made from the table of operations."""
    for path, found in commands(cli):
        for operation in OPERATIONS.values():
            if found.help == _help(operation):
                yield path, operation


def optional() -> Iterator[Any]:
    for path, operation in of_operations():
        for argument in operation.arguments:
            if not argument.required and not argument.hidden:
                name = " ".join([*path, argument.name])
                yield pytest.param(path, operation, argument, id=name)


def sample(argument: Argument) -> tuple[list[str], Any]:
    """Return how an argument is written, and what should come of it."""
    written, value = SAMPLES.get(argument.kind, ("", True))
    if argument.choices:
        written = value = argument.choices[-1]
        if argument.kind == "texts":
            value = (written,)
    if argument.required:
        return [written], value
    option = argument.option or "--" + argument.name.replace("_", "-")
    return [option] if argument.kind == "flag" else [option, written], value


@pytest.mark.parametrize(("path", "operation", "argument"), list(optional()))
def test_an_option_of_the_table_reaches_its_call(
    path: tuple[str, ...],
    operation: Operation,
    argument: Argument,
    asked: Recorder,
    capsys: pytest.CaptureFixture[str],
) -> None:
    needed = [word for one in operation.arguments if one.required for word in sample(one)[0]]
    words, value = sample(argument)
    code = run(cli, [*path, *needed, *words, "--json"])
    assert code == 0
    name, _, options = asked.asked[-1]
    assert name == operation.name
    got = options[argument.name]
    assert (tuple(got) if isinstance(got, list) else got) == value
    out, err = capsys.readouterr()
    assert isinstance(json.loads(out), dict | list)
    assert err in ("", "nothing to erase\n")


def test_most_operations_are_commands() -> None:
    assert len({operation.name for _, operation in of_operations()}) > 30


@pytest.mark.parametrize("command", ["facts", "answer"])
@pytest.mark.parametrize(
    ("options", "scope"),
    [
        ([], None),
        (["--at", NOON], At(NOON_AT)),
        (["--at", NOON, "--believed-at", LATE], At(NOON_AT, LATE_AT)),
        (["--since", NOON, "--until", LATE], Overlap(NOON_AT, LATE_AT)),
        (
            ["--since", NOON, "--until", LATE, "--believed-at", NOON],
            Overlap(NOON_AT, LATE_AT, NOON_AT),
        ),
        (["--history"], History()),
        (["--history", "--believed-at", NOON], History(NOON_AT)),
        (["--believed-at", LATE], Current(LATE_AT)),
    ],
)
def test_a_time_is_asked_for(command: str, options: list[str], scope: Any, asked: Recorder) -> None:
    assert run(cli, [command, "tea", *options, "--json"]) == 0
    assert asked.given().get("time_scope") == scope


@pytest.mark.parametrize("command", ["facts", "answer"])
@pytest.mark.parametrize(
    "options",
    [
        ["--since", NOON],
        ["--until", NOON],
        ["--at", NOON, "--history"],
        ["--at", NOON, "--since", NOON, "--until", LATE],
        ["--since", NOON, "--until", LATE, "--history"],
        ["--json", "--render"],
    ],
)
def test_times_that_exclude_each_other_are_refused(
    command: str, options: list[str], asked: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(cli, [command, "tea", *options]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("command", ["recall", "facts", "answer", "testimony", "context"])
def test_a_block_for_a_prompt_is_printed_as_it_is(
    command: str, asked: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(cli, [command, "tea", "--render"]) == 0
    assert capsys.readouterr() == ("rendered None\n", "")


def test_a_block_has_a_limit(asked: Recorder, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(cli, ["recall", "tea", "--render", "--render-characters", "99"]) == 0
    assert capsys.readouterr() == ("rendered 99\n", "")


def test_routes_lead_to_another_entity(asked: Recorder) -> None:
    assert run(cli, ["graph", ONE, "--json"]) == 0
    assert run(cli, ["graph", ONE, "--to", OTHER, "--json"]) == 0
    assert run(cli, ["graph", ONE, "--to", OTHER, "--max-paths", "2", "--json"]) == 0
    assert [(name, values) for name, values, _ in asked.asked] == [
        ("graph_neighborhood", (UUID(ONE),)),
        ("graph_path", (UUID(ONE), UUID(OTHER))),
        ("graph_path", (UUID(ONE), UUID(OTHER))),
    ]
    assert [options.get("max_paths") for _, _, options in asked.asked] == [None, None, 2]
    assert run(cli, ["graph", ONE, "--max-paths", "2"]) == 2


def test_the_history_of_a_fact_goes_on_from_where_it_stopped(asked: Recorder) -> None:
    assert run(cli, ["records", "--history", ONE, "--after", "x", "--project", "p", "--json"]) == 0
    assert asked.asked == [("record_history", (UUID(ONE),), {"before": "x", "project": "p"})]
    for refused in (["--history", ONE, "--subject", "s"], ["--timeline"]):
        assert run(cli, ["records", *refused]) == 2


def test_one_entity_is_looked_at_whole(asked: Recorder) -> None:
    assert run(cli, ["entities", ONE, "--project", "p", "--json"]) == 0
    assert asked.asked == [("get_entity", (UUID(ONE),), {"project": "p"})]
    assert run(cli, ["entities", ONE, "--limit", "2"]) == 2


@pytest.mark.parametrize("answers", [True, False])
def test_readiness_is_an_exit_code(
    answers: bool, asked: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    asked.answers = answers
    assert run(cli, ["freshness", "--ready"]) == (0 if answers else 1)
    assert capsys.readouterr() == ("ready\n" if answers else "not ready\n", "")
    assert run(cli, ["freshness", "--ready", "--json"]) == (0 if answers else 1)
    assert json.loads(capsys.readouterr().out) is answers


def test_a_dry_run_of_an_erasure_stays_one(asked: Recorder) -> None:
    for command in (["erase", ONE], ["erase", "--subject", "s"], ["expire"], ["release", ONE]):
        asked.asked.clear()
        assert run(cli, [*command, "--dry-run", "--project", "p"]) == 0
        assert asked.asked
        assert all(options["dry_run"] is True for _, _, options in asked.asked)
        assert all(options["project"] == "p" for _, _, options in asked.asked)


def test_nothing_is_erased_without_a_yes(
    asked: Recorder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Answer, "rows", 3)
    monkeypatch.setattr("builtins.input", lambda _="": "n")
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "n")
    assert run(cli, ["erase", ONE]) == 1
    assert [options["dry_run"] for _, _, options in asked.asked] == [True]
    assert capsys.readouterr().out == ""
    asked.asked.clear()
    assert run(cli, ["erase", ONE, "--yes"]) == 0
    assert [options["dry_run"] for _, _, options in asked.asked] == [False]


@pytest.mark.parametrize("refused", [False, True])
def test_many_questions_end_with_an_error_if_one_was_refused(
    refused: bool,
    asked: Recorder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "questions"
    file.write_text("a\n\n b \n")
    taken: list[Any] = []

    def recall_many(questions: list[str], **options: Any) -> Any:
        taken.append((questions, options))
        return (Answer(), InvalidQuestion("no") if refused else Answer())

    monkeypatch.setattr(asked, "recall_many", recall_many, raising=False)
    ask = ["recall", "--file", str(file), "--hops", "2", "--json"]
    assert run(cli, ask) == (1 if refused else 0)
    assert taken == [(["a", "b"], {"hops": 2})]
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {"index": 0, "answer": {}}
    assert second["index"] == 1
    assert ("error" in second) is refused


def test_a_zero_and_an_empty_text_were_given_as_well() -> None:
    values = {"zero": 0, "none": None, "flag": False, "many": (), "share": 0.0, "text": ""}
    assert given(values) == {"zero": 0, "share": 0.0, "text": ""}
