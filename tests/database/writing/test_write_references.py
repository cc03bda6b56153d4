"""What memory_v1.load makes of names, mentions, speakers and spans."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.load_memory import TOLD, Conn, Line, Memory, entity, fact, said


@pytest.fixture
def memory(conn: Conn) -> Memory:
    return Memory(conn)


# Names


def test_names_mean_what_the_lines_before_say(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            fact("f1", "Marta", "is", "t1: Marta", value="a"),
            entity("Marta Nowak", "e1", aliases=["Marta N."]),
            fact("f2", "marta  n.", "is", "t1: Marta", value="b"),
        ]
    )
    assert memory.ends("f1") == ("Marta", None)
    assert memory.ends("f2") == ("Marta Nowak", None)


def test_an_alias_declared_after_a_use_leads_to_both(memory: Memory) -> None:
    lines = [
        TOLD,
        fact("f1", "Marta", "is", "t1: Marta", value="a"),
        entity("Marta Nowak", "e1", aliases=["Marta"]),
        fact("f2", "Marta", "is", "t1: Marta", value="b"),
    ]
    detail = memory.refused(lines)
    assert detail == "line 4, field subject: is a name of several: give a key or an id"
    memory.load(lines[:3])
    assert memory.ends("f1") == ("Marta", None)


def test_a_name_that_a_fact_made_is_adopted(memory: Memory) -> None:
    memory.load([TOLD, fact("f1", "Marta", "is", "t1: Marta", value="a")])
    memory.load([entity("MARTA", "e1", aliases=["Marta Nowak"], entity_type="person")])
    assert memory.rows("select canonical_name, entity_type, name_source from taisce.entity") == [
        ("Marta", "person", None)
    ]
    memory.load([fact("f2", {"key": "e1"}, "is", "t1: Marta", value="b")])
    assert memory.ends("f2") == ("Marta", None)


def test_a_canonical_name_belongs_to_one_key(memory: Memory) -> None:
    memory.load([entity("Marta", "e1")])
    detail = memory.refused([entity("marta", "e2")], "TS007")
    assert detail == "line 1, field name: is that of an entity with another key"
    memory.refused([entity("Someone", "e1")], "TS007")


def test_an_unknown_name_comes_from_the_observation_that_says_it(memory: Memory) -> None:
    memory.load([TOLD, fact("f1", "Marta", "knows", "t1: Marta", object="Bob")])
    assert memory.rows(
        "select distinct name_source = observation_id, source_observation_id = observation_id"
        " from taisce.entity join taisce.entity_name using (entity_id), taisce.observation"
    ) == [(True, True)]


def test_a_claim_mentions_what_it_names(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            {"type": "claim", "observation": "t1", "quote": "Bob", "mentions": ["Bob", "Bob "]},
        ]
    )
    assert memory.rows(
        "select e.canonical_name, m.ordinal, m.data_subject_id from taisce.entity_mention as m"
        " join taisce.entity as e using (entity_id)"
    ) == [("Bob", 0, "s1")]


def test_evidence_mentions_both_ends(memory: Memory) -> None:
    memory.load([TOLD, fact("f1", "Marta", "knows", "t1: to Bob", object="Bob")])
    assert (
        memory.value("select count(*) from taisce.entity_mention where claim_id is not null") == 2
    )


# Speakers


@pytest.mark.parametrize("word", ["I", "me", "Myself", "The  User", {"speaker": "s1"}])
def test_a_subjects_own_word_makes_its_speaker(memory: Memory, word: Any) -> None:
    memory.load([said("t1", "I like tea."), fact("f1", word, "likes", "t1: tea", value="tea")])
    assert memory.rows("select identity_kind, speaker_subject_id from taisce.entity") == [
        ("speaker", "s1")
    ]


@pytest.mark.parametrize(
    ("role", "subject", "word"),
    [
        ("assistant", "s1", "I"),
        ("tool", "s1", {"speaker": "s1"}),
        ("user", None, "me"),
        ("user", "s2", {"speaker": "s1"}),
    ],
)
def test_nobody_else_makes_a_speaker(
    memory: Memory, role: str, subject: str | None, word: Any
) -> None:
    detail = memory.refused(
        [
            said("t1", "I like tea.", role=role, subject=subject),
            fact("f1", word, "likes", "t1: tea", value="tea"),
        ]
    )
    assert detail.startswith("line 2, field subject: only the own words")


# Spans


def test_a_span_counts_bytes(memory: Memory) -> None:
    memory.load(
        [
            said("t1", "Über Nuño: Nuño"),
            fact("f1", "Nuño", "is", "t1: Über Nuño", value="a"),
            {
                "type": "claim",
                "observation": "t1",
                "quote": "Nuño",
                "byte_start": 13,
            },
        ]
    )
    assert memory.rows("select byte_start, byte_end, quote from taisce.claim order by 1") == [
        (0, 11, "Über Nuño"),
        (13, 18, "Nuño"),
    ]


@pytest.mark.parametrize(
    ("evidence", "detail"),
    [
        ({"quote": "Nina"}, "quote: does not occur in the message"),
        ({"quote": "a"}, "quote: occurs more than once: give byte_start"),
        ({"quote": "aba", "ordinal": 1}, "quote: occurs more than once: give byte_start"),
        ({"quote": "a b", "byte_start": 1}, "byte_start: is not where the quote stands"),
        ({"quote": "a b", "byte_start": 2000000000}, "byte_start: is not where the quote stands"),
        ({"quote": "a b", "ordinal": 2}, "ordinal: is not a message of the observation"),
        ({"quote": "a", "observation": "t2"}, "observation: is not an observation declared before"),
        ({}, "quote: is missing, or the message was released"),
    ],
)
def test_a_bad_span_is_refused(memory: Memory, evidence: Line, detail: str) -> None:
    line = fact("f1", "Marta", "is", "t1: a b", value="x")
    line["evidence"].append({"observation": "t1", **evidence})
    told = said("t1", "a b a")
    told["messages"].append({"role": "user", "content": "ababa"})
    assert memory.refused([told, line, said("t2", "a")]) == f"line 2, field evidence[1].{detail}"
