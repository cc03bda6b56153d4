"""Writers at once, transactions that look back, clocks that step back, and what was read before."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.writing import Conn, Row, Writer, assertion, year

WRITERS = 12
TOLD = ". ".join(f"I live in city {number:02d}" for number in range(40))
MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def writer(conn: Conn) -> Writer:
    made = Writer(conn)
    made.say(TOLD, "t1")
    return made


def city(number: int, begins: int, until: int | None = None, **more: Any) -> Row:
    told = assertion("I", "lives_in", f"t1: I live in city {number:02d}", value=f"{number:02d}")
    times = {"valid_from": year(begins), "valid_until": until and year(until)}
    return {**told, **times, **more}


def at_once(database: Database, work: Callable[[Writer, int], Any]) -> list[Any]:
    """Let twelve connections do something at the same moment; returns what came of each."""
    start = Barrier(WRITERS)

    def one(number: int) -> Any:
        with database.connect() as conn:
            start.wait(30)
            try:
                return work(Writer(conn, new=False), number)
            except psycopg.Error as error:
                return error.sqlstate

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(one, range(WRITERS)))


def test_twelve_values_at_once_leave_one_open_version_and_no_gap(
    writer: Writer, database: Database
) -> None:
    starts = random.Random(7).sample(range(2000, 2030), WRITERS)
    done = at_once(
        database,
        lambda one, number: one.do(
            "assert_fact", **city(number, starts[number], on_conflict="truncate")
        ),
    )
    assert all(isinstance(row, dict) for row in done), done
    held = writer.held()
    assert sorted(begin for _, begin, _ in held) == sorted(starts)
    assert [until for _, _, until in held] == [*sorted(starts)[1:], None]
    assert writer.gaps() == []
    # Whatever was believed at any moment, it was one value at a time.
    overlaps = writer.value(
        """
        select count(*) from taisce.fact_version as a join taisce.fact_version as b
            on a.fact_id < b.fact_id and a.known_from < b.known_to and b.known_from < a.known_to
            and a.valid_from < b.valid_to and b.valid_from < a.valid_to
        """
    )
    assert overlaps == 0
    stamps = writer.value(
        "select count(distinct known_from) from taisce.fact_version where cause = 'asserted'"
    )
    assert stamps == WRITERS


def test_of_twelve_values_from_one_start_one_is_taken(writer: Writer, database: Database) -> None:
    done = at_once(database, lambda one, number: one.do("assert_fact", **city(number, 2020)))
    assert sorted(str(row) for row in done if not isinstance(row, dict)) == ["TS006"] * 11
    assert len(writer.held()) == 1


def test_twelve_times_the_same_is_one_fact(writer: Writer, database: Database) -> None:
    done = at_once(database, lambda one, number: one.do("assert_fact", **city(1, 2020)))
    assert all(row == done[0] for row in done)
    assert writer.value("select count(*) from taisce.fact_version") == 1


def test_twelve_times_the_same_key_is_one_observation(writer: Writer, database: Database) -> None:
    done = at_once(database, lambda one, number: one.say("Hello.", "k"))
    assert sorted(row["repeated"] for row in done) == [False] + [True] * 11
    assert {row["log_offset"] for row in done} == {2}


def test_offsets_of_twelve_observers_have_no_gap(writer: Writer, database: Database) -> None:
    at_once(database, lambda one, number: [one.say(f"{number}.") for _ in range(5)])
    offsets = writer.rows("select log_offset from taisce.observation order by 1")
    assert [offset for (offset,) in offsets] == list(range(1, 62))


def test_merges_and_assertions_at_once_leave_no_fact_of_an_absorbed_entity(
    writer: Writer, database: Database
) -> None:
    for number in range(WRITERS):
        writer.believe(f"n{number}", "is", "t1: city 00", value="x")

    def work(one: Writer, number: int) -> None:
        if number % 2:
            one.do("merge_entities", absorbed=f"n{number}", survivor="n0")
        else:
            one.believe(
                f"n{number + 1}", "does", "t1: city 01", value=str(number), cardinality="many"
            )

    at_once(database, work)
    assert (
        writer.value(
            "select count(*) from taisce.fact f join taisce.entity e"
            " on e.entity_id = f.subject_entity_id where e.status <> 'active'"
        )
        == 0
    )
    assert writer.value("select count(*) from taisce.fact where predicate = 'does'") == 6


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_a_snapshot_that_is_older_than_the_last_write_is_refused(
    writer: Writer, database: Database, level: str
) -> None:
    with database.connect() as conn:
        late = Writer(conn, new=False)
        conn.execute(f"begin isolation level {level}".encode())
        conn.execute("select count(*) from taisce.fact")
        writer.do("assert_fact", **city(1, 2020))
        with pytest.raises(psycopg.errors.SerializationFailure) as caught:
            late.do("assert_fact", **city(2, 2020))
        assert "read committed" in (caught.value.diag.message_hint or "")
        conn.execute("rollback")
        late.do("assert_fact", **city(2, 2021))
    assert writer.held() == [("01", 2020, 2021), ("02", 2021, None)]


def test_a_merge_makes_an_older_snapshot_fail_too(writer: Writer, database: Database) -> None:
    for name in ("Bob", "Robert"):
        writer.believe(name, "is", "t1: city 00", value="x")
    with database.connect() as conn:
        late = Writer(conn, new=False)
        conn.execute("begin isolation level repeatable read")
        conn.execute("select count(*) from taisce.fact")
        writer.do("merge_entities", absorbed="Bob", survivor="Robert")
        with pytest.raises(psycopg.errors.SerializationFailure):
            late.believe("Bob", "does", "t1: city 01", value="x")
        conn.execute("rollback")


def test_a_clock_that_steps_back_never_breaks_the_order_of_knowledge(writer: Writer) -> None:
    first = writer.do("assert_fact", **city(1, 2020))
    ahead = datetime.now(UTC) + timedelta(hours=3)
    writer.rows("update taisce.project_clock set last_stamp = %s returning 1", ahead)
    second = writer.do("assert_fact", **city(2, 2021))
    third = writer.do("correct_fact", fact_id=second["fact_id"], **city(3, 2021))
    gone = writer.do("retract_fact", fact_id=first["fact_id"])
    order = [ahead, second["known_from"], third["known_from"], gone["retracted_at"]]
    assert order == sorted(set(order))
    assert writer.known_through() == order[-1]
    assert writer.held() == [("03", 2021, None)]
    assert writer.gaps() == []


@pytest.fixture(scope="module")
def shared(module_database: Database) -> Iterator[Conn]:
    with module_database.connect() as conn:
        yield conn


Action = tuple[str, int, int, int | None]
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["assert", "contradict", "truncate", "correct", "retract", "back"]),
        st.integers(0, 5),
        st.integers(2000, 2008),
        st.one_of(st.none(), st.integers(1, 4)),
    ),
    min_size=3,
    max_size=12,
)


def reading(writer: Writer, known: datetime) -> list[Any]:
    """Read what is believed at some instants, by the knowledge of one; without what may change."""
    return writer.rows(
        """
        select v.at, f.fact_id, f.statement, f.value, f.valid_from, f.valid_until, f.known_from
        from generate_series(1999, 2013, 2) as y (year)
        cross join lateral (select make_timestamptz(y.year, 6, 1, 0, 0, 0, 'UTC') as at) as v
        cross join lateral memory_v1.facts_at(
            v.at, v.at + interval '1 us', %s, %s, project => %s, max_rows => 1000) as f
        order by 1, 2
        """,
        known,
        known + MICROSECOND,
        writer.project,
    )


@settings(
    max_examples=size(15, 200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(actions=ACTIONS)
def test_what_was_read_up_to_known_through_never_changes(
    shared: Conn, actions: list[Action]
) -> None:
    writer = Writer(shared, f"law {random.SystemRandom().random()}")
    writer.say(TOLD, "t1")
    facts: list[Any] = []
    read: dict[datetime, list[Any]] = {}
    for place, (what, which, begins, years) in enumerate(actions):
        until = begins + years if years else None
        try:
            if what == "back":
                writer.rows(
                    "update taisce.project_clock set last_stamp = last_stamp + interval '1 hour'"
                    " where project_id = (select project_id from taisce.project where name = %s)"
                    " and isfinite(last_stamp) returning 1",
                    writer.project,
                )
            elif what in ("assert", "contradict", "truncate"):
                how = "refuse" if what == "assert" else what
                told = city(place, begins, until, on_conflict=how)
                facts.append(writer.do("assert_fact", **told)["fact_id"])
            elif facts:
                fact_id = facts[which % len(facts)]
                if what == "retract":
                    writer.do("retract_fact", fact_id=fact_id)
                else:
                    told = city(place, begins, until)
                    facts.append(writer.do("correct_fact", fact_id=fact_id, **told)["fact_id"])
        except psycopg.Error as error:
            if error.sqlstate not in ("TS005", "TS006"):
                raise
        known = writer.value(
            "select nullif(last_stamp, '-infinity') from taisce.project_clock join taisce.project"
            " using (project_id) where name = %s",
            writer.project,
        )
        if known is not None and known not in read:
            read[known] = reading(writer, known)
    for moment, before in read.items():
        assert reading(writer, moment) == before
    assert writer.gaps() == []
