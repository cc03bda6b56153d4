"""Every line that is not of the load format is refused, with its place and without its words."""

from __future__ import annotations

import contextlib
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisce_pg.load.format import TYPES
from taisce_pg.load.parse import InvalidLine, check_line, check_lines
from taisce_pg.load.parts import MAX_CONTENT_BYTES, MAX_NAME_BYTES

ID = "0195f3a0-0000-8000-8000-000000000001"
WHEN = "2026-01-05T10:00:00Z"
EVIDENCE = {"observation": "t1", "ordinal": 0, "quote": "I moved to Dublin", "stance": "supports"}
MESSAGE = {"role": "user", "content": "I moved to Dublin."}

GOOD: dict[str, dict[str, Any]] = {
    "project": {"default_source_roles": ["user", "document"]},
    "predicate": {"predicate": "lives_in", "cardinality": "one", "description": None},
    "observation": {
        "key": "t1",
        "kind": "turn",
        "data_subject_id": "s1",
        "occurred_at": WHEN,
        "lineage": None,
        "title": None,
        "source_kind": "chat",
        "formed": True,
        "messages": [MESSAGE],
        "log_offset": 7,
        "parked": "no words",
    },
    "entity": {
        "key": "e1",
        "name": "Marta Nowak",
        "entity_type": "person",
        "aliases": ["Marta"],
        "profile": "Engineer.",
        "source": None,
    },
    "claim": {
        "key": "c9",
        "observation": "t1",
        "ordinal": 0,
        "quote": "Dublin",
        "byte_start": 11,
        "claim_text": "Dublin",
        "mentions": ["Dublin", {"key": "e1"}, {"id": ID}, {"speaker": "s1"}],
        "asserted_at": WHEN,
        "claim_valid_from": None,
        "claim_valid_until": None,
        "claim_valid_precision": "unknown",
        "is_attributed": False,
        "is_current_testimony": True,
    },
    "mention": {"entity": "Dublin", "observation": "t1", "ordinal": 0},
    "fact": {
        "key": "f1",
        "subject": {"speaker": "s1"},
        "predicate": "lives_in",
        "object": "Dublin",
        "cardinality": "one",
        "statement": "lives in Dublin",
        "valid_from": "2026-01-01T00:00:00Z",
        "valid_until": None,
        "known_from": None,
        "confidence": 0.9,
        "source_role": "user",
        "data_subject_id": "s1",
        "on_conflict": "refuse",
        "evidence": [EVIDENCE, {"claim": "c9", "stance": "contradicts"}],
    },
    "version": {
        "fact": "f1",
        "valid_from": WHEN,
        "valid_until": None,
        "known_from": WHEN,
        "known_until": None,
    },
    "retract": {"fact": "f1", "at": None, "reason": "wrong"},
    "contradiction": {"facts": ["f3", {"id": ID}]},
    "merge": {"absorbed": "Bob Smith", "survivor": "Robert Smith", "at": None},
    "community": {"key": "c1", "level": 0, "parent": None, "members": ["Marta Nowak"]},
    "report": {
        "community": "c1",
        "title": "Dublin",
        "summary": "About it.",
        "importance": 7.5,
        "facts": ["f1"],
        "sources": ["t1"],
    },
    "segment": {
        "data_subject_id": "s1",
        "level": 1,
        "from_offset": 1,
        "to_offset": 8,
        "summary": "Moved.",
    },
    "key": {"kind": "fact", "key": "f1", "id": ID},
}


def refused(raw: Any, number: int = 3) -> InvalidLine:
    with pytest.raises(InvalidLine) as caught:
        check_line(raw, number, "memory.ndjson")
    error = caught.value
    assert error.file == "memory.ndjson"
    assert error.line == number
    assert error.code == "TS008"
    assert str(error).startswith(f"invalid_load: memory.ndjson, line {number}: ")
    return error


@pytest.mark.parametrize("kind", TYPES)
def test_a_complete_line_of_every_type_passes(kind: str) -> None:
    line = check_line(json.dumps({"type": kind, **GOOD[kind]}))
    assert line is not None
    assert (line.number, line.type) == (1, kind)
    assert check_line({"type": kind, **GOOD[kind]}) == line._replace(
        text=json.dumps({"type": kind, **GOOD[kind]}, separators=(",", ":"))
    )


@pytest.mark.parametrize("kind", TYPES)
def test_every_field_refuses_a_value_of_another_type(kind: str) -> None:
    for name, value in GOOD[kind].items():
        wrong: Any = 7 if not isinstance(value, int | float) or isinstance(value, bool) else "7"
        error = refused(json.dumps({"type": kind, **GOOD[kind], name: wrong}))
        assert error.field == name, (kind, name)
        assert "must be" in error.reason


@pytest.mark.parametrize("kind", TYPES)
def test_every_required_field_is_missed(kind: str) -> None:
    for name, field in TYPES[kind].plain_fields().items():
        if field.required:
            kept = {key: item for key, item in GOOD[kind].items() if key != name}
            assert refused({"type": kind, **kept}).field == name
            if not field.nullable:
                assert refused({"type": kind, **kept, name: None}).field == name


@pytest.mark.parametrize("kind", TYPES)
def test_an_unknown_field_is_refused_without_being_repeated(kind: str) -> None:
    error = refused({"type": kind, **GOOD[kind], "zebra_marker": 1})
    assert "unknown field" in error.reason
    assert "zebra" not in str(error)


BROKEN = [
    (b"\xff\xfe{}", None, "is not UTF-8 at byte 1"),
    ("not json", None, "is not JSON: Expecting value at character 1"),
    ('{"type":"fact"', None, "is not JSON"),
    ('{"type":"project"} {}', None, "is not JSON: Extra data"),
    ("[]", None, "is not a JSON object"),
    ("7", None, "is not a JSON object"),
    ("{}", "type", "is missing"),
    ('{"type":7}', "type", "must be text"),
    ('{"type":"facts"}', "type", "is not a type of line"),
    ('{"type":"predicate","type":"predicate"}', None, "has a field twice"),
    ('{"type":"predicate","predicate":"a","predicate":"b"}', None, "has a field twice"),
    ('{"type":"predicate","predicate":"a\\u0000"}', "predicate", "holds a NUL character"),
    ('{"type":"predicate","predicate":"a\\ud800"}', "predicate", "half of a surrogate pair"),
    ('{"type":"predicate","predicate":"a\ud800"}', None, "half of a surrogate pair"),
    ('{"type":"predicate","predicate":"\x01"}', None, "is not JSON: Invalid control character"),
    ('{"type":"segment","level":NaN}', None, "not finite"),
    ('{"type":"segment","level":-Infinity}', None, "not finite"),
    ('{"type":"segment","level":' + "1" * 5000 + "}", None, "too many digits"),
    ("[" * 100_000, None, "is nested too deeply"),
    ('{"type":"entity"}', "name", "exactly one of name, speaker_of is needed"),
]


@pytest.mark.parametrize(("raw", "field", "reason"), BROKEN)
def test_a_broken_line_is_refused(raw: Any, field: str | None, reason: str) -> None:
    error = refused(raw)
    assert error.field == field
    assert reason in error.reason


INSTANTS = [
    ("2026-01-05T10:00:00", "no time zone"),
    ("2026-01-05", "no time zone"),
    ("2026-02-30T10:00:00Z", "exists"),
    ("2026-01-05T24:00:00Z", "exists"),
    ("2026-01-05T10:00:60Z", "exists"),
    ("2026-01-05T10:00:00+16:00", "is not an instant"),
    ("0000-01-05T10:00:00Z", "outside"),
    ("300000-01-05T10:00:00Z", "outside"),
    ("infinity", "is not an instant"),
    ("now", "is not an instant"),
    ("٢٠٢٦-01-05T10:00:00Z", "is not an instant"),
    ("", "is not an instant"),
]


@pytest.mark.parametrize(("given_instant", "reason"), INSTANTS)
def test_a_time_without_zone_or_sense_is_refused(given_instant: str, reason: str) -> None:
    error = refused({"type": "retract", "fact": "f1", "at": given_instant})
    assert error.field == "at"
    assert reason in error.reason


@pytest.mark.parametrize(
    "instant",
    [
        WHEN,
        "2026-01-05T10:00:00.123456+05:30",
        "2024-02-29T00:00:00-00:00",
        "0044-03-15T00:00:00+00:00 BC",
        "0005-02-29T00:00:00+00:00 BC",
        "12000-02-29T00:00:00Z",
    ],
)
def test_a_time_with_a_zone_passes(instant: str) -> None:
    assert check_line({"type": "retract", "fact": "f1", "at": instant})


NESTED = [
    ("observation", {"messages": []}, "messages"),
    ("observation", {"messages": [MESSAGE, {**MESSAGE, "role": "boss"}]}, "messages[1].role"),
    ("observation", {"messages": [{"role": "user"}]}, "messages[0].content"),
    ("observation", {"messages": [{**MESSAGE, "content": " "}]}, "messages[0].content"),
    ("observation", {"messages": [{**MESSAGE, "passage_id": ID}]}, "messages[0]"),
    ("observation", {"log_offset": 0}, "log_offset"),
    ("observation", {"log_offset": 1.5}, "log_offset"),
    ("observation", {"log_offset": True}, "log_offset"),
    ("observation", {"ingested_at": WHEN}, "ingested_at"),
    ("entity", {"speaker_of": "s1"}, "name"),
    ("entity", {"aliases": ["a", ""]}, "aliases[1]"),
    ("claim", {"mentions": [{"nam": "x"}]}, "mentions[0]"),
    ("claim", {"mentions": [{"key": "x", "id": ID}]}, "mentions[0]"),
    ("claim", {"mentions": [{"id": "x"}]}, "mentions[0].id"),
    ("claim", {"byte_start": -1}, "byte_start"),
    ("fact", {"evidence": []}, "evidence"),
    ("fact", {"evidence": [{**EVIDENCE, "quote": 1}]}, "evidence[0].quote"),
    ("fact", {"evidence": [EVIDENCE, {"observation": "t1"}]}, "evidence[1].quote"),
    ("fact", {"evidence": [{"quote": "a"}]}, "evidence[0].observation"),
    ("fact", {"evidence": [{**EVIDENCE, "claim": "c9"}]}, "evidence[0].observation"),
    ("fact", {"evidence": [{**EVIDENCE, "stance": "contradicts"}]}, "evidence"),
    ("fact", {"value": "x"}, "value"),
    ("fact", {"predicate": None}, "predicate"),
    ("fact", {"valid_until": "2025-01-01T00:00:00Z"}, "valid_until"),
    ("fact", {"confidence": 1.5}, "confidence"),
    ("fact", {"versions": []}, "versions"),
    ("version", {"known_until": "2025-01-01T00:00:00Z"}, "known_until"),
    ("contradiction", {"facts": ["f1"]}, "facts"),
    ("segment", {"from_offset": 9}, "to_offset"),
    ("segment", {"level": 7}, "level"),
]


@pytest.mark.parametrize(("kind", "change", "field"), NESTED)
def test_the_path_of_a_fault_leads_to_it(kind: str, change: dict[str, Any], field: str) -> None:
    assert refused({"type": kind, **GOOD[kind], **change}).field == field


def test_sizes_are_counted_in_bytes() -> None:
    assert check_line({"type": "entity", "name": "é" * (MAX_NAME_BYTES // 2)})
    error = refused({"type": "entity", "name": "é" * (MAX_NAME_BYTES // 2) + "a"})
    assert error.reason == "has 4097 bytes, at most 4096 are allowed"
    content = "é" * (MAX_CONTENT_BYTES // 2)
    assert check_line(
        {"type": "observation", "messages": [{"role": "document", "content": content}]}
    )
    assert (
        refused(
            {"type": "observation", "messages": [{"role": "document", "content": content + "a"}]}
        ).field
        == "messages[0].content"
    )


def test_a_line_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisce_pg.load.parse.MAX_LINE_BYTES", 40)
    assert check_line('{"type":"predicate","predicate":"aaaaa"}')
    for raw in ('{"type":"predicate","predicate":"aaaaaa"}', b"x" * 41, {"type": "é" * 16 + "a"}):
        assert "more than 40 bytes" in refused(raw).reason


def test_blank_lines_and_a_byte_order_mark_are_passed_over() -> None:
    given_lines: list[str | bytes] = [
        b'\xef\xbb\xbf{"type":"predicate","predicate":"a"}\r\n',
        b"\n",
        "  ",
        "{}",
    ]
    lines = check_lines(given_lines, "x")
    assert next(lines).text == '{"type":"predicate","predicate":"a"}'
    with pytest.raises(InvalidLine) as caught:
        next(lines)
    assert caught.value.line == 4


def test_an_exported_line_has_its_own_fields() -> None:
    line = {"type": "entity", "id": ID, "name": "", "status": "retired", "names": []}
    assert check_line(line)
    assert refused({**line, "names": [{"spelling": "a"}]}).field == "names[0].kind"
    del line["names"]
    assert refused(line).field == "names"


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", float("nan"), "\ud800"])
def test_an_object_that_json_cannot_say_is_refused(value: Any) -> None:
    assert refused({"type": "predicate", "predicate": value})


def test_an_error_survives_pickling() -> None:
    error = refused({"type": "retract"})
    assert pickle.loads(pickle.dumps(error)).to_dict() == error.to_dict()
    assert error.to_dict()["field"] == "fact"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.one_of(st.text(), st.binary(), JSON))
def test_nothing_but_invalid_line_comes_of_noise(raw: Any) -> None:
    with contextlib.suppress(InvalidLine):
        check_line(raw)


@given(st.sampled_from(sorted(TYPES)), st.data())
def test_nothing_but_invalid_line_comes_of_a_mutated_line(kind: str, data: st.DataObject) -> None:
    line = {"type": kind, **GOOD[kind]}
    fields = sorted({*TYPES[kind].exact_fields(), "id"})
    for name in data.draw(st.lists(st.sampled_from(fields), min_size=1, max_size=3)):
        line[name] = data.draw(JSON)
    text = json.dumps(line, ensure_ascii=data.draw(st.booleans()))
    for raw in (line, text):
        with contextlib.suppress(InvalidLine):
            check_line(raw)
