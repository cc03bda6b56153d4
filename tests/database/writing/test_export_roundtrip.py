"""An export, loaded into an empty project, answers as the project it came from."""

from __future__ import annotations

import itertools
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.errors import UnknownProject
from taisce_pg.load.apply import load_lines
from taisce_pg.load.export import PARTS, export_lines
from taisce_pg.load.parse import InvalidLine
from tests.support.databases import Database
from tests.support.memories import EVERYTHING

QUESTIONS = (
    "Where does Marta Nowak live?",
    "Who is Bob Smith, and does he know Marta?",
    "What do you know of Acme in Dublin?",
    "the engineer of the third floor",
)
INSTANTS = (None, "2026-01-15T00:00:00Z", "2026-06-01T00:00:00Z")
KNOWN = (None, "2026-01-10T00:00:00Z", "2100-01-01T00:00:00Z")
PASSING = {"project", "read_at", "evaluated_at", "server_time"}


@pytest.fixture
def admin(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.login("taisce_admin"), autocommit=True) as conn:
        yield conn


def settled(value: Any) -> Any:
    """Leave out what differs between two calls anyhow."""
    if isinstance(value, dict):
        return {key: settled(item) for key, item in value.items() if key not in PASSING}
    return [settled(item) for item in value] if isinstance(value, list) else value


def answers(conn: psycopg.Connection[Any], project: str) -> list[Any]:
    found = []
    for question, as_of, known in itertools.product(QUESTIONS, INSTANTS, KNOWN):
        for subject in (None, "s1"):
            row = conn.execute(
                "select memory_v1.recall(%s, project => %s, data_subject_id => %s, hops => 2,"
                " source_roles => '{user,document}', as_of => %s, as_known_at => %s)",
                (question, project, subject, as_of, known),
            ).fetchone()
            assert row is not None
            found.append(settled(row[0]))
    return found


def test_an_export_of_everything_comes_back_equal(admin: psycopg.Connection[Any]) -> None:
    load_lines(admin, "p", EVERYTHING)
    given = list(export_lines(admin, "p"))
    kinds = [json.loads(line)["type"] for line in given]
    assert [kind for kind, _ in itertools.groupby(kinds)] == [p for p in PARTS if p in kinds]
    assert {"project", "observation", "entity", "claim", "fact", "merge", "report"} <= {*kinds}

    load_lines(admin, "copy", given)
    assert list(export_lines(admin, "copy")) == given
    expected = answers(admin, "p")
    assert any(bundle["facts"] for bundle in expected)
    assert answers(admin, "copy") == expected

    again = load_lines(admin, "copy", given)
    assert list(export_lines(admin, "copy")) == given
    assert again.counts["repeated"] > 0


def test_a_restored_memory_goes_on_like_its_source(admin: psycopg.Connection[Any]) -> None:
    load_lines(admin, "p", EVERYTHING)
    load_lines(admin, "copy", export_lines_whole(admin, "p"))
    more: list[Any] = [
        {
            "type": "observation",
            "key": "t9",
            "data_subject_id": "s1",
            "messages": [{"role": "user", "content": "Now I live in Galway."}],
        },
        {
            "type": "fact",
            "subject": {"speaker": "s1"},
            "predicate": "lives_in",
            "object": "Galway",
            "statement": "lives in Galway",
            "valid_from": "2026-09-01T00:00:00Z",
            "evidence": [{"observation": "t9", "quote": "I live in Galway"}],
        },
    ]
    for project in ("p", "copy"):
        report = load_lines(admin, project, more)
        assert report.stored == 8
        assert report.counts["superseded"] == 1


def test_the_source_files_change_nothing_in_a_restored_memory(
    admin: psycopg.Connection[Any],
) -> None:
    load_lines(admin, "p", EVERYTHING)
    given = export_lines_whole(admin, "p")
    load_lines(admin, "copy", given)
    load_lines(admin, "copy", EVERYTHING)
    after = export_lines_whole(admin, "copy")
    assert after == given


def export_lines_whole(conn: psycopg.Connection[Any], project: str) -> list[str]:
    return list(export_lines(conn, project))


def test_an_export_reads_small_pages_as_it_reads_large_ones(
    admin: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_lines(admin, "p", EVERYTHING)
    whole = export_lines_whole(admin, "p")
    seen: list[tuple[str, int]] = []
    monkeypatch.setattr("taisce_pg.load.export.PAGE_LINES", 1)
    assert list(export_lines(admin, "p", on_progress=lambda *at: seen.append(at))) == whole
    assert seen[-1][1] == len(whole)


def test_an_export_needs_admin_access(database: Database, admin: psycopg.Connection[Any]) -> None:
    load_lines(admin, "p", EVERYTHING)
    with psycopg.connect(database.login("taisce_writer"), autocommit=True) as writer:
        admin.execute("select memory_v1.grant_project('p', %s, 'write')", (writer.info.user,))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            list(export_lines(writer, "p"))
        with pytest.raises(InvalidLine):
            load_lines(writer, "p", export_lines_whole(admin, "p"))
    with pytest.raises(UnknownProject):
        list(export_lines(admin, "nobody's"))


def test_an_export_over_other_rows_is_refused(admin: psycopg.Connection[Any]) -> None:
    load_lines(admin, "p", EVERYTHING)
    load_lines(admin, "other", EVERYTHING[2:4])
    with pytest.raises(InvalidLine) as caught:
        load_lines(admin, "other", export_lines_whole(admin, "p"), "p.ndjson")
    assert "empty project" in str(caught.value)


def test_the_command_writes_a_file_that_the_command_loads(
    admin: psycopg.Connection[Any], tmp_path: Path, capsysbinary: Any
) -> None:
    load_lines(admin, "p", EVERYTHING)
    dsn = ["--dsn", admin.info.dsn + f" password={admin.info.password}"]
    packed = tmp_path / "p.ndjson.gz"
    assert run(cli, [*dsn, "export", "--project", "p", str(packed)]) == 0
    assert packed.stat().st_mode & 0o077 == 0
    assert run(cli, [*dsn, "load", "--project", "copy", str(packed)]) == 0
    capsysbinary.readouterr()
    assert run(cli, [*dsn, "export", "--project", "copy"]) == 0
    out = capsysbinary.readouterr().out.decode().splitlines()
    assert out == export_lines_whole(admin, "p")
    assert run(cli, [*dsn, "export", "--project", "none", str(tmp_path / "x")]) == 1
    assert not (tmp_path / "x").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["p.ndjson.gz"]


def test_an_export_replaces_files_only_and_a_load_reads_pipes(
    admin: psycopg.Connection[Any], tmp_path: Path
) -> None:
    load_lines(admin, "p", EVERYTHING)
    dsn = ["--dsn", admin.info.dsn + f" password={admin.info.password}"]
    pipe, link, file = tmp_path / "pipe", tmp_path / "link", tmp_path / "file"
    os.mkfifo(pipe)
    link.symlink_to(file)
    reader = threading.Thread(target=lambda: file.write_bytes(pipe.read_bytes()), daemon=True)
    reader.start()
    assert run(cli, [*dsn, "export", "--project", "p", str(pipe)]) == 0
    reader.join(10)
    assert pipe.is_fifo()
    whole = file.read_bytes()
    assert run(cli, [*dsn, "export", "--project", "p", str(link)]) == 0
    assert link.is_symlink()
    assert file.read_bytes() == whole
    assert run(cli, [*dsn, "export", "--project", "p", str(tmp_path)]) == 2
    writer = threading.Thread(target=lambda: pipe.write_bytes(whole), daemon=True)
    writer.start()
    assert run(cli, [*dsn, "load", "--project", "copy", str(pipe)]) == 0
    assert run(cli, [*dsn, "load", "--project", "copy", str(tmp_path)]) == 2
