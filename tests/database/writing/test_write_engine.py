"""What memory_v1.load does with the lines it is given, and with a file told twice."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from random import Random

import psycopg
import pytest

from tests.model.strategies import make_case
from tests.support.load_memory import TOLD, Conn, Line, Memory, entity, fact, lives, outline, said
from tests.support.sizes import size


@pytest.fixture
def memory(conn: Conn) -> Memory:
    return Memory(conn)


# Loading again


EVERYTHING: list[Line] = [
    {"type": "project", "default_source_roles": ["user", "document"]},
    {"type": "predicate", "predicate": "lives_in", "cardinality": "one", "description": "where"},
    TOLD,
    said("t2", "I like tea. Robert Smith is Bob Smith.", occurred_at="2026-01-05T10:00:00Z"),
    said("t3", "Marta moved to Mars.", role="tool"),
    said("t4", "parked", parked="too odd", formed=False),
    entity("Marta Nowak", "e1", aliases=["Marta", "M. Nowak"], profile="Engineer.", source="t1"),
    {"type": "entity", "speaker_of": "s1", "key": "me"},
    lives("f1", "Dublin", 2020),
    lives("f2", "Cork", 2022),
    lives("f3", "Mars", 2021, told="t3: Marta moved"),
    fact("f4", "I", "likes", "t2: I like tea", value="tea", confidence=0.5),
    fact("f5", {"key": "e1"}, None, "t1: moved about", statement="moves about"),
    {
        "type": "claim",
        "key": "c1",
        "observation": "t1",
        "quote": "Dr. Nuño",
        "claim_text": "There is a Dr. Nuño.",
        "mentions": ["Dr. Nuño", {"key": "e1"}],
        "asserted_at": "2026-01-05T10:00:00+01:00",
        "claim_valid_precision": "day",
    },
    fact("f6", "Bob Smith", "knows", "t2: Bob Smith", object="Marta"),
    fact("f7", "Robert Smith", "knows", "t2: Robert Smith", object="Marta", statement="f6"),
    {"type": "merge", "absorbed": "Bob Smith", "survivor": "Robert Smith"},
    {"type": "retract", "fact": "f4", "reason": "a mistake"},
    fact("f4", "I", "likes", "t2: like tea", value="tea", statement="f4"),
    {"type": "contradiction", "facts": ["f5", "f6"]},
    {"type": "community", "key": "k1", "members": ["Marta", "Robert Smith"]},
    {"type": "community", "key": "k2", "level": 1, "parent": "k1", "members": [{"speaker": "s1"}]},
    {
        "type": "report",
        "community": "k1",
        "title": "They",
        "summary": "They know each other.",
        "importance": 7.5,
        "facts": ["f6", "f7"],
        "sources": ["t2"],
    },
    {
        "type": "segment",
        "data_subject_id": "s1",
        "level": 1,
        "from_offset": 1,
        "to_offset": 2,
        "summary": "Talk.",
    },
]


def test_a_file_loaded_twice_changes_nothing(memory: Memory) -> None:
    counts = memory.load(EVERYTHING)
    assert counts["lines"] == len(EVERYTHING)
    assert (counts["observations"], counts["facts"], counts["merges"]) == (4, 7, 1)
    assert (counts["superseded"], counts["retracted"], counts["reports"]) == (1, 1, 1)
    before = memory.dump()
    again = memory.load(EVERYTHING)
    assert memory.dump() == before
    assert again["repeated"] == len(EVERYTHING)
    assert again["facts"] == again["versions"] == again["evidence"] == again["merges"] == 0


def test_line_by_line_gives_the_same_as_all_at_once(memory: Memory, conn: Conn) -> None:
    memory.load(EVERYTHING)
    single = Memory(conn, "q")
    for line in EVERYTHING:
        single.load([line])
    assert outline(memory) == outline(single)


def test_an_idempotency_key_vouches_for_its_content(memory: Memory) -> None:
    memory.load([TOLD])
    assert memory.refused([said("t1", "Something else.")], "TS007") == (
        "line 1, field key: was used before with other content"
    )
    memory.refused([said("t9", "a"), said("t9", "b")], "TS007")


def test_a_fact_told_again_gains_evidence(memory: Memory) -> None:
    memory.load([TOLD, fact("f1", "Marta", "is", "t1: Marta moved", value="mobile")])
    stamp = memory.value("select known_from from taisce.fact_version")
    counts = memory.load([fact("f1", "Marta", "is", "t1: moved about", value="mobile")])
    assert (counts["facts"], counts["versions"], counts["evidence"]) == (0, 0, 1)
    assert memory.value("select max(linked_at) > %s from taisce.fact_evidence", stamp)


def test_a_key_of_an_earlier_file_may_be_referred_to(memory: Memory) -> None:
    memory.load([TOLD, entity("Marta", "e1"), lives("f1", "Dublin", 2020)])
    memory.load([fact("f2", {"key": "e1"}, "is", "t1: Marta moved", value="tall")])
    memory.load([{"type": "retract", "fact": "f1"}])
    assert memory.versions("f1") == [(2020, None, False, False)]


# History


def test_a_known_time_may_be_given(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            lives("f1", "Dublin", 2020, known_from="2020-06-01T00:00:00Z"),
            lives("f2", "Cork", 2022, known_from="2022-06-01T00:00:00Z"),
            {
                "type": "version",
                "fact": "f1",
                "valid_from": "2019-01-01T00:00:00Z",
                "known_from": "2019-06-01T00:00:00Z",
                "known_until": "2020-06-01T00:00:00Z",
            },
        ]
    )
    assert memory.rows(
        "select known_from::date::text, known_to::text from taisce.fact_version as v"
        " join taisce.fact as f using (fact_id) where f.statement = 'f1' order by 1"
    ) == [
        ("2019-06-01", memory.value("select '2020-06-01Z'::timestamptz::text")),
        ("2020-06-01", memory.value("select '2022-06-01Z'::timestamptz::text")),
        ("2022-06-01", "infinity"),
    ]
    assert memory.value("select last_stamp from taisce.project_clock") == memory.value(
        "select '2022-06-01Z'::timestamptz"
    )
    version = {"type": "version", "fact": "f1", "known_from": "2019-12-01T00:00:00Z"}
    assert memory.refused([version]).endswith("overlaps another version of the fact in known time")
    late = lives("f3", "Rome", 2023, known_from="2022-01-01T00:00:00Z")
    assert "known_from" in memory.refused([late])


def test_a_given_offset_leaves_empty_places_before_it(memory: Memory) -> None:
    memory.load([TOLD, said("t2", "a", log_offset=4), said("t3", "b")])
    assert memory.rows(
        "select log_offset, erased, idempotency_key from taisce.observation order by 1"
    ) == [(1, False, "t1"), (2, True, None), (3, True, None), (4, False, "t2"), (5, False, "t3")]
    assert memory.rows("select stored, formed, parked from taisce.project_clock") == [(5, 5, 0)]
    memory.refused([said("t4", "c", log_offset=3)])


def test_freshness_counts_what_is_formed_and_parked(memory: Memory) -> None:
    memory.load(
        [TOLD, said("t2", "a", parked="odd"), said("t3", "b", formed=False), said("t4", "c")]
    )
    assert memory.rows("select stored, formed, parked from taisce.project_clock") == [(4, 2, 1)]


# Merging


def test_a_merge_moves_all_that_named_the_absorbed_one(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            entity("Bob Smith", "b", aliases=["Bob", "R. Smith"]),
            entity("Robert Smith", "r", aliases=["R. Smith"]),
            fact("f1", "Bob", "knows", "t1: Bob", object="Marta"),
            fact("f2", "Marta", "knows", "t1: Bob", object="Bob"),
            {"type": "community", "key": "k", "members": ["Bob", "Robert Smith"]},
            {"type": "merge", "absorbed": {"key": "b"}, "survivor": "Robert Smith"},
            fact("f3", "bob", "is", "t1: Bob", value="tall"),
            fact("f4", {"key": "b"}, "is", "t1: Bob", value="old"),
        ]
    )
    assert memory.ends("f1") == ("Robert Smith", "Marta")
    assert memory.ends("f2") == ("Marta", "Robert Smith")
    assert memory.ends("f3") == ("Robert Smith", None)
    assert memory.ends("f4") == ("Robert Smith", None)
    assert memory.rows("select name_key, kind from taisce.entity_name where words > 0 order by 1")[
        :3
    ] == [("bob", "alias"), ("bob smith", "alias"), ("marta", "canonical")]
    assert memory.value("select count(*) from taisce.community_member") == 1
    assert memory.rows(
        "select v.subject_entity_id = f.subject_entity_id,"
        " v.object_entity_id is not distinct from f.object_entity_id"
        " from taisce.fact_version as v join taisce.fact as f using (fact_id) group by 1, 2"
    ) == [(True, True)]
    detail = memory.refused([{"type": "merge", "absorbed": {"key": "r"}, "survivor": {"key": "b"}}])
    assert detail == "line 1, field survivor: was merged into the absorbed one before"


def test_values_that_meet_in_a_merge_contradict(memory: Memory) -> None:
    memory.load(
        [
            TOLD,
            lives("f1", "Dublin", 2020, subject="Bob"),
            lives("f2", "Dublin", 2020, subject="Robert", statement="f1"),
            lives("f3", "Cork", 2010, 2012, subject="Robert"),
            {"type": "merge", "absorbed": "Bob", "survivor": "Robert"},
        ]
    )
    assert memory.group("f1") == memory.group("f2") is not None
    assert memory.group("f3") is None


def test_what_cannot_merge_is_refused(memory: Memory) -> None:
    memory.load([TOLD, {"type": "entity", "speaker_of": "s1"}, entity("Marta")])
    merge = {"type": "merge", "absorbed": {"speaker": "s1"}, "survivor": "Marta"}
    assert memory.refused([merge]).startswith("line 1, field absorbed: is a speaker")
    merge = {"type": "merge", "absorbed": "Nobody", "survivor": "Marta"}
    assert memory.refused([merge]).endswith("is not an entity declared before")


def test_a_line_may_stand_in_the_stage_once(memory: Memory, conn: Conn) -> None:
    memory.load([TOLD])
    conn.execute("begin")
    for _ in range(2):
        conn.execute("insert into memory_v1.load_stage (line, body) values (1, %s)", [_json(TOLD)])
    with pytest.raises(psycopg.Error) as caught:
        conn.execute("select memory_v1.load('p')")
    conn.execute("rollback")
    assert caught.value.sqlstate == "TS008"
    assert caught.value.diag.message_detail == "line 1: stands in the stage twice"


def _json(line: Line) -> str:
    return json.dumps(line)


def test_lines_of_another_transaction_are_left_alone(memory: Memory, conn: Conn) -> None:
    conn.execute("insert into memory_v1.load_stage (line, body) values (1, '{}')")
    assert memory.load([TOLD])["lines"] == 1
    assert memory.value("select count(*) from memory_v1.load_stage") == 1


def test_a_batch_sees_what_an_earlier_one_of_the_transaction_declared(
    memory: Memory, conn: Conn
) -> None:
    with conn.transaction():
        memory.load([TOLD, entity("Marta", "e1")])
        memory.load([fact("f1", {"key": "e1"}, "is", "t1: Marta", value="x")])
    assert memory.ends("f1") == ("Marta", None)


# Tables without foreign keys


REFERENCES = (
    ("observation", "project", "project_id"),
    ("message", "observation", "project_id, observation_id"),
    ("claim", "message", "project_id, observation_id, ordinal"),
    ("fact_version", "fact", "project_id, fact_id"),
    ("fact_evidence", "fact", "project_id, fact_id"),
    ("fact_evidence", "claim", "project_id, claim_id"),
    ("entity_name", "entity", "project_id, entity_id"),
    ("entity_mention", "entity", "project_id, entity_id"),
    ("entity_mention", "message", "project_id, observation_id, ordinal"),
    ("community_member", "entity", "project_id, entity_id"),
    ("report_fact", "fact", "project_id, fact_id"),
    ("report_source", "observation", "project_id, observation_id"),
    ("fact", "project_clock", "project_id"),
    ("entity", "project_clock", "project_id"),
    ("load_key", "project_clock", "project_id"),
)


def test_no_row_refers_to_one_that_is_not_there(memory: Memory) -> None:
    memory.load(EVERYTHING)
    for table, other, columns in REFERENCES:
        names = columns.split(", ")
        same = " and ".join(f"o.{name} = t.{name}" for name in names)
        orphans = memory.value(
            f"select count(*) from taisce.{table} as t"
            f" where not exists (select from taisce.{other} as o where {same})"
        )
        assert orphans == 0, (table, other)
    unsupported = memory.value(
        "select count(*) from taisce.fact as f where not exists"
        " (select from taisce.fact_evidence as e"
        " where e.fact_id = f.fact_id and e.stance = 'supports')"
    )
    assert unsupported == 0


@pytest.mark.parametrize("seed", range(size(3, 20)))
def test_any_file_means_the_same_line_by_line_and_nothing_twice(
    memory: Memory, conn: Conn, seed: int
) -> None:
    lines = make_case(Random(seed), datetime.now(UTC)).lines
    memory.load(lines)
    single = Memory(conn, "q")
    for number, line in enumerate(lines, 1):
        single.first_line = number
        single.load([line])
    assert outline(memory) == outline(single)
    before = memory.dump()
    memory.load(lines)
    single.load(lines)
    assert memory.dump() == before
