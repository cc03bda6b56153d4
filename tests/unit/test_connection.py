"""Choosing a database, and one clear line when it will not do."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from taisce_pg import connection, embedded
from taisce_pg.connection import Target, check_pgvector, check_server, resolve_dsn
from taisce_pg.problem import Problem

GIVEN = "postgresql://ada:secret@db.example/memory"


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TAISCE_DSN", "PGHOST", "PGSERVICE", "PGDATABASE", "PGPORT", "PGUSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(embedded, "ensure_running", _refuse)


def _refuse() -> None:
    raise AssertionError("the embedded server was started")


def test_the_argument_wins_over_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAISCE_DSN", "host=other")
    monkeypatch.setenv("PGHOST", "third")
    assert resolve_dsn(GIVEN) == Target(GIVEN, "option")


def test_taisce_dsn_wins_over_libpq(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAISCE_DSN", GIVEN)
    monkeypatch.setenv("PGHOST", "third")
    assert resolve_dsn() == Target(GIVEN, "environment")


@pytest.mark.parametrize("name", ["PGHOST", "PGSERVICE", "PGDATABASE"])
def test_libpq_variables_win_over_the_embedded_server(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "there")
    assert resolve_dsn() == Target("", "libpq")


def test_a_user_or_port_alone_names_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGUSER", "ada")
    monkeypatch.setenv("PGPORT", "5433")
    held: Any = SimpleNamespace(uri=lambda: "host=/tmp/x", home=SimpleNamespace(path=Path("/h")))
    monkeypatch.setattr(embedded, "ensure_running", lambda: held)
    target = resolve_dsn()
    assert target == Target("host=/tmp/x", "embedded", held)
    assert str(target) == "the embedded server in /h"


def test_an_unreadable_connection_string_is_a_usage_error() -> None:
    with pytest.raises(Problem, match="cannot be read") as caught:
        resolve_dsn("postgresql://ada:secret@[")
    assert caught.value.exit_code == 2
    assert "secret" not in str(caught.value)


def test_a_place_is_named_without_its_password() -> None:
    assert str(Target(GIVEN, "option")) == "db.example database memory"


def test_a_server_that_does_not_answer_is_one_line() -> None:
    with pytest.raises(Problem) as caught:
        connection.open_connection(Target("host=/nonexistent user=ada password=secret", "option"))
    said = str(caught.value)
    assert said.startswith("no connection to /nonexistent: No such file or directory")
    assert "\n" not in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("version", "encoding", "said"),
    [
        (140012, "UTF8", "PostgreSQL 14; 15 or newer"),
        (90624, "UTF8", "PostgreSQL 9; 15 or newer"),
        (180000, "LATIN1", "encoded in LATIN1; UTF8"),
    ],
)
def test_an_unfit_server_is_refused(version: int, encoding: str, said: str) -> None:
    with pytest.raises(Problem, match=said):
        check_server(_server(version, encoding))


def test_a_fit_server_passes() -> None:
    check_server(_server(150000, "UTF8"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (None, "does not have pgvector"),
        ((None, "0.8.0"), r"create extension vector \(the server offers 0.8.0\)"),
        (("0.5.0", "0.8.0"), "alter extension vector update"),
    ],
)
def test_missing_or_old_pgvector_is_told(row: tuple[str, str] | None, said: str) -> None:
    with pytest.raises(Problem, match=said):
        check_pgvector(_pgvector(row))


@pytest.mark.parametrize("version", ["0.5.1", "0.8.6", "0.10.0", "1.0"])
def test_new_enough_pgvector_passes(version: str) -> None:
    assert check_pgvector(_pgvector((version, version))) == version


def _server(version: int, encoding: str) -> psycopg.Connection[Any]:
    info = SimpleNamespace(server_version=version, parameter_status=lambda _: encoding)
    conn: Any = SimpleNamespace(info=info)
    return conn  # type: ignore[no-any-return]


def _pgvector(row: tuple[str | None, str] | None) -> psycopg.Connection[Any]:
    conn: Any = SimpleNamespace(execute=lambda _: SimpleNamespace(fetchone=lambda: row))
    return conn  # type: ignore[no-any-return]
