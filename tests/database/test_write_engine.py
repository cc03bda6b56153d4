"""What memory_v1.load does with the lines it is given, rule by rule."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from random import Random
from typing import Any

import psycopg
import pytest

from tests.model.strategies import make_case
from tests.support.sizes import size

Line = dict[str, Any]
Row = dict[str, Any]
Conn = psycopg.Connection[Any]

# Everything but the stage, whose rows live for a transaction, and the installer's own.
TABLES = """
    select c.relname from pg_class as c
    where c.relnamespace = 'taisce'::regnamespace and c.relkind = 'r' and not c.relispartition
      and c.relname !~ '^ledger'
    order by 1
"""


class Memory:
    """A project to load lines into, and what is stored of it."""

    def __init__(self, conn: Conn, project: str = "p") -> None:
        self.conn = conn
        self.project = project
        self.first_line = 1

    def load(self, lines: Iterable[Any]) -> Row:
        """Load lines in one transaction; returns the counts."""
        with self.conn.transaction(), self.conn.cursor() as cur:
            with cur.copy("copy memory_v1.load_stage (line, body) from stdin") as copy:
                for number, line in enumerate(lines, self.first_line):
                    copy.write_row((number, json.dumps(line)))
            cur.execute("select * from memory_v1.load(project => %s)", [self.project])
            assert cur.description is not None
            row = cur.fetchone()
            return dict(zip((column.name for column in cur.description), row or (), strict=True))

    def refused(self, lines: Iterable[Any], code: str = "TS008") -> str:
        """Load lines that must be refused; returns the detail. Nothing may be left."""
        before = self.dump()
        with pytest.raises(psycopg.Error) as caught:
            self.load(lines)
        assert caught.value.sqlstate == code, caught.value
        assert self.dump() == before
        return caught.value.diag.message_detail or ""

    def rows(self, query: str, *values: Any) -> list[Any]:
        return self.conn.execute(query, values or None).fetchall()

    def value(self, query: str, *values: Any) -> Any:
        row = self.conn.execute(query, values or None).fetchone()
        return row[0] if row else None

    def dump(self) -> dict[str, list[str]]:
        """Give every row of every table as text, as the owner sees them without row security."""
        return {
            name: sorted(row for (row,) in self.rows(f"select t::text from taisce.{name} as t"))
            for (name,) in self.rows(TABLES)
        }

    def versions(self, key: str) -> list[tuple[Any, ...]]:
        """List (from year, to year, believed now, replaced) of a fact's versions in known order."""
        return self.rows(
            """
            select case when isfinite(v.valid_from) then extract(year from v.valid_from)::int end,
                case when isfinite(v.valid_to) then extract(year from v.valid_to)::int end,
                v.known_to = 'infinity', v.replaced
            from taisce.fact_version as v
            join taisce.load_key as k on k.id = v.fact_id and k.kind = 'fact'
            where k.key = %s order by v.known_from
            """,
            key,
        )

    def group(self, key: str) -> Any:
        return self.value(
            "select f.contradiction_group from taisce.fact as f join taisce.load_key as k"
            " on k.id = f.fact_id where k.kind = 'fact' and k.key = %s",
            key,
        )

    def ends(self, key: str) -> tuple[Any, ...]:
        found: tuple[Any, ...] = self.rows(
            """
            select s.canonical_name, o.canonical_name from taisce.fact as f
            join taisce.load_key as k on k.id = f.fact_id and k.kind = 'fact'
            join taisce.entity as s on s.entity_id = f.subject_entity_id
            left join taisce.entity as o on o.entity_id = f.object_entity_id
            where k.key = %s
            """,
            key,
        )[0]
        return found


@pytest.fixture
def memory(conn: Conn) -> Memory:
    return Memory(conn)


def said(
    key: str, content: str, role: str = "user", subject: str | None = "s1", **more: Any
) -> Line:
    return {
        "type": "observation",
        "key": key,
        "data_subject_id": subject,
        "messages": [{"role": role, "content": content}],
        **more,
    }


def entity(name: str, key: str | None = None, **more: Any) -> Line:
    return {"type": "entity", "name": name, "key": key, **more}


def fact(key: str, subject: Any, predicate: str | None, told: str, **more: Any) -> Line:
    """Make a fact line; told is 'observation: quote'."""
    observation, quote = told.split(": ", 1)
    return {
        "type": "fact",
        "key": key,
        "subject": subject,
        "predicate": predicate,
        "statement": more.pop("statement", key),
        "evidence": [{"observation": observation, "quote": quote}],
        **more,
    }


def lives(key: str, place: str, since: int | None, until: int | None = None, **more: Any) -> Line:
    return fact(
        key,
        more.pop("subject", "Marta"),
        "lives_in",
        more.pop("told", "t1: Marta moved"),
        object=place,
        cardinality="one",
        valid_from=f"{since}-01-01T00:00:00Z" if since else None,
        valid_until=f"{until}-01-01T00:00:00Z" if until else None,
        **more,
    )


TOLD = said("t1", "Marta moved about, says Dr. Nuño to Bob.")


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


def outline(memory: Memory) -> list[Any]:
    """Give what a project holds, without ids and stamps."""
    number = memory.value("select project_id from taisce.project where name = %s", memory.project)
    queries = (
        "select canonical_name, entity_type, profile, status, identity_kind from taisce.entity"
        " where project_id = %s order by 1, 4",
        "select name_key, kind, e.canonical_name from taisce.entity_name as n"
        " join taisce.entity as e using (project_id, entity_id) where n.project_id = %s"
        " order by 1, 3",
        "select f.statement, s.canonical_name, o.canonical_name, f.object_value,"
        " v.valid_from::text, v.valid_to::text, v.live, v.replaced, v.slot, v.contested,"
        " v.cause, v.closed_cause,"
        " f.contradiction_group is null, f.retracted_at is null, f.superseded_by is null"
        " from taisce.fact as f join taisce.fact_version as v using (project_id, fact_id)"
        " join taisce.entity as s on s.project_id = f.project_id"
        " and s.entity_id = f.subject_entity_id"
        " left join taisce.entity as o on o.project_id = f.project_id"
        " and o.entity_id = f.object_entity_id"
        " where f.project_id = %s order by v.known_from, f.statement, v.valid_from, v.valid_to",
        "select e.canonical_name, m.ordinal, c.quote from taisce.entity_mention as m"
        " join taisce.entity as e using (project_id, entity_id)"
        " left join taisce.claim as c using (project_id, claim_id)"
        " where m.project_id = %s order by 1, 2, 3",
        "select kind, key from taisce.load_key where project_id = %s and kind <> 'retraction'"
        " order by 1, 2",
        "select stored, formed, parked from taisce.project_clock where project_id = %s",
        "select title, withdrawn_cause from taisce.report where project_id = %s",
    )
    return [memory.rows(query, number) for query in queries]


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
