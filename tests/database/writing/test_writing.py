"""What the functions that write do, rule by rule."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.writing import (
    MOVES,
    NOTHING,
    Conn,
    Row,
    Writer,
    assertion,
    home,
    lives,
    year,
)


@pytest.fixture
def writer(conn: Conn) -> Writer:
    made = Writer(conn)
    made.say(MOVES, "t1")
    return made


# Observations


def test_an_observation_is_appended_and_waits_to_be_formed(writer: Writer) -> None:
    first = writer.say("Hello.")
    second = writer.say("Hello.")
    assert (first["log_offset"], second["log_offset"]) == (2, 3)
    assert not first["repeated"]
    assert not second["repeated"]
    assert writer.value("select memory_v1.freshness('p') ->> 'formed'") is None


def test_a_key_makes_a_retry_harmless(writer: Writer) -> None:
    before = writer.dump()
    again = writer.say(MOVES, "t1")
    assert again["repeated"]
    assert again["log_offset"] == 1
    assert writer.dump() == before
    detail = writer.refused(
        "TS007", "observe", messages=[{"role": "user", "content": "x"}], idempotency_key="t1"
    )
    assert detail == "idempotency_key: was used before with other content"


@pytest.mark.parametrize(
    ("messages", "detail"),
    [
        (None, "messages: is missing"),
        ([], "messages: must be a list of at least one"),
        ([{"role": "user", "content": " "}], "messages[0].content: must not be empty"),
        ([{"role": "nobody", "content": "x"}], "messages[0].role: must be one of user, "),
        ([{"role": "user"}], "messages[0].content: is missing"),
        ([{"role": "user", "content": "x" * 65_537}], "messages[0].content: is too long"),
        ([{"role": "user", "content": "x", "passage_id": NOTHING}], "messages[0].passage_id: is "),
    ],
)
def test_what_is_not_a_list_of_messages_is_refused(
    writer: Writer, messages: Any, detail: str
) -> None:
    assert writer.refused("TS005", "observe", messages=messages).startswith(detail)


def test_a_long_document_is_split_at_ends_of_paragraphs(writer: Writer) -> None:
    text = "".join(f"Paragraph {number} é.\n" + "word " * 400 + "\n\n" for number in range(100))
    writer.do("observe", messages=[{"role": "document", "content": text}], kind="document")
    parts = [
        part
        for (part,) in writer.rows(
            "select content from taisce.message where log_offset = 2 order by ordinal"
        )
    ]
    assert "".join(parts) == text
    assert len(parts) == -(-len(text.encode()) // 65_536)
    assert all(len(part.encode()) <= 65_536 and part.startswith("Paragraph") for part in parts)


def test_curated_texts_need_an_administrator(writer: Writer, database: Database) -> None:
    said = [{"role": "document", "content": "House rules."}]
    assert not writer.do("observe", messages=said, kind="curated")["repeated"]
    login = database.login("taisce_writer")
    writer.rows("select memory_v1.grant_project('p', %s, 'write')", database.logins[-1])
    with psycopg.connect(login, autocommit=True) as conn, pytest.raises(psycopg.Error) as caught:
        Writer(conn, new=False).do("observe", messages=said, kind="curated")
    assert caught.value.diag.message_detail == "kind: only an administrator writes curated texts"


# One value at a time


def test_values_that_follow_each_other_end_one_another(writer: Writer) -> None:
    first = lives(writer, "Dublin", 2020)
    second = lives(writer, "Cork", 2021)
    assert second["superseded"] == first["fact_id"]
    assert second["known_from"] > first["known_from"]
    assert writer.held() == [("Dublin", 2020, 2021), ("Cork", 2021, None)]
    assert writer.gaps() == []
    source = writer.value(
        "select supersession_source from taisce.fact where object_entity_id = "
        "(select entity_id from taisce.entity where canonical_name = 'Dublin')"
    )
    assert source == writer.value("select observation_id from taisce.observation")


def test_windows_that_do_not_overlap_are_accepted_in_any_order(writer: Writer) -> None:
    lives(writer, "Cork", 2021, 2022)
    lives(writer, "Dublin", 2019, 2020)
    lives(writer, "Galway", 2020, 2021)
    lives(writer, "Sligo", 2022)
    assert [held[0] for held in writer.held()] == ["Dublin", "Galway", "Cork", "Sligo"]
    assert writer.value("select count(*) from taisce.fact where superseded_by is not null") == 0


def test_nothing_resumes_after_a_bounded_newcomer(writer: Writer) -> None:
    lives(writer, "Dublin", 2020)
    lives(writer, "Cork", 2021, 2022)
    assert writer.held() == [("Dublin", 2020, 2021), ("Cork", 2021, 2022)]


def test_other_overlaps_are_refused(writer: Writer) -> None:
    lives(writer, "Dublin", 2020)
    for begins in (2020, 2019, None):
        detail = writer.refused(
            "TS006",
            "assert_fact",
            **assertion("I", "lives_in", "t1: I live in Cork", **home("Cork", begins)),
        )
        assert detail == "valid_from: another value holds at a time this one would cover"
    lives(writer, "Galway", 2022)
    writer.refused(
        "TS006",
        "assert_fact",
        **assertion("I", "lives_in", "t1: I live in Sligo", **home("Sligo", 2021)),
    )


def test_or_stored_as_a_contradiction(writer: Writer) -> None:
    first = lives(writer, "Dublin", 2020)
    second = lives(writer, "Cork", 2020, on_conflict="contradict")
    assert second["contradiction_group"] is not None
    assert second["superseded"] is None
    assert writer.held() == [("Cork", 2020, None), ("Dublin", 2020, None)]
    # Facts of a contradiction stand outside the rule.
    third = lives(writer, "Galway", 2021)
    assert (third["superseded"], third["contradiction_group"]) == (None, None)
    assert len(writer.held()) == 3
    assert first["contradiction_group"] is None


def test_or_cut_to_the_next_start(writer: Writer) -> None:
    lives(writer, "Dublin", 2022)
    lives(writer, "Cork", 2020, on_conflict="truncate")
    assert writer.held() == [("Cork", 2020, 2022), ("Dublin", 2022, None)]
    writer.refused(
        "TS006",
        "assert_fact",
        **assertion("I", "lives_in", "t1: I live in Sligo", **home("Sligo", 2022)),
        on_conflict="truncate",
    )


def test_across_roles_and_subjects_nothing_supersedes(writer: Writer) -> None:
    writer.say("Marta lives in Cork.", "tool", role="tool")
    writer.say("Marta lives in Dublin.", "user")
    writer.say("Marta lives in Sligo.", "other", subject="s2")
    told = [("user", "Dublin", 2020), ("tool", "Cork", 2021), ("other", "Sligo", 2022)]
    found = [
        writer.believe("Marta", "lives_in", f"{key}: Marta lives in {where}", **home(where, begins))
        for key, where, begins in told
    ]
    assert [row["superseded"] for row in found] == [None, None, None]
    assert len(writer.held()) == 3
    assert found[1]["contradiction_group"] == found[2]["contradiction_group"] is not None


def test_the_same_content_is_the_same_fact_and_gains_evidence(writer: Writer) -> None:
    first = lives(writer, "Dublin", 2020)
    before = writer.dump("load_key")
    assert lives(writer, "Dublin", 2020) == first
    assert writer.dump("load_key") == before
    writer.say("As I said, I live in Dublin.", "t2")
    again = writer.believe("I", "lives_in", "t2: I live in Dublin", **home("Dublin", 2020))
    assert again == first
    assert writer.value("select count(*) from taisce.fact_evidence") == 2


def test_an_assertion_equals_a_load(writer: Writer) -> None:
    from tests.database.writing.test_write_engine import Memory

    lives(writer, "Dublin", 2020)
    lives(writer, "Cork", 2021)
    fact = {
        "type": "fact",
        **assertion("I", "lives_in", "t1: I live in Cork", **home("Cork", 2021)),
    }
    before = writer.dump("load_key")
    assert Memory(writer.conn).load([fact])["repeated"] == 1
    assert writer.dump("load_key") == before


# References, spans, speakers


def test_no_key_of_a_call_is_left(writer: Writer) -> None:
    lives(writer, "Dublin", 2020)
    assert writer.rows("select key from taisce.load_key") == []


@pytest.mark.parametrize(
    ("change", "code", "detail"),
    [
        ({"subject": {"id": NOTHING}}, "TS004", "subject: is not known in the project"),
        ({"subject": {"key": "nope"}}, "TS004", "subject: is not known in the project"),
        ({"subject": " "}, "TS005", "subject: must not be empty"),
        ({"subject": "x" * 4097}, "TS005", "subject: is too long"),
        ({"subject": "twins"}, "TS005", "subject: is a name of several: give a key or an id"),
        ({"object": "twins"}, "TS005", "object: is a name of several: give a key or an id"),
        ({"object": 5}, "TS005", "object: must be text or an object"),
        ({"value": "x"}, "TS005", "value: cannot stand beside object"),
        ({"predicate": None}, "TS005", "predicate: is needed beside an object"),
        ({"statement": None}, "TS005", "statement: is missing"),
        ({"statement": ""}, "TS005", "statement: must not be empty"),
        ({"evidence": None}, "TS005", "evidence: is missing"),
        ({"evidence": []}, "TS005", "evidence: must be a list of at least one"),
        ({"valid_until": year(2019)}, "TS005", "valid_until: must be later than valid_from"),
        ({"confidence": 1.5}, "TS005", "confidence: must be from 0 to 1"),
        ({"cardinality": "two"}, "TS005", "cardinality: must be one of one, many"),
        ({"on_conflict": "fight"}, "TS005", "on_conflict: must be one of refuse, contradict, "),
    ],
)
def test_a_bad_argument_is_refused_by_its_name(
    writer: Writer, change: Row, code: str, detail: str
) -> None:
    for name in ("A", "B"):
        writer.believe(name, "is", "t1: I live in Dublin", value="x")
        found = writer.value("select entity_id from taisce.entity where canonical_name = %s", name)
        writer.do("add_alias", entity_id=found, alias="twins")
    good = assertion("Marta", "lives_in", "t1: I live in Cork", **home("Cork", 2020))
    assert writer.refused(code, "assert_fact", **{**good, **change}).startswith(detail)


@pytest.mark.parametrize(
    ("evidence", "code", "detail"),
    [
        (
            {"observation": "nope", "quote": "x"},
            "TS004",
            "observation: is not known in the project",
        ),
        ({"observation": {"id": NOTHING}, "quote": "x"}, "TS004", "observation: is not known"),
        ({"claim": {"id": NOTHING}}, "TS004", "claim: is not known in the project"),
        ({"observation": "t1", "ordinal": 1, "quote": "x"}, "TS005", "ordinal: is not a message"),
        ({"observation": "t1", "quote": "Berlin"}, "TS005", "quote: does not occur"),
        ({"observation": "t1", "quote": "I live"}, "TS005", "quote: occurs more than once"),
        ({"observation": "t1", "quote": "Cork", "byte_start": 3}, "TS005", "byte_start: is not "),
        ({"observation": "t1"}, "TS005", "quote: is missing"),
        ({"observation": "t1", "quote": "Cork", "mood": "x"}, "TS005", "mood: is not a field"),
        (
            {"observation": "t1", "quote": "Cork", "stance": "contradicts"},
            "TS005",
            ": has nothing that supports the fact",
        ),
    ],
)
def test_a_span_that_does_not_match_is_refused(
    writer: Writer, evidence: Row, code: str, detail: str
) -> None:
    good = assertion("Marta", "lives_in", "t1: I live in Cork", **home("Cork", 2020))
    told = writer.refused(code, "assert_fact", **{**good, "evidence": [evidence]})
    assert told.startswith("evidence")
    assert detail in told


def test_evidence_of_two_roles_is_refused(writer: Writer) -> None:
    writer.say("Cork it is.", "t2", role="tool")
    good = assertion("Marta", "lives_in", "t1: I live in Cork")
    evidence = [*good["evidence"], {"observation": "t2", "quote": "Cork it is"}]
    detail = writer.refused("TS005", "assert_fact", **{**good, "evidence": evidence, "value": "x"})
    assert detail == "evidence: is of several roles"


@pytest.mark.parametrize("name", ["I", "me", "Myself", "THE  USER"])
def test_a_subject_s_own_word_is_about_its_speaker(writer: Writer, name: str) -> None:
    writer.believe(name, "lives_in", "t1: I live in Cork", object="Cork")
    assert writer.rows(
        "select speaker_subject_id from taisce.entity where identity_kind = 'speaker'"
    ) == [("s1",)]


def test_nobody_else_speaks_for_a_subject(writer: Writer) -> None:
    writer.believe("I", "lives_in", "t1: I live in Cork", object="Cork")
    speaker = writer.value("select entity_id from taisce.entity where identity_kind = 'speaker'")
    writer.say("The user lives in Sligo.", "tool", role="tool")
    writer.say("He lives in Sligo.", "other", subject="s2")
    writer.say("Somebody lives in Sligo.", "nobody", subject=None)
    for key, quote in (("tool", "The user"), ("other", "He"), ("nobody", "Somebody")):
        for subject in ({"speaker": "s1"}, {"id": str(speaker)}, "me"):
            if key == "other" and subject == "me":
                continue
            detail = writer.refused(
                "TS005",
                "assert_fact",
                **assertion(subject, "lives_in", f"{key}: {quote} lives in Sligo", object="Sligo"),
            )
            assert detail == "subject: only the own words of a subject, as user, may speak for him"
