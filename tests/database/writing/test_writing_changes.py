"""Corrections, retractions and marks, forming, and what others condensed."""

from __future__ import annotations

import uuid

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.writing import (
    MOVES,
    NOTHING,
    Conn,
    Writer,
    assertion,
    home,
    lives,
)


@pytest.fixture
def writer(conn: Conn) -> Writer:
    made = Writer(conn)
    made.say(MOVES, "t1")
    return made


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


@pytest.mark.parametrize(
    ("before", "after", "cause"),
    [
        ("A", "AB", None),
        ("AB", "B", None),
        ("ABC", "ABD", None),
        ("AB", "AB", None),
        ("AB", "AC", "replaced"),
        ("ABC", "A", "replaced"),
        ("A", "ABC", "replaced"),
        ("ABCDE", "ABFGH", "replaced"),
        ("A", "B", "replaced"),
    ],
)
def test_a_report_stands_while_half_of_all_members_stay(
    writer: Writer, before: str, after: str, cause: str | None
) -> None:
    writer.say(" ".join(f"She met {name}." for name in "ABCDEFGH"), "met")
    for name in "ABCDEFGH":
        told = assertion("She", "met", f"met: met {name}", object=name, cardinality="many")
        fact = writer.do("assert_fact", **told)["fact_id"]
    writer.do("register_community", key="other", members=["A"])
    writer.do("register_community", key="k", members=[*before])
    told = {"community": "k", "title": "t", "summary": "s", "fact_ids": [fact]}
    report = writer.do("register_report", **told)["report_id"]
    beside = writer.do("register_report", **{**told, "community": "other"})["report_id"]
    changed = writer.do("register_community", key="k", members=[*after], level=2)
    assert changed["members"] == len(after)
    causes = "select withdrawn_cause from taisce.report where report_id = %s"
    assert writer.value(causes, report) == cause
    assert writer.value(causes, beside) is None
    members = writer.value(
        "select string_agg(e.canonical_name, '' order by e.canonical_name)"
        " from taisce.community_member join taisce.entity as e using (project_id, entity_id)"
        " where community_id = %s",
        changed["community_id"],
    )
    assert members == after


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
