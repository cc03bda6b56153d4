"""What memory_v1.load makes of values that follow, overlap or contradict each other."""

from __future__ import annotations

import pytest

from tests.support.load_memory import TOLD, Conn, Memory, fact, lives, said


@pytest.fixture
def memory(conn: Conn) -> Memory:
    return Memory(conn)


# One value at a time


def test_a_later_start_ends_the_value_before_it(memory: Memory) -> None:
    counts = memory.load([TOLD, lives("f1", "Dublin", 2020), lives("f2", "Cork", 2022)])
    assert counts["superseded"] == 1
    assert memory.versions("f1") == [(2020, None, False, False), (2020, 2022, True, True)]
    assert memory.versions("f2") == [(2022, None, True, False)]
    assert memory.rows(
        "select f.superseded_by = k.id, f.supersession_source = o.observation_id"
        " from taisce.fact as f, taisce.load_key as k, taisce.observation as o"
        " where k.kind = 'fact' and k.key = 'f2' and f.statement = 'f1'"
    ) == [(True, True)]
    assert memory.rows(
        "select a.known_to = b.known_from, b.known_from = c.known_from"
        " from taisce.fact_version as a, taisce.fact_version as b, taisce.fact_version as c,"
        " taisce.fact as f where f.statement = 'f1' and a.fact_id = f.fact_id"
        " and b.fact_id = f.fact_id and a.known_from < b.known_from and c.fact_id <> f.fact_id"
    ) == [(True, True)]


def test_windows_that_do_not_meet_are_taken_in_any_order(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            lives("f1", "Dublin", 2020),
            lives("f2", "Cork", 2010, 2012),
            lives("f3", "Rome", 2012, 2020),
        ]
    )
    assert memory.value("select count(*) from taisce.fact_version") == 3


def test_nothing_resumes_after_a_bounded_newcomer(memory: Memory) -> None:
    memory.load([TOLD, lives("f1", "Dublin", 2020), lives("f2", "Cork", 2022, 2023)])
    assert memory.versions("f1")[-1] == (2020, 2022, True, True)


@pytest.mark.parametrize(
    ("since", "until"), [(2020, None), (2019, None), (None, None), (2019, 2021)]
)
def test_any_other_overlap_is_refused(memory: Memory, since: int | None, until: int | None) -> None:
    memory.load([TOLD, lives("f1", "Dublin", 2020)])
    detail = memory.refused([lives("f2", "Cork", since, until)], "TS006")
    assert detail.startswith("line 1, field valid_from: another value holds")


def test_an_overlap_may_be_stored_as_a_contradiction(memory: Memory) -> None:
    counts = memory.load(
        [TOLD, lives("f1", "Dublin", 2020), lives("f2", "Cork", 2019, on_conflict="contradict")]
    )
    assert counts["contradictions"] == 1
    assert memory.group("f1") == memory.group("f2") is not None
    assert memory.versions("f1") == [(2020, None, True, False)]
    assert memory.versions("f2") == [(2019, None, True, False)]
    memory.load([lives("f3", "Rome", 2021)])
    assert memory.group("f3") is None


def test_a_newcomer_may_end_where_the_next_value_starts(memory: Memory) -> None:
    memory.load(
        [TOLD, lives("f1", "Dublin", 2020), lives("f2", "Cork", 2018, on_conflict="truncate")]
    )
    assert memory.versions("f2") == [(2018, 2020, True, True)]
    memory.refused([lives("f3", "Rome", 2020, on_conflict="truncate")], "TS006")
    before = memory.dump()
    memory.load([lives("f2", "Cork", 2018, on_conflict="truncate")])
    assert memory.dump() == before


def test_a_newcomer_inside_one_and_over_another_is_an_overlap(memory: Memory) -> None:
    memory.load([TOLD, lives("f1", "Dublin", 2018, 2020), lives("f2", "Cork", 2021)])
    memory.refused([lives("f3", "Rome", 2019)], "TS006")
    memory.load([lives("f3", "Rome", 2019, on_conflict="truncate")])
    assert memory.versions("f1")[-1] == (2018, 2019, True, True)
    assert memory.versions("f3") == [(2019, 2021, True, True)]


def test_another_role_contradicts_and_never_replaces(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            said("t2", "Marta moved to Mars.", role="tool"),
            lives("f1", "Dublin", 2020),
            lives("f2", "Mars", 2022, told="t2: Marta moved"),
        ]
    )
    assert memory.versions("f1") == [(2020, None, True, False)]
    assert memory.group("f1") == memory.group("f2") is not None


def test_the_same_value_of_another_subject_does_not_contradict(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            said("t2", "Marta moved there.", subject="s2"),
            said("t3", "Marta moved, they say.", subject=None),
            lives("f1", "Dublin", 2020),
            lives("f2", "Dublin", 2022, told="t2: Marta moved"),
            lives("f3", "Cork", 2010, 2015, told="t3: Marta moved"),
        ]
    )
    assert memory.group("f1") is None
    assert memory.group("f2") is None
    assert memory.group("f3") is None
    memory.load([lives("f4", "Cork", 2021, told="t3: Marta moved")])
    assert memory.group("f4") == memory.group("f1") == memory.group("f2") is not None


def test_contradictions_join_into_one_group(memory: Memory) -> None:
    facts = [fact(f"f{n}", "Marta", "is", "t1: Marta", value=str(n)) for n in range(1, 6)]
    memory.load(
        [
            TOLD,
            *facts,
            {"type": "contradiction", "facts": ["f1", "f2"]},
            {"type": "contradiction", "facts": ["f3", "f4"]},
            {"type": "contradiction", "facts": ["f4", "f1"]},
        ]
    )
    assert len({memory.group(f"f{n}") for n in range(1, 5)}) == 1
    assert memory.group("f5") is None


def test_many_values_never_replace_each_other(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            lives("f1", "Dublin", 2020) | {"cardinality": "many"},
            lives("f2", "Cork", 2022) | {"cardinality": None},
        ]
    )
    assert memory.versions("f1") == [(2020, None, True, False)]


def test_a_predicate_decides_only_for_the_facts_after_it(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            fact("f1", "Marta", "is", "t1: Marta", value="a"),
            {"type": "predicate", "predicate": "is", "cardinality": "one"},
            fact("f2", "Marta", "is", "t1: Marta", value="b"),
        ]
    )
    assert memory.rows("select cardinality from taisce.fact order by recorded_at") == [
        ("many",),
        ("one",),
    ]


# Retracting


def test_a_retracted_fact_told_with_new_evidence_is_believed_again(memory: Memory) -> None:
    memory.load([TOLD, lives("f1", "Dublin", 2020), {"type": "retract", "fact": "f1"}])
    assert memory.versions("f1") == [(2020, None, False, False)]
    memory.load([lives("f1", "Dublin", 2020)])
    assert memory.versions("f1") == [(2020, None, False, False)]
    memory.load([lives("f1", "Dublin", 2020, told="t1: moved about")])
    assert memory.versions("f1") == [(2020, None, False, False), (2020, None, True, False)]
    assert memory.value("select retracted_at from taisce.fact") is None


def test_a_change_withdraws_the_reports_that_cover_it(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            lives("f1", "Dublin", 2020),
            {"type": "community", "key": "k", "members": ["Marta"]},
            {"type": "report", "community": "k", "title": "T", "summary": "S", "facts": ["f1"]},
        ]
    )
    assert memory.value("select withdrawn_at from taisce.report") is None
    memory.load([lives("f2", "Cork", 2022)])
    assert memory.value("select withdrawn_cause from taisce.report") == "superseded"
