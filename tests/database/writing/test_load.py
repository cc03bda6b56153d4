"""Loading: what stays, what is refused, and that the same file twice is one file."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.errors import ConflictingValue, IdempotencyConflict, TaisceError, UnknownProject
from taisce_pg.load.apply import load_lines
from taisce_pg.load.format import TYPES
from taisce_pg.load.parse import InvalidLine
from taisce_pg.load.parts import EVIDENCE, MESSAGE
from tests.support.databases import Database
from tests.support.memories import EVERYTHING, fact, lines, turn

DOCS = Path(__file__).parents[3] / "docs" / "storage-and-load.md"


@pytest.fixture
def admin(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.login("taisce_admin"), autocommit=True) as conn:
        yield conn


def count(conn: psycopg.Connection[Any], table: str) -> int:
    row = conn.execute(f"select count(*) from taisce.{table}").fetchone()
    assert row is not None
    return int(row[0])


def projects(conn: psycopg.Connection[Any]) -> list[str]:
    return [row[0] for row in conn.execute("select name from memory_v1.list_projects()")]


def test_everything_loads_and_a_second_time_changes_nothing(
    admin: psycopg.Connection[Any], conn: psycopg.Connection[Any]
) -> None:
    first = load_lines(admin, "p", EVERYTHING, "all.ndjson")
    assert first.lines == len(EVERYTHING)
    assert first.counts["observations"] == 7
    assert first.counts["facts"] == 8
    assert first.stored == 7
    tables = ("observation", "message", "claim", "entity", "entity_name", "entity_mention", "fact",
              "fact_version", "fact_evidence", "report", "segment", "entity_merge")  # fmt: skip
    before = [count(conn, table) for table in tables]
    second = load_lines(admin, "p", lines(EVERYTHING), "all.ndjson")
    assert [count(conn, table) for table in tables] == before
    assert second.counts["facts"] == 0
    assert second.counts["observations"] == 0
    assert second.stored == 7
    assert count_stage(conn) == 0


def count_stage(conn: psycopg.Connection[Any]) -> int:
    row = conn.execute("select count(*) from memory_v1.load_stage").fetchone()
    assert row is not None
    return int(row[0])


def test_batches_and_one_transaction_hold_the_same(
    admin: psycopg.Connection[Any], conn: psycopg.Connection[Any]
) -> None:
    seen: list[int] = []
    report = load_lines(admin, "p", EVERYTHING, batch=5, on_progress=seen.append)
    assert report.transactions == -(-len(EVERYTHING) // 5)
    assert seen == [*range(5, len(EVERYTHING), 5), len(EVERYTHING)]
    whole = load_lines(admin, "q", EVERYTHING)
    assert {k: v for k, v in report.counts.items() if k != "repeated"} == {
        k: v for k, v in whole.counts.items() if k != "repeated"
    }


def test_many_small_chunks_are_one_transaction(
    admin: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisce_pg.load.apply.CHUNK_LINES", 3)
    broken = [*EVERYTHING, fact("x", "Acme", "y", "t1", "nowhere")]
    with pytest.raises(InvalidLine):
        load_lines(admin, "p", broken)
    assert projects(admin) == []
    assert load_lines(admin, "p", EVERYTHING).transactions == 1


REFUSED: list[tuple[str, dict[str, Any], str | None]] = [
    ("no such quote", fact("x", "Acme", "y", "t1", "nowhere"), "evidence[0].quote"),
    ("quote twice", fact("x", "Acme", "y", "t1", "o"), "evidence[0].quote"),
    ("no such observation", fact("x", "Acme", "y", "t9", "I"), "evidence[0].observation"),
    ("no such fact", {"type": "retract", "fact": "f9"}, "fact"),
    ("no such entity key", fact("x", {"key": "zz"}, "y", "t1", "Dublin"), "subject"),
    ("another role", fact("x", "A", "y", "t1", "Dublin", source_role="tool"), "source_role"),
    ("another subject", fact("x", "A", "y", "t1", "Dublin", data_subject_id="s2"),
     "data_subject_id"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "line", "field"), REFUSED, ids=[item[0] for item in REFUSED])
def test_a_line_that_cannot_be_applied_names_its_place_and_leaves_nothing(
    admin: psycopg.Connection[Any],
    conn: psycopg.Connection[Any],
    why: str,
    line: dict[str, Any],
    field: str | None,
) -> None:
    given: list[Any] = [turn("t1", "I moved to Dublin."), "", line]
    with pytest.raises(InvalidLine) as caught:
        load_lines(admin, "p", given, "memory.ndjson")
    assert (caught.value.file, caught.value.line) == ("memory.ndjson", 3)
    assert caught.value.field == field
    assert "nowhere" not in str(caught.value)
    assert projects(admin) == []
    assert count(conn, "observation") == 0
    assert count_stage(conn) == 0


def test_a_broken_later_batch_keeps_the_batches_before_it(
    admin: psycopg.Connection[Any], conn: psycopg.Connection[Any]
) -> None:
    given: list[Any] = [turn("t1", "One."), turn("t2", "Two."), turn("t3", "Three."), "{"]
    with pytest.raises(InvalidLine) as caught:
        load_lines(admin, "p", given, batch=2)
    assert caught.value.line == 4
    assert count(conn, "observation") == 2


def test_a_batch_before_a_broken_line_is_kept_whole(
    admin: psycopg.Connection[Any], conn: psycopg.Connection[Any]
) -> None:
    with pytest.raises(InvalidLine) as caught:
        load_lines(admin, "p", [turn("t1", "One."), turn("t2", "Two."), "{"], batch=2)
    assert caught.value.line == 3
    assert count(conn, "observation") == 2


def test_the_first_complaint_is_told_though_later_lines_are_read_already(
    admin: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisce_pg.load.apply.CHUNK_LINES", 2)
    broken = fact("x", "Acme", "y", "t1", "nowhere")
    given: list[Any] = [turn("t1", "One."), broken, turn("t2", "Two."), "{"]
    with pytest.raises(InvalidLine) as caught:
        load_lines(admin, "p", given)
    assert (caught.value.line, caught.value.field) == (2, "evidence[0].quote")
    assert projects(admin) == []


def test_an_interrupted_reading_ends_what_the_server_does(
    admin: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisce_pg.load.apply.CHUNK_LINES", 2)

    def given() -> Iterator[Any]:
        yield from (turn("t1", "One."), turn("t2", "Two."), turn("t3", "Three."))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_lines(admin, "p", given())
    assert projects(admin) == []


def test_conflicts_keep_their_own_codes(admin: psycopg.Connection[Any]) -> None:
    load_lines(admin, "p", [turn("t1", "I moved to Dublin.")])
    with pytest.raises(IdempotencyConflict):
        load_lines(admin, "p", [turn("t1", "Other words.")])
    home = {"predicate": "lives_in", "cardinality": "one", "valid_from": "2026-01-01T00:00:00Z"}
    with pytest.raises(ConflictingValue) as caught:
        load_lines(
            admin,
            "p",
            [
                fact("f1", "Marta", "a", "t1", "Dublin", object="Dublin", **home),
                fact("f2", "Marta", "b", "t1", "moved", object="Cork", **home),
            ],
            "homes.ndjson",
        )
    assert "homes.ndjson, line 2" in str(caught.value)


def test_a_project_is_made_only_for_an_administrator(
    database: Database, admin: psycopg.Connection[Any]
) -> None:
    with psycopg.connect(database.login("taisce_writer"), autocommit=True) as writer:
        with pytest.raises(UnknownProject):
            load_lines(writer, "p", [turn("t1", "One.")])
        with pytest.raises(UnknownProject):
            load_lines(admin, "p", [turn("t1", "One.")], create_project=False)
        load_lines(admin, "p", [turn("t1", "One.")])
        with pytest.raises(UnknownProject):
            load_lines(writer, "p", [turn("t2", "Two.")])
        user = writer.info.user
        admin.execute("select memory_v1.grant_project('p', %s, 'write')", (user,))
        assert load_lines(writer, "p", [turn("t2", "Two.")]).counts["observations"] == 1
        for line in (turn("t3", "Three.", log_offset=9), {"type": "project"}):
            with pytest.raises(InvalidLine):
                load_lines(writer, "p", [line])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            writer.execute("select * from memory_v1.load_stage")


ADMIN_ONLY: list[tuple[str, dict[str, Any], str]] = [
    ("a setting", {"type": "project", "default_source_roles": ["user"]}, "default_source_roles"),
    ("an offset", turn("t2", "Two.", log_offset=9), "log_offset"),
    ("parked", turn("t2", "Two.", parked="later"), "parked"),
    ("a curated text", turn("t2", "Two.", kind="curated"), "kind"),
    ("known before", fact("f", "A", "y", "t1", "One", known_from="2020-01-01T00:00:00Z"),
     "known_from"),
    ("currency", {"type": "claim", "key": "c", "observation": "t1", "quote": "One",
                  "claim_text": "One", "is_current_testimony": False}, "is_current_testimony"),
    ("a version", {"type": "version", "fact": "f1", "valid_from": None, "valid_until": None,
                   "known_from": "2020-01-01T00:00:00Z", "known_until": None}, ""),
    ("withdrawn before", {"type": "retract", "fact": "f1", "at": "2020-01-01T00:00:00Z"}, "at"),
    ("merged before", {"type": "merge", "absorbed": "A", "survivor": "B",
                       "at": "2020-01-01T00:00:00Z"}, "at"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "line", "field"), ADMIN_ONLY, ids=[item[0] for item in ADMIN_ONLY])
def test_a_writer_may_not_give_what_an_administrator_gives(
    database: Database,
    admin: psycopg.Connection[Any],
    why: str,
    line: dict[str, Any],
    field: str,
) -> None:
    said = fact("f1", "A", "x", "t1", "One", predicate="p", object="B")
    ground = [turn("t1", "One."), said]
    load_lines(admin, "p", ground)
    with psycopg.connect(database.login("taisce_writer"), autocommit=True) as writer:
        admin.execute("select memory_v1.grant_project('p', %s, 'write')", (writer.info.user,))
        with pytest.raises(InvalidLine) as caught:
            load_lines(writer, "p", [turn("t9", "Nine."), line])
        assert (caught.value.line, "admin access" in str(caught.value)) == (2, True)
        assert not field or caught.value.field == field
    if field not in ("", "at"):  # those would have to fit to what is stored
        assert load_lines(admin, "p", [line]).lines == 1


@pytest.mark.parametrize("name", ["!!!", "?", "...", "- -", "( )", "\u00bf?", "! ! ! !"])
def test_a_name_of_marks_alone_is_found_as_it_is_written(
    admin: psycopg.Connection[Any], name: str
) -> None:
    load_lines(admin, "p", [{"type": "entity", "name": name}])
    for query, given in (
        ("select canonical_name from memory_v1.resolve_entity(%s, project => 'p')", name),
        ("select name from memory_v1.recall_anchors(%s, project => 'p')", f"what is {name} today"),
    ):
        assert admin.execute(query, [given]).fetchall() == [(name,)]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "entity", "name": "& & & & &"},
        {"type": "entity", "name": "A", "aliases": ["B", "? ? ? ? ? ?"]},
        fact("f", "- - - - -", "x", "t1", "One", value="y"),
    ],
    ids=["name", "alias", "subject"],
)
def test_a_name_that_no_question_could_find_is_refused(
    admin: psycopg.Connection[Any], line: dict[str, Any]
) -> None:
    with pytest.raises(InvalidLine, match="has no word to be found by"):
        load_lines(admin, "p", [turn("t1", "One."), line])


def test_the_summary_fits_a_narrow_terminal(
    admin: psycopg.Connection[Any], tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = tmp_path / "everything.ndjson"
    file.write_text("\n".join(lines(EVERYTHING)))
    dsn = ["--dsn", admin.info.dsn + f" password={admin.info.password}"]
    assert run(cli, [*dsn, "load", "--project", "p", str(file)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"everything.ndjson: {len(EVERYTHING)} lines in ")
    assert max(map(len, said)) <= 80
    assert "7 observations" in said[1]
    assert run(cli, [*dsn, "load", "--project", "p", str(file)]) == 0
    assert "known before" in capsys.readouterr().out


@pytest.mark.parametrize("damage", ["cut", "header", "middle", "sum"])
def test_a_damaged_gzip_file_is_one_clear_line(
    admin: psycopg.Connection[Any], tmp_path: Path, capsys: Any, damage: str
) -> None:
    whole = gzip.compress("\n".join(lines(EVERYTHING)).encode())
    half = len(whole) // 2
    packed = {
        "cut": whole[:half],
        "header": whole[:2] + b"\x07" + whole[3:],
        "middle": whole[:half] + bytes(40) + whole[half + 40 :],
        "sum": whole[:-8] + bytes(8),
    }[damage]
    file = tmp_path / "broken.ndjson.gz"
    file.write_bytes(packed)
    dsn = ["--dsn", admin.info.dsn + f" password={admin.info.password}"]
    assert run(cli, [*dsn, "load", "--project", "p", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "gzip data" in said.err
    assert projects(admin) == []


def test_a_line_that_is_no_json_names_the_place_once(admin: psycopg.Connection[Any]) -> None:
    for text in ('{"a": "\x01"}', '{"a": }', '{"a": "\\q"}', "{", '{"a" 1}'):
        with pytest.raises(InvalidLine) as caught:
            load_lines(admin, "p", [text])
        assert re.search(r"(?<!at) at character \d+", str(caught.value)), str(caught.value)
        assert "at at" not in str(caught.value)


def test_the_checker_and_the_server_know_the_same_fields(conn: psycopg.Connection[Any]) -> None:
    rows = conn.execute("select type, field, required, admin from taisce.load_fields()").fetchall()
    server = {(row[0], row[1]): (row[2], row[3]) for row in rows}
    checker: dict[tuple[str, str], tuple[bool, bool]] = {}
    for name, kind in TYPES.items():
        if name not in ("key", "mention"):
            checker[name, "type"] = (True, kind.admin)
            for field, what in kind.fields.items():
                checker[name, field] = (what.required, what.admin or kind.admin)
    for name, fields in (("message", MESSAGE), ("evidence", EVIDENCE)):
        for field, what in fields.items():
            checker[name, field] = (what.required, what.admin)
    del checker["project", "known_through"]
    assert checker == server


def test_the_example_of_the_docs_loads(admin: psycopg.Connection[Any]) -> None:
    match = re.search(r"<!-- example: load -->\n```json\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert match is not None
    report = load_lines(admin, "demo", match[1].splitlines())
    assert report.counts["facts"] == 3
    assert report.counts["superseded"] == 1


def test_the_command_loads_files_and_says_what_it_did(
    admin: psycopg.Connection[Any], tmp_path: Path, capsysbinary: Any
) -> None:
    plain, packed = tmp_path / "a.ndjson", tmp_path / "b.ndjson.gz"
    plain.write_text("\n".join(lines(EVERYTHING[:5])))
    packed.write_bytes(gzip.compress("\n".join(lines(EVERYTHING[5:])).encode()))
    dsn = ["--dsn", admin.info.dsn + f" password={admin.info.password}"]
    common = [*dsn, "load", "--project", "p"]
    assert run(cli, [*common, str(plain), str(packed), "--json"]) == 0
    out = capsysbinary.readouterr().out.splitlines()
    assert [json.loads(line)["lines"] for line in out] == [5, len(EVERYTHING) - 5]
    assert run(cli, [*common, str(plain), "--batch", "2"]) == 0
    assert b"a.ndjson" in capsysbinary.readouterr().out
    assert run(cli, [*common, str(tmp_path / "none")]) == 2
    capsysbinary.readouterr()
    broken = tmp_path / "broken.ndjson"
    broken.write_text('\n{"type":"retract"}')
    assert run(cli, [*common, str(broken)]) == 1
    said = capsysbinary.readouterr()
    assert said.out == b""
    assert b"broken.ndjson, line 2: fact: is missing" in said.err
    packed.write_bytes(packed.read_bytes()[:-20])
    assert run(cli, [*common, str(packed)]) == 1
    assert b"gzip" in capsysbinary.readouterr().err


def test_what_the_server_cannot_read_is_refused_without_its_words(
    admin: psycopg.Connection[Any],
) -> None:
    line = {
        "type": "merge",
        "id": "0195f3a0-0000-8000-8000-000000000001",
        "absorbed": {"id": "0195f3a0-0000-8000-8000-000000000001"},
        "survivor": {"id": "0195f3a0-0000-8000-8000-000000000002"},
        "snapshot": {},
    }
    text = json.dumps(line).replace('"snapshot": {}', '"snapshot": {"zebra": 1e999999999}')
    with pytest.raises(TaisceError) as caught:
        load_lines(admin, "p", [text])
    assert "zebra" not in str(caught.value)
