"""What the functions that write do, rule by rule."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.writing import Conn, Row, Writer, assertion, year

NOTHING = "00000000-0000-0000-0000-000000000000"
MOVES = "I live in Dublin. I live in Cork. I live in Galway. I live in Sligo."


@pytest.fixture
def writer(conn: Conn) -> Writer:
    made = Writer(conn)
    made.say(MOVES, "t1")
    return made


def lives(
    writer: Writer, where: str, begins: int | None, until: int | None = None, **more: Any
) -> Row:
    return writer.believe(
        "I", "lives_in", f"t1: I live in {where}", **home(where, begins, until), **more
    )


def home(where: str, begins: int | None, until: int | None = None) -> Row:
    times = {"valid_from": begins and year(begins), "valid_until": until and year(until)}
    return {"object": where, **{name: value for name, value in times.items() if value}}


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
    from tests.database.test_write_engine import Memory

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


# Correcting, retracting, marking


def test_a_retraction_ends_the_belief_and_keeps_the_record(writer: Writer) -> None:
    fact = lives(writer, "Dublin", 2020)
    gone = writer.do("retract_fact", fact_id=fact["fact_id"], reason="a joke")
    assert gone["retracted_at"] > fact["known_from"]
    assert not gone["repeated"]
    assert writer.held() == []
    again = writer.do("retract_fact", fact_id=fact["fact_id"])
    assert again == {**gone, "repeated": True}
    # The same evidence says nothing new; other evidence does.
    assert lives(writer, "Dublin", 2020)["known_from"] is None
    writer.say("Truly, I live in Dublin.", "t2")
    back = writer.believe("I", "lives_in", "t2: I live in Dublin", **home("Dublin", 2020))
    assert back["fact_id"] == fact["fact_id"]
    assert back["known_from"] > gone["retracted_at"]
    assert writer.gaps() == []


def test_a_correction_is_one_event(writer: Writer) -> None:
    old = lives(writer, "Dublin", 2020)
    new = writer.do(
        "correct_fact",
        fact_id=old["fact_id"],
        **assertion("I", "lives_in", "t1: I live in Cork", **home("Cork", 2020)),
    )
    assert new["superseded"] == old["fact_id"]
    assert writer.held() == [("Cork", 2020, None)]
    assert writer.rows(
        "select fact_id, cause, closed_cause, known_to = %s from taisce.fact_version"
        " order by known_from",
        new["known_from"],
    ) == [
        (old["fact_id"], "asserted", "corrected", True),
        (new["fact_id"], "corrected", None, False),
    ]
    assert (
        writer.value("select retracted_at from taisce.fact where fact_id = %s", old["fact_id"])
        == new["known_from"]
    )
    # And back, by words that are known already.
    back = writer.do(
        "correct_fact",
        fact_id=new["fact_id"],
        **assertion("I", "lives_in", "t1: I live in Dublin", **home("Dublin", 2020)),
    )
    assert back["fact_id"] == old["fact_id"]
    assert back["known_from"] > new["known_from"]
    assert writer.held() == [("Dublin", 2020, None)]
    assert writer.value("select count(*) from taisce.fact where retracted_at is null") == 1
    assert writer.gaps() == []


def test_what_cannot_be_corrected(writer: Writer) -> None:
    fact = lives(writer, "Dublin", 2020)
    lives(writer, "Cork", 2021)
    same = assertion("I", "lives_in", "t1: I live in Dublin", **home("Dublin", 2020))
    other = assertion("I", "lives_in", "t1: I live in Sligo", **home("Sligo", 2019))
    detail = writer.refused("TS005", "correct_fact", fact_id=fact["fact_id"], **same)
    assert detail == "fact_id: says the same as its correction"
    writer.refused("TS006", "correct_fact", fact_id=fact["fact_id"], **other)
    writer.refused("TS004", "correct_fact", fact_id=NOTHING, **same)
    writer.do("retract_fact", fact_id=fact["fact_id"])
    detail = writer.refused("TS005", "correct_fact", fact_id=fact["fact_id"], **other)
    assert detail == "fact_id: is not believed any more"


def test_facts_that_contradict_are_one_group(writer: Writer) -> None:
    facts = [
        lives(writer, where, begins)["fact_id"]
        for where, begins in (("Dublin", 2019), ("Cork", 2020), ("Sligo", 2021))
    ]
    first = writer.do("mark_contradiction", fact_ids=facts[:2])
    assert (first["facts"], first["repeated"]) == (2, False)
    assert writer.do("mark_contradiction", fact_ids=facts[:2])["repeated"]
    assert writer.do("mark_contradiction", fact_ids=facts[1:])["facts"] == 3
    assert writer.refused("TS005", "mark_contradiction", fact_ids=[facts[0], facts[0]]) == (
        "fact_ids: must hold two different facts"
    )
    writer.refused("TS005", "mark_contradiction", fact_ids=[])
    writer.refused("TS005", "mark_contradiction", fact_ids=None)
    writer.refused("TS004", "mark_contradiction", fact_ids=[facts[0], uuid.UUID(NOTHING)])


def test_support_is_withdrawn_without_ending_the_belief(writer: Writer) -> None:
    fact = lives(writer, "Dublin", 2020)["fact_id"]
    writer.do("register_community", key="k", members=["Dublin"])
    report = writer.do("register_report", community="k", title="t", summary="s", fact_ids=[fact])
    assert report["withdrawn_at"] is None
    assert not writer.do("withdraw_support", fact_id=fact)["repeated"]
    assert writer.do("withdraw_support", fact_id=fact)["repeated"]
    assert writer.held() == [("Dublin", 2020, None)]
    assert writer.value("select withdrawn_cause from taisce.report") == "support withdrawn"


# Forming


def test_formed_and_parked_move_freshness(writer: Writer) -> None:
    ids = [writer.say(f"Word {number}.")["observation_id"] for number in range(3)]
    first = writer.value("select observation_id from taisce.observation where log_offset = 1")
    assert writer.do("mark_formed", observation_id=ids[0])["formed"] is None
    assert writer.do("mark_formed", observation_id=first)["formed"] == 2
    parked = writer.do("park", observation_id=ids[1], reason="no text")
    assert (parked["formed"], parked["formed_at"], parked["repeated"]) == (3, None, False)
    assert writer.do("park", observation_id=ids[1], reason="no text")["repeated"]
    assert writer.value("select memory_v1.freshness('p') ->> 'parked'") == "1"
    assert writer.refused("TS005", "park", observation_id=first, reason="x") == (
        "observation_id: is formed already"
    )
    taken = writer.do("mark_formed", observation_id=ids[1])
    assert taken["parked_at"] is None
    assert not taken["repeated"]
    assert writer.do("mark_formed", observation_id=ids[1])["repeated"]
    assert writer.value("select memory_v1.freshness('p') ->> 'parked'") == "0"
    writer.refused("TS004", "mark_formed", observation_id=NOTHING)
    writer.refused("TS005", "park", observation_id=ids[2], reason=" ")


def test_a_rebuild_shows_in_freshness(writer: Writer) -> None:
    shown = "select memory_v1.freshness('p') -> 'rebuilding'"
    writer.say("More.")
    writer.refused("TS004", "advance_rebuild", at_offset=1)
    writer.refused("TS004", "end_rebuild")
    for bad in ((0, 1), (2, 1), (1, 3)):
        writer.refused("TS005", "begin_rebuild", from_offset=bad[0], to_offset=bad[1])
    begun = writer.do("begin_rebuild", from_offset=1, to_offset=2)
    assert writer.do("begin_rebuild", from_offset=1, to_offset=2) == begun
    writer.refused("TS005", "begin_rebuild", from_offset=1, to_offset=1)
    assert writer.value(shown) == {"from_offset": 1, "to_offset": 2, "at_offset": 0}
    assert writer.do("advance_rebuild", at_offset=1)["at_offset"] == 1
    for bad_offset in (0, 3):
        writer.refused("TS005", "advance_rebuild", at_offset=bad_offset)
    assert writer.do("end_rebuild")["ended_at"] is not None
    assert writer.value(shown) is None


# What others condensed


def test_segments_of_a_level_do_not_overlap(writer: Writer) -> None:
    writer.say("More.")
    told = {"data_subject_id": "s1", "level": 1, "from_offset": 1, "to_offset": 2, "summary": "x"}
    made = writer.do("register_segment", **told)
    assert made["covered"] == 2
    assert not made["repeated"]
    assert writer.do("register_segment", **told) == {**made, "repeated": True}
    writer.refused("TS006", "register_segment", **{**told, "from_offset": 2, "summary": "y"})
    for change in (
        {"level": 0},
        {"level": 7},
        {"to_offset": 3},
        {"from_offset": 2, "to_offset": 1},
        {"summary": ""},
        {"data_subject_id": " "},
        {"covered": -1},
    ):
        writer.refused("TS005", "register_segment", **{**told, **change})


def test_a_community_is_what_was_told_last(writer: Writer) -> None:
    lives(writer, "Dublin", 2020)
    lives(writer, "Cork", 2021)
    writer.do("register_community", key="all", members=["Dublin", "Cork"], level=1)
    told = {"key": "k", "members": ["Dublin", {"speaker": "s1"}], "parent": "all"}
    made = writer.do("register_community", **told)
    assert (made["members"], made["repeated"]) == (2, False)
    assert writer.do("register_community", **told) == {**made, "repeated": True}
    assert writer.do("register_community", **{**told, "members": ["Cork"]})["members"] == 1
    assert writer.refused("TS004", "register_community", **{**told, "parent": "nope"}) == (
        "parent: is not known in the project"
    )
    assert writer.refused("TS004", "register_community", **{**told, "members": ["nope"]}) == (
        "members[0]: is not known in the project"
    )
    writer.refused("TS005", "register_community", **{**told, "members": []})


def test_a_report_gives_way_to_change(writer: Writer) -> None:
    fact = lives(writer, "Dublin", 2020)["fact_id"]
    source = writer.value("select observation_id from taisce.observation")
    writer.do("register_community", key="k", members=["Dublin"])
    told = {"community": "k", "title": "t", "summary": "s", "fact_ids": [fact, fact]}
    first = writer.do("register_report", **told, observation_ids=[source])
    assert writer.do("register_report", **told, observation_ids=[source]) == {
        **first,
        "repeated": True,
    }
    second = writer.do("register_report", **{**told, "summary": "other"})
    causes = "select withdrawn_cause from taisce.report where report_id = %s"
    assert writer.value(causes, first["report_id"]) == "replaced"
    lives(writer, "Cork", 2021)
    assert writer.value(causes, second["report_id"]) == "superseded"
    writer.do("retract_fact", fact_id=fact)
    late = writer.do("register_report", **{**told, "summary": "late"})
    assert late["withdrawn_at"] is not None
    writer.refused("TS004", "register_report", **{**told, "community": "nope"})
    assert writer.refused("TS004", "register_report", **{**told, "fact_ids": [NOTHING]}) == (
        "fact_ids[0]: is not known in the project"
    )
    assert writer.refused("TS004", "register_report", **told, observation_ids=[NOTHING]) == (
        "observation_ids[0]: is not known in the project"
    )
    writer.refused("TS005", "register_report", **{**told, "title": ""})


# Names and merges


def entity(writer: Writer, name: str) -> uuid.UUID:
    found: uuid.UUID = writer.value(
        "select entity_id from taisce.entity where canonical_name = %s", name
    )
    return found


def test_an_alias_leads_to_its_entity(writer: Writer) -> None:
    lives(writer, "Dublin", 2020)
    dublin = entity(writer, "Dublin")
    made = writer.do("add_alias", entity_id=dublin, alias="Baile  Átha Cliath")
    assert made == {
        "entity_id": dublin,
        "normalized_name": "baile átha cliath",
        "repeated": False,
    }
    assert writer.do("add_alias", entity_id=dublin, alias="baile átha cliath")["repeated"]
    for alias in (None, "", " ", "x" * 4097):
        assert writer.refused("TS005", "add_alias", entity_id=dublin, alias=alias).startswith(
            "alias: "
        )
    writer.refused("TS004", "add_alias", entity_id=NOTHING, alias="x")
    speaker = entity(writer, "speaker")
    writer.refused("TS005", "add_alias", entity_id=speaker, alias="x")


def couple(writer: Writer) -> None:
    """Tell of two who turn out to be one, from every side."""
    writer.say(
        "Bob lives in Cork. Bob knows Robert Smith. Robert Smith lives in Sligo. Ann knows "
        "Bob. Robert Smith works.",
        "t2",
    )
    for subject, predicate, quote, more in [
        ("Bob", "lives_in", "Bob lives in Cork", home("Cork", 2020)),
        ("Robert Smith", "lives_in", "Robert Smith lives in Sligo", home("Sligo", 2021)),
        ("Bob", "knows", "Bob knows Robert Smith", {"object": "Robert Smith"}),
        ("Ann", "knows", "Ann knows Bob", {"object": "Bob"}),
        ("Robert Smith", "does", "Robert Smith works", {"value": "works"}),
    ]:
        many = {} if predicate == "lives_in" else {"cardinality": "many"}
        writer.believe(subject, predicate, f"t2: {quote}", **more, **many)
    writer.do("add_alias", entity_id=entity(writer, "Bob"), alias="the fixer")
    writer.do("add_alias", entity_id=entity(writer, "Robert Smith"), alias="The Fixer")
    writer.do("register_community", key="k1", members=["Bob", "Ann"])
    writer.do("register_community", key="k2", members=["Bob", "Robert Smith"])
    covered = writer.value("select fact_id from taisce.fact where statement = 'Ann knows Bob'")
    writer.do("register_report", community="k1", title="t", summary="s", fact_ids=[covered])


def state(writer: Writer) -> dict[str, list[str]]:
    """Give all that is stored but the clock, the log of merges, and numbers of indexed texts."""
    found = writer.dump("entity_merge", "project_clock", "posting", "word_document")
    found["words"] = sorted(
        text
        for (text,) in writer.rows(
            "select (to_jsonb(w) - '{batch,slice}'::text[])::text from taisce.word_document as w"
        )
    )
    return found


def test_a_merge_is_undone_exactly(writer: Writer) -> None:
    couple(writer)
    before = state(writer)
    merged = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    assert merged["absorbed"] == entity(writer, "Bob")
    assert state(writer) != before
    assert writer.value("select count(distinct contradiction_group) from taisce.fact") == 1
    again = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    assert again == {**merged, "repeated": True}
    by_id = writer.do(
        "merge_entities",
        absorbed={"id": str(merged["absorbed"])},
        survivor={"id": str(merged["survivor"])},
    )
    assert by_id == again
    undone = writer.do("unmerge", merge_id=merged["merge_id"])
    assert undone["reversed_at"] is not None
    assert not undone["repeated"]
    after = state(writer)
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}
    assert writer.do("unmerge", merge_id=merged["merge_id"]) == {**undone, "repeated": True}
    other = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    assert other["merge_id"] != merged["merge_id"]
    assert not other["repeated"]


def test_merges_are_taken_back_last_first(writer: Writer) -> None:
    couple(writer)
    before = state(writer)
    first = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    between = state(writer)
    second = writer.do("merge_entities", absorbed="Robert Smith", survivor="Ann")
    assert writer.refused("TS005", "unmerge", merge_id=first["merge_id"]) == (
        "merge_id: later merges of the survivor come first"
    )
    writer.do("unmerge", merge_id=second["merge_id"])
    assert state(writer) == between
    writer.do("unmerge", merge_id=first["merge_id"])
    assert state(writer) == before


def test_what_was_told_since_a_merge_stays_with_the_survivor(writer: Writer) -> None:
    couple(writer)
    merged = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    writer.say("Bob sings.", "t3")
    since = writer.believe("Bob", "does", "t3: Bob sings", value="sings", cardinality="many")
    writer.do("unmerge", merge_id=merged["merge_id"])
    subject = "select subject_entity_id from taisce.fact where fact_id = %s"
    assert writer.value(subject, since["fact_id"]) == merged["survivor"]
    assert (
        writer.value(
            "select subject_entity_id from taisce.fact where statement = 'Bob lives in Cork'"
        )
        == merged["absorbed"]
    )
    assert writer.held() == [("Cork", 2020, None), ("Sligo", 2021, None)]


def test_what_cannot_be_merged(writer: Writer) -> None:
    couple(writer)
    lives(writer, "Dublin", 2020)
    refused = [
        ("TS005", "Bob", "Bob", "absorbed: is the survivor"),
        ("TS004", "Nobody", "Bob", "absorbed: is not known in the project"),
        ("TS004", "Bob", {"id": NOTHING}, "survivor: is not known in the project"),
        ("TS005", {"speaker": "s1"}, "Bob", "absorbed: is a speaker, or has no name any more"),
        ("TS005", "The Fixer", "Ann", "absorbed: is a name of several: give a key or an id"),
    ]
    for code, absorbed, survivor, detail in refused:
        told = writer.refused(code, "merge_entities", absorbed=absorbed, survivor=survivor)
        assert told == detail
    bob, robert = str(entity(writer, "Bob")), str(entity(writer, "Robert Smith"))
    writer.do("merge_entities", absorbed={"id": bob}, survivor={"id": robert})
    told = writer.refused("TS005", "merge_entities", absorbed={"id": robert}, survivor={"id": bob})
    assert told == "survivor: was merged into the absorbed one before"
    writer.refused("TS004", "unmerge", merge_id=NOTHING)


# Feedback


def test_feedback_is_kept_without_the_words_of_an_answer(writer: Writer) -> None:
    fact = lives(writer, "Dublin", 2020)["fact_id"]
    writer.do("report_feedback", fact_id=fact, kind="wrong", note="Never.")
    bundle = {"facts": [{"fact_id": str(fact), "statement": "x"}, {"fact_id": NOTHING}, 5]}
    writer.do("report_feedback", bundle=bundle, kind="helpful")
    assert writer.rows("select fact_id, bundle, kind, note from taisce.feedback order by 3") == [
        (None, {"facts": [str(fact)]}, "helpful", None),
        (fact, None, "wrong", "Never."),
    ]
    assert writer.held() == [("Dublin", 2020, None)]
    writer.refused("TS004", "report_feedback", fact_id=NOTHING)
    writer.refused("TS005", "report_feedback")
    writer.refused("TS005", "report_feedback", fact_id=fact, bundle=bundle)
    writer.refused("TS005", "report_feedback", fact_id=fact, kind="rude")
    writer.refused("TS005", "report_feedback", bundle={"facts": 5})


def test_a_reader_gives_feedback_and_writes_nothing_else(
    writer: Writer, database: Database
) -> None:
    fact = lives(writer, "Dublin", 2020)["fact_id"]
    login = database.login("taisce_reader")
    writer.rows("select memory_v1.grant_project('p', %s, 'read')", database.logins[-1])
    with psycopg.connect(login, autocommit=True) as conn:
        reader = Writer(conn, new=False)
        assert reader.do("report_feedback", fact_id=fact)["feedback_id"]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.do("retract_fact", fact_id=fact)
    login = database.login("taisce_writer")
    writer.rows("select memory_v1.grant_project('p', %s, 'read')", database.logins[-1])
    with psycopg.connect(login, autocommit=True) as conn, pytest.raises(psycopg.Error) as caught:
        Writer(conn, new=False).do("retract_fact", fact_id=fact)
    assert caught.value.sqlstate == "TS003"
