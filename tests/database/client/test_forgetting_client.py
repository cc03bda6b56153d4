"""Erasure, release, expiry and maintenance from Python and from the command line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.client.erasures import ErasedRows
from tests.support import erasures
from tests.support.databases import Database
from tests.support.erasures import MARK, PERSON

Connection = psycopg.Connection[Any]


@pytest.fixture
def ids(conn: Connection) -> dict[str, Any]:
    return erasures.tell(conn)


def counted(rows: tuple[ErasedRows, ...]) -> dict[str, int]:
    return {row.table: row.rows for row in rows if row.rows}


def forget(memory: Any, do: Callable[[Any], Any], ids: dict[str, Any]) -> None:
    """Call every method that forgets, once as a plan and once for good, and once in vain."""
    one = ids[f"key {MARK}"]
    planned = do(memory.erase_observations([one], dry_run=True))
    assert counted(planned)["observation"] == 1
    assert do(memory.erase_observations([one])) == planned
    with pytest.raises(errors.NotFound):
        do(memory.erase_observations([one]))
    planned = do(memory.erase_subject(PERSON, dry_run=True))
    assert counted(planned)["observation"] == 1
    assert do(memory.erase_subject(PERSON)) == planned
    with pytest.raises(errors.NotFound):
        do(memory.erase_subject(PERSON))
    planned = do(memory.release_content(ids["kept"], dry_run=True))
    assert counted(planned)["message"] == 1
    assert do(memory.release_content(ids["kept"])) == planned
    with pytest.raises(errors.NotFound):
        do(memory.release_content(ids[f"other {MARK}"]))
    said = [{"role": "user", "content": "Passing."}]
    do(memory.observe(said, retention_until="2020-01-01T00:00:00Z"))
    planned = do(memory.expire(dry_run=True))
    assert counted(planned)["observation"] == 1
    assert do(memory.expire(max_observations=5)) == planned
    assert counted(do(memory.expire())) == {}
    assert next(task.task for task in do(memory.maintain(max_versions=10))) == "versions retired"
    with pytest.raises(errors.InvalidArgument):
        do(memory.maintain(max_versions=0))


def test_the_methods_of_the_blocking_client(database: Database, ids: dict[str, Any]) -> None:
    with Memory(database.uri(), project="p") as memory:
        forget(memory, lambda done: done, ids)


def test_the_methods_of_the_asynchronous_client(database: Database, ids: dict[str, Any]) -> None:
    with asyncio.Runner() as runner:
        memory = runner.run(AsyncMemory(database.uri(), project="p").open())
        forget(memory, runner.run, ids)
        runner.run(memory.close())


def command(database: Database, *arguments: str) -> int:
    return run(cli, ["--dsn", database.uri(), *arguments])


def test_the_command_asks_before_it_erases(
    database: Database,
    conn: Connection,
    ids: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    count = "select count(*) from taisce.observation where erased"
    one = str(ids[f"key {MARK}"])
    assert command(database, "erase", one, "--dry-run") == 0
    shown = capsys.readouterr()
    assert "observation" in shown.out
    assert "would erase" in shown.err
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115
    assert command(database, "erase", one) == 1
    assert "Erase these rows for good?" in capsys.readouterr().err
    assert conn.execute(count.encode()).fetchone() == (0,)
    assert command(database, "erase", one, "--yes", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"table": "observation", "rows": 1} in rows
    assert conn.execute(count.encode()).fetchone() == (1,)
    assert command(database, "erase", one, "--yes") == 1
    assert "TS004" in capsys.readouterr().err
    assert command(database, "erase") == 2
    assert command(database, "erase", one, "--subject", PERSON) == 2
    capsys.readouterr()


def test_the_other_commands(
    database: Database, conn: Connection, ids: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    conn.execute(
        "update taisce.observation set retention_until = now() where observation_id = %s",
        [ids[f"other {MARK}"]],
    )
    assert command(database, "expire", "--project", "p", "--dry-run") == 0
    assert "observation" in capsys.readouterr().out
    assert command(database, "expire", "--project", "p", "--yes") == 0
    assert "observation" in capsys.readouterr().out
    assert command(database, "expire", "--project", "p") == 0
    assert capsys.readouterr().err == "nothing to erase\n"
    assert command(database, "release", str(ids["kept"]), "--yes", "--json") == 0
    assert {"table": "message", "rows": 1} in json.loads(capsys.readouterr().out)
    assert command(database, "maintain", "--json") == 0
    assert [row["task"] for row in json.loads(capsys.readouterr().out)] == [
        "versions retired",
        "blocks made",
        "staged lines dropped",
    ]
    assert command(database, "maintain") == 0
    assert "versions retired" in capsys.readouterr().out
