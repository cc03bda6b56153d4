"""What memory_v1.load refuses, of whom, and what it says."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.support.load_memory import TOLD, Conn, Line, Memory, entity, lives, said


@pytest.fixture
def memory(conn: Conn) -> Memory:
    return Memory(conn)


# Rights


ADMIN_LINES: list[Line] = [
    {"type": "project", "default_source_roles": ["user"]},
    said("t2", "a", log_offset=7),
    said("t2", "a", parked="odd"),
    lives("f9", "Dublin", 2020, known_from="2021-01-01T00:00:00Z"),
    {"type": "claim", "observation": "t1", "quote": "Bob", "is_current_testimony": False},
    {"type": "version", "fact": "f1", "known_from": "2021-01-01T00:00:00Z"},
    {"type": "retract", "fact": "f1", "at": "2021-01-01T00:00:00Z"},
    {"type": "merge", "absorbed": "a", "survivor": "b", "at": "2021-01-01T00:00:00Z"},
    entity("A", id="00000000-0000-8000-8000-000000000001"),
]


@pytest.mark.parametrize("line", ADMIN_LINES, ids=lambda line: str(line["type"]))
def test_what_rewrites_history_needs_an_administrator(
    memory: Memory, database: Any, line: Line
) -> None:
    memory.load([TOLD, lives("f1", "Dublin", 2020)])
    login = database.login("taisce_writer")
    name = psycopg.conninfo.conninfo_to_dict(login)["user"]
    memory.conn.execute(
        "insert into taisce.project_grant (project_id, grantee, access)"
        " select project_id, %s::regrole, 'write' from taisce.project",
        [name],
    )
    with psycopg.connect(login, autocommit=True) as writer:
        own = Memory(writer)
        with pytest.raises(psycopg.Error) as caught:
            own.load([line])
        assert caught.value.sqlstate == "TS008"
        assert "needs admin access" in (caught.value.diag.message_detail or "")
        own.load([said("t5", "A writer writes.")])


def test_a_missing_project_is_made_for_administrators_alone(memory: Memory, database: Any) -> None:
    memory.load([TOLD])
    login = database.login("taisce_writer")
    with psycopg.connect(login, autocommit=True) as writer:
        for name in ("p", "nowhere"):
            with pytest.raises(psycopg.Error) as caught:
                Memory(writer, name).load([TOLD])
            assert caught.value.sqlstate == "TS003"
    login = database.login("taisce_admin")
    with psycopg.connect(login, autocommit=True) as admin:
        assert Memory(admin, "mine").load([TOLD])["project"] == "mine"
        with pytest.raises(psycopg.Error) as caught:
            Memory(admin, "p").load([TOLD])
        assert caught.value.sqlstate == "TS003"


# What is not of the format


def broken(**changes: Any) -> Line:
    return {**lives("f1", "Dublin", 2020), **changes}


BROKEN: list[tuple[Any, str]] = [
    (None, "type"),
    ([], "type"),
    ("fact", "type"),
    ({}, "type"),
    ({"type": "nothing"}, "type"),
    ({"type": "message"}, "type"),
    ({"type": 3}, "type"),
    (broken(surprise=1), "surprise"),
    (broken(subject=None), "subject"),
    (broken(subject=""), "subject"),
    (broken(subject=" \u00a0"), "subject"),
    (broken(subject="x" * 4097), "subject"),
    (broken(subject={"key": "nobody"}), "subject"),
    (broken(subject={"id": "nobody"}), "subject"),
    (broken(subject={"id": "00000000-0000-8000-8000-000000000001"}), "subject"),
    (broken(subject={"key": "a", "id": "b"}), "subject"),
    (broken(subject=["Marta"]), "subject"),
    (broken(predicate=7), "predicate"),
    (broken(predicate="p" * 257), "predicate"),
    (broken(predicate=None), "predicate"),
    (broken(value="both"), "value"),
    (broken(statement=""), "statement"),
    (broken(statement="\t\n"), "statement"),
    (broken(statement="s" * 65537), "statement"),
    (broken(cardinality="some"), "cardinality"),
    (broken(valid_from="yesterday"), "valid_from"),
    (broken(valid_from="infinity"), "valid_from"),
    (broken(valid_from="2026-02-31T00:00:00Z"), "valid_from"),
    (broken(valid_from="0000-01-01T00:00:00Z"), "valid_from"),
    (broken(valid_from="2026-02-01T25:00:00Z"), "valid_from"),
    (broken(valid_from="2026-02-01T00:00:00+99"), "valid_from"),
    (broken(valid_from=2026), "valid_from"),
    (broken(valid_until="2020-01-01T00:00:00Z"), "valid_until"),
    (broken(known_from="2999-01-01T00:00:00Z"), "known_from"),
    (broken(confidence=1.5), "confidence"),
    (broken(confidence="high"), "confidence"),
    (broken(confidence=1e300), "confidence"),
    (broken(source_role="tool"), "source_role"),
    (broken(source_role="king"), "source_role"),
    (broken(data_subject_id="s2"), "data_subject_id"),
    (broken(on_conflict="ignore"), "on_conflict"),
    (broken(evidence=[]), "evidence"),
    (broken(evidence={}), "evidence"),
    (broken(evidence=["t1"]), "evidence[0]"),
    (broken(evidence=[{"claim": "c1"}]), "evidence[0].claim"),
    (broken(evidence=[{"observation": "t1", "quote": 3}]), "evidence[0].quote"),
    (
        broken(evidence=[{"observation": "t1", "quote": "Marta", "ordinal": -1}]),
        "evidence[0].ordinal",
    ),
    (
        broken(evidence=[{"observation": "t1", "quote": "Marta", "ordinal": 0.5}]),
        "evidence[0].ordinal",
    ),
    (
        broken(evidence=[{"observation": "t1", "quote": "Marta", "stance": "contradicts"}]),
        "evidence",
    ),
    (broken(key="k" * 1025), "key"),
    (said("t2", ""), "messages[0].content"),
    (said("t2", "x" * 65537), "messages[0].content"),
    (said("t2", "x", role="king"), "messages[0].role"),
    (said("t2", "x", kind="rumour"), "kind"),
    (said("t2", "x", formed="yes"), "formed"),
    (said("t2", "x", log_offset=0), "log_offset"),
    (said("t2", "x", log_offset=1e30), "log_offset"),
    (said("t2", "x", messages=[]), "messages"),
    (said("t2", "x", messages="x"), "messages"),
    (said("t2", "x", messages=[1]), "messages[0]"),
    (
        said(
            "t2",
            "x",
            messages=[{"role": "user", "content": "x", "occurred_at": "2026-13-01T00:00:00Z"}],
        ),
        "messages[0].occurred_at",
    ),
    (said("t2", "x", subject="s" * 1025), "data_subject_id"),
    ({"type": "entity"}, "name"),
    (entity("A", speaker_of="s1"), "speaker_of"),
    ({"type": "entity", "speaker_of": "s1", "aliases": ["A"]}, "speaker_of"),
    (entity("A", aliases="B"), "aliases"),
    (entity("A", aliases=[""]), "aliases"),
    (entity("A", aliases=[None]), "aliases"),
    (entity("A", source="t9"), "source"),
    ({"type": "predicate"}, "predicate"),
    ({"type": "predicate", "predicate": "x", "cardinality": 1}, "cardinality"),
    ({"type": "claim", "observation": "t1"}, "quote"),
    ({"type": "claim", "observation": "t1", "quote": "Marta", "mentions": [{}]}, "mentions"),
    (
        {"type": "claim", "observation": "t1", "quote": "Marta", "claim_valid_precision": "week"},
        "claim_valid_precision",
    ),
    ({"type": "version", "fact": "f9", "known_from": "2020-01-01T00:00:00Z"}, "fact"),
    ({"type": "version", "fact": "f1"}, "known_from"),
    ({"type": "retract"}, "fact"),
    ({"type": "retract", "fact": "f9"}, "fact"),
    ({"type": "contradiction", "facts": ["f9", "f8"]}, "facts[0]"),
    ({"type": "contradiction", "facts": []}, "facts"),
    ({"type": "merge", "absorbed": "A"}, "survivor"),
    ({"type": "community", "key": "k", "members": []}, "members"),
    ({"type": "community", "key": "k", "members": ["Nobody"]}, "members[0]"),
    ({"type": "community", "key": "k", "parent": "k9", "members": ["Nobody"]}, "parent"),
    ({"type": "community", "key": "k", "level": -1, "members": ["Nobody"]}, "level"),
    ({"type": "report", "community": "k", "title": "t", "summary": "s"}, "community"),
    (
        {
            "type": "segment",
            "data_subject_id": "s1",
            "level": 7,
            "from_offset": 1,
            "to_offset": 1,
            "summary": "s",
        },
        "level",
    ),
    (
        {
            "type": "segment",
            "data_subject_id": "s1",
            "level": 1,
            "from_offset": 1,
            "to_offset": 9,
            "summary": "s",
        },
        "to_offset",
    ),
    (
        {
            "type": "segment",
            "data_subject_id": "s1",
            "level": 1,
            "from_offset": 2,
            "to_offset": 1,
            "summary": "s",
        },
        "to_offset",
    ),
    ({"type": "project", "default_source_roles": []}, "default_source_roles"),
    ({"type": "project", "default_source_roles": ["king"]}, "default_source_roles"),
    ({"type": "project", "word_configuration": "klingon"}, "word_configuration"),
    ({"type": "project", "reference_length": -1}, "reference_length"),
]


def test_a_line_that_is_not_of_the_format_is_refused_by_its_field(memory: Memory) -> None:
    memory.load([TOLD])
    wrong = []
    for line, field in BROKEN:
        detail = memory.refused([said("t7", "fine"), line])
        if not detail.startswith(f"line 2, field {field}: "):
            wrong.append((line, field, detail))
    assert wrong == []
