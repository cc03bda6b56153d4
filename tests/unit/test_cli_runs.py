"""Options of queries, loads and embedding reach what runs; failure is an exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from taisce_pg.cli import embed as embedding
from taisce_pg.cli import query as querying
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.client.embedding import SPACES
from taisce_pg.embed import fill
from taisce_pg.sandbox.session import Query
from tests.support.embedders import Counting


class Analyst:
    """Keeps what it is asked to run, and fails if it is told to."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Query]] = []
        self.error: str | None = None

    def run(self, asked: Query) -> Any:
        self.done.append(("run", asked))
        return SimpleNamespace(error=self.error)

    def explain(self, asked: Query) -> Any:
        self.done.append(("explain", asked))
        return SimpleNamespace(error=self.error)


@pytest.fixture
def analyst(monkeypatch: pytest.MonkeyPatch) -> Analyst:
    made = Analyst()

    @contextmanager
    def opened(_: Any) -> Iterator[Analyst]:
        yield made

    monkeypatch.setattr(querying, "open_analyst", opened)
    for shown in ("show_result", "show_plan"):
        monkeypatch.setattr(querying, shown, lambda out, talk, what, form: out.print(form))
    return made


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ([], {}),
        (["--project", "p"], {"project": "p"}),
        (["--tier", "analytical"], {"tier": "analytical"}),
        (["--seconds", "1.5"], {"seconds": 1.5}),
        (["--rows", "7"], {"rows": 7}),
        (["--bytes", "99"], {"bytes": 99}),
        (["-v", "a", "--value", "b"], {"parameters": ["a", "b"]}),
    ],
)
@pytest.mark.parametrize("explained", [False, True])
def test_a_query_runs_within_the_limits_asked_for(
    options: list[str], wanted: dict[str, Any], explained: bool, analyst: Analyst
) -> None:
    more = ["--explain"] if explained else []
    assert run(cli, ["query", "select 1", *options, *more]) == 0
    whole = {"parameters": [], **wanted}
    assert analyst.done == [("explain" if explained else "run", Query("select 1", **whole))]


@pytest.mark.parametrize(
    ("options", "form"),
    [
        ([], "table"),
        (["--json"], "json"),
        (["--format", "csv"], "csv"),
        (["--format", "csv", "--json"], "json"),
    ],
)
def test_a_result_has_the_form_asked_for(
    options: list[str], form: str, analyst: Analyst, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ([], ["--explain"]):
        assert run(cli, ["query", "select 1", *options, *more]) == 0
        assert capsys.readouterr() == (f"{form}\n", "")


@pytest.mark.parametrize("more", [[], ["--explain"]])
def test_a_query_that_failed_ends_with_an_error(more: list[str], analyst: Analyst) -> None:
    analyst.error = "no"
    assert run(cli, ["query", "select 1", *more]) == 1


def test_a_query_comes_from_one_place(analyst: Analyst, tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_text("select 2")
    assert run(cli, ["query", "-f", str(file)]) == 0
    assert analyst.done[0][1].sql == "select 2"
    assert run(cli, ["query", "select 1", "-f", str(file)]) == 2


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ([], {"batch": None, "create_project": True}),
        (["--batch", "10"], {"batch": 10, "create_project": True}),
        (["--no-create"], {"batch": None, "create_project": False}),
    ],
)
def test_a_load_is_done_as_asked(
    options: list[str],
    wanted: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    loads: list[Any] = []

    def load_lines(conn: Any, project: str, lines: Any, name: str, **more: Any) -> Any:
        more.pop("on_progress")
        loads.append((project, list(lines), Path(name).name, more))
        return SimpleNamespace(to_dict=lambda: {"file": Path(name).name})

    monkeypatch.setenv("TAISCE_DSN", "host=/nonexistent")
    monkeypatch.setattr("taisce_pg.load.apply.load_lines", load_lines)
    monkeypatch.setattr("taisce_pg.connection.open_connection", lambda _: nullcontext())
    files = [tmp_path / "a.ndjson", tmp_path / "b.ndjson"]
    for file in files:
        file.write_text(f"{file.name}\n2\n")
    assert run(cli, ["load", "--project", "p", *options, *map(str, files), "--json"]) == 0
    assert loads == [("p", [f"{f.name}\n".encode(), b"2\n"], f.name, wanted) for f in files]
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [{"file": f.name} for f in files]
    assert err == ""


class Filler:
    """Says of each space what it is told to say."""

    states: ClassVar[dict[str, str]] = {}
    done: ClassVar[list[tuple[Any, ...]]] = []

    def __init__(self, conn: Any, embedder: Any, project: str | None, *_: Any) -> None:
        self.project = project

    def fill(self, space: str, activate: bool) -> Any:
        Filler.done.append((self.project, space, activate))
        state = Filler.states.get(space, "active")
        return SimpleNamespace(state=state, to_dict=lambda: {"space": space, "state": state})


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> type[Filler]:
    monkeypatch.setattr(Filler, "done", [])
    monkeypatch.setattr(Filler, "states", {})
    monkeypatch.setenv("TAISCE_DSN", "host=/nonexistent")
    monkeypatch.setattr(fill, "Filler", Filler)
    monkeypatch.setattr(embedding, "open_connection", lambda _: nullcontext())
    monkeypatch.setattr(embedding, "open_embedder", lambda _: Counting())
    return Filler


@pytest.mark.parametrize(
    ("options", "spaces", "activate"),
    [
        ([], SPACES, True),
        (["--space", "fact", "--space", "claim"], ("fact", "claim"), True),
        (["--no-activate"], SPACES, False),
    ],
)
def test_what_is_asked_for_is_embedded(
    options: list[str],
    spaces: tuple[str, ...],
    activate: bool,
    filled: type[Filler],
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask = ["embed", "--embedder", "local", "--project", "p", "--json", *options]
    assert run(cli, ask) == 0
    assert filled.done == [("p", space, activate) for space in spaces]
    out = capsys.readouterr().out
    assert [json.loads(line)["space"] for line in out.splitlines()] == [*spaces]


def test_a_space_that_another_run_fills_is_an_exit_code(filled: type[Filler]) -> None:
    filled.states["claim"] = "busy"
    assert run(cli, ["embed", "--embedder", "local", "--json"]) == 3


@pytest.mark.parametrize(
    ("option", "name", "value"),
    [
        (["--url", "http://h/v1"], "url", "http://h/v1"),
        (["--model", "m"], "model", "m"),
        (["--revision", "r"], "revision", "r"),
        (["--dimensions", "12"], "dimensions", 12),
        (["--shorten"], "shorten", True),
    ],
)
def test_an_embedder_is_the_one_asked_for(
    option: list[str], name: str, value: Any, filled: type[Filler], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[Any] = []

    def opened(choice: Any) -> Counting:
        chosen.append(choice)
        return Counting()

    monkeypatch.setattr(embedding, "open_embedder", opened)
    assert run(cli, ["embed", "--embedder", "http", *option, "--json"]) == 0
    assert chosen[0].kind == "http"
    assert getattr(chosen[0], name) == value
