"""The demo memory: complete, exact, free of conflicts, the same on every build."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import pytest

from taisce_pg.demo import source
from taisce_pg.demo.build import build_lines, build_memory
from taisce_pg.demo.questions import QUESTIONS
from taisce_pg.demo.tenure import Span, tenures

Line = dict[str, Any]


@cache
def lines() -> list[Line]:
    return list(build_lines())


def of(kind: str) -> list[Line]:
    return [line for line in lines() if line["type"] == kind]


def test_all_people_and_all_their_terms_are_in_it() -> None:
    people = source.rows("people")
    assert Counter(one["kind"] for one in people) == {"legislator": 537, "executive": 80}
    keys = {line["key"] for line in of("entity")}
    assert {f"person:{one['id']}" for one in people} <= keys
    documents = {line["key"] for line in of("observation")}
    terms = {
        f"term:{one['id']}:{number}" for one in people for number in range(1, len(one["terms"]) + 1)
    }
    assert len(terms) == 2792 + 131
    assert terms <= documents
    quoted = {one["observation"] for fact in of("fact") for one in fact["evidence"]}
    assert documents <= quoted


def test_there_are_ten_thousand_facts_and_hubs_wider_than_the_walk() -> None:
    facts = of("fact")
    assert len(facts) >= 10_000
    kinds = Counter(fact["predicate"] for fact in facts)
    assert kinds["sits_on"] == 3879
    assert kinds["represents"] == kinds["serves_in"] == 2792
    into = Counter(fact["object"]["key"] for fact in facts if "object" in fact)
    for hub in ("party:Democrat", "party:Republican", "chamber:House of Representatives"):
        assert into[hub] > 64


def test_every_note_that_was_kept_says_something() -> None:
    notes = source.rows("notes")
    quoted = {one["observation"] for fact in of("fact") for one in fact["evidence"]}
    assert len(notes) == source.meta()["notes"]
    assert {f"note:{note['number']}" for note in notes} <= quoted


def test_every_quote_stands_in_its_message_where_it_says() -> None:
    content = {line["key"]: line["messages"][0]["content"] for line in of("observation")}
    for fact in of("fact"):
        assert fact["evidence"]
        for one in fact["evidence"]:
            text, quote = content[one["observation"]].encode(), one["quote"].encode()
            if "byte_start" in one:
                assert text[one["byte_start"] :].startswith(quote)
            else:
                assert text.count(quote) == 1, fact["statement"]


def test_messages_fit_and_read_as_sentences() -> None:
    for line in of("observation"):
        (message,) = line["messages"]
        assert line["kind"] == message["role"] == "document"
        assert len(message["content"].encode()) <= 65_536
        assert message["content"] == " ".join(message["content"].split())
        assert ".." not in message["content"]
    statements = [fact["statement"] for fact in of("fact")]
    assert all(text[0].isupper() and text.rstrip("”’\"'")[-1] in ".!?" for text in statements)


def test_keys_are_unique_and_references_lead_somewhere() -> None:
    keys = Counter((line["type"], line["key"]) for line in lines() if "key" in line)
    assert max(keys.values()) == 1
    entities = {line["key"] for line in of("entity")}
    known = {line["key"] for line in of("observation")}
    words = {line["predicate"] for line in of("predicate")}
    for fact in of("fact"):
        assert fact["subject"]["key"] in entities
        assert "object" not in fact or fact["object"]["key"] in entities
        assert fact["predicate"] in words
        assert {one["observation"] for one in fact["evidence"]} <= known


def test_no_two_entities_share_a_canonical_name() -> None:
    names = Counter(line["name"].lower() for line in of("entity"))
    assert [name for name, count in names.items() if count > 1] == []


def test_some_aliases_lead_to_two_people() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for line in of("entity"):
        for name in (line["name"], *line["aliases"]):
            owners[name.lower()].add(line["name"])
    assert owners["john kennedy"] == {"John Kennedy", "John F. Kennedy"}
    assert owners["president roosevelt"] == {"Theodore Roosevelt", "Franklin D. Roosevelt"}
    assert owners["senator scott"] == {"Rick Scott", "Tim Scott"}
    assert owners["bernard sanders"] == owners["bernie sanders"] == {"Bernie Sanders"}
    assert all(not (name[0] == " " or name[-1] == " ") for name in owners)


def test_times_are_in_order_and_in_utc() -> None:
    for fact in of("fact"):
        start, end = fact["valid_from"], fact["valid_until"]
        assert all(one is None or one.endswith("T00:00:00Z") for one in (start, end))
        assert start is None or end is None or start < end


def test_facts_of_one_value_at_a_time_only_ever_supersede() -> None:
    one = {line["predicate"] for line in of("predicate") if line["cardinality"] == "one"}
    slots: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    superseded = 0
    for fact in of("fact"):
        if fact["predicate"] not in one:
            continue
        start, end = fact["valid_from"] or "", fact["valid_until"] or "9999"
        slot = slots[fact["subject"]["key"], fact["predicate"]]
        over = [version for version in slot if version[0] < end and start < version[1]]
        assert len(over) <= 1, fact["statement"]
        if over:
            assert over[0][0] < start < over[0][1], fact["statement"]
            over[0][1] = start
            superseded += 1
        slot.append([start, end])
    assert superseded > 100


def test_the_build_is_the_same_every_time() -> None:
    first = json.dumps(lines())
    assert json.dumps(list(build_lines())) == first
    assert len(source.version()) == 12


def test_the_memory_tells_where_it_comes_from() -> None:
    text = build_memory().observations["origin"]["messages"][0]["content"]
    meta = source.meta()
    for part in (meta["origin"], meta["commit"], "public domain"):
        assert part in text


def test_the_edition_is_told_last_so_that_a_cut_load_is_noticed() -> None:
    last = lines()[-1]
    assert (last["predicate"], last["value"]) == ("data_version", source.version())


def test_every_line_obeys_the_load_format() -> None:
    parse = pytest.importorskip("taisce_pg.load.parse")
    for number, line in enumerate(lines(), 1):
        assert parse.check_line(line, number, "demo") is not None


def test_there_are_six_questions_of_different_kinds() -> None:
    assert len(QUESTIONS) >= 6
    assert any(one.controls.get("hops") == 2 for one in QUESTIONS)
    assert any(one.past for one in QUESTIONS)


def span(start: str, end: str | None, holder: str) -> Span:
    return Span(start, end, holder, f"{holder}{start}")


def test_a_tenure_is_open_where_the_next_begins_and_stated_before_a_vacancy() -> None:
    found = tenures(
        [
            span("2001-01-03", "2003-01-03", "a"),
            span("2003-01-07", "2005-01-03", "a"),
            span("2005-01-03", "2006-03-01", "b"),
            span("2007-05-01", None, "c"),
        ],
        "2026-01-01",
    )
    assert [(one.holder, one.start, one.until, one.followed) for one in found] == [
        ("a", "2001-01-03", None, None),
        ("b", "2005-01-03", "2006-03-01", "a"),
        ("c", "2007-05-01", None, None),
    ]
    assert len(found[0].documents) == 2


def test_an_office_that_two_people_held_at_once_has_no_tenures() -> None:
    both = [span("2001-01-03", "2005-01-03", "a"), span("2003-01-03", "2005-01-03", "b")]
    assert tenures(both, "2026-01-01") == []
