"""Laws of the two clocks: edges to the microsecond, starts to come, modes, merges, open writers.

Every law is asked of several reads at once, and drawn with hypothesis where a value matters.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.writing import Conn, Writer, assertion

US = timedelta(microseconds=1)
SKEW = timedelta(minutes=5)
TOLD = "Ann lives somewhere. " + " ".join(f"Value {n:02d} it is." for n in range(60))
# Shrinking takes minutes where every example is a project of its own.
EXAMPLES = settings(
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    max_examples=size(12, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
INSTANTS = st.datetimes(datetime(2001, 1, 1), datetime(2024, 1, 1)).map(
    lambda made: made.replace(tzinfo=UTC)
)


@pytest.fixture(scope="module")
def shared(module_database: Database) -> Iterator[Conn]:
    with module_database.connect() as conn:
        yield conn


def memory(conn: Conn) -> Writer:
    """Make a project of its own, with one turn to quote from."""
    made = Writer(conn, f"law {random.SystemRandom().random()}")
    made.say(TOLD, "t")
    return made


def hold(
    writer: Writer, number: int, since: datetime | None, until: datetime | None = None, **more: Any
) -> dict[str, Any]:
    """Assert that Ann has a value from an instant until another."""
    values = {"predicate": "has", "cardinality": "many", **more}
    told = assertion("Ann", told=f"t: Value {number:02d}", value=f"{number:02d}", **values)
    return writer.do("assert_fact", **told, valid_from=since, valid_until=until)


def column(writer: Writer, query: str, values: dict[str, Any]) -> set[str]:
    rows = writer.conn.execute(query.encode(), {**values, "project": writer.project}).fetchall()
    return {row[0] for row in rows}


RECALLED = """
    select f ->> 'value' from jsonb_array_elements(memory_v1.recall('Ann', project => %(project)s,
        as_of => %(at)s, as_known_at => %(known)s) -> 'facts') as f
"""
ROWS = """
    select value from memory_v1.recall_facts('Ann', project => %(project)s, as_of => %(at)s,
        as_known_at => %(known)s)
"""
WALKED = """
    select w.value from memory_v1.recall_anchors('Ann', project => %(project)s) as a
    cross join lateral memory_v1.fact_walk(array[a.entity_id], project => %(project)s,
        as_of => %(at)s, as_known_at => %(known)s) as w
"""
FILTERED = """
    select value from memory_v1.facts_at(%(at)s, %(at)s + interval '1 us',
        coalesce(%(known)s, 'infinity'::timestamptz),
        coalesce(%(known)s + interval '1 us', 'infinity'), project => %(project)s)
"""
AUDITED = """
    select value from memory_v1.facts_as_of(%(at)s, coalesce(%(known)s, now()),
        project => %(project)s)
"""
CONFIRMED = """
    select value from memory_v1.fact_context('value it is', project => %(project)s, k => 30,
        time_scope => %(scope)s)
"""
READS = (RECALLED, ROWS, WALKED, FILTERED, AUDITED, CONFIRMED)
UNBOUNDED = (RECALLED, ROWS, WALKED, FILTERED, AUDITED)
"""All but the one that gives at most thirty."""


def ask(
    writer: Writer,
    at: datetime,
    known: datetime | None = None,
    reads: tuple[str, ...] = READS,
) -> set[str]:
    """Read what held at an instant, by the knowledge of another; all reads must agree."""
    scope: dict[str, Any] = {"mode": "at", "at": at.isoformat()}
    if known:
        scope["believed_at"] = known.isoformat()
    answers = [
        column(writer, query, {"at": at, "known": known, "scope": Jsonb(scope)}) for query in reads
    ]
    assert all(answer == answers[0] for answer in answers), answers
    return answers[0]


def current(
    writer: Writer,
    known: datetime | None = None,
    reads: tuple[str, ...] = (RECALLED, ROWS, WALKED, CONFIRMED),
) -> set[str]:
    """Read what is current, now or by the knowledge of an instant; all reads must agree."""
    scope: dict[str, Any] = {"mode": "current"}
    if known:
        scope["believed_at"] = known.isoformat()
    given = {"at": None, "known": known, "scope": Jsonb(scope)}
    answers = [column(writer, query, given) for query in reads]
    if known is None:
        writer.conn.execute("select set_config('taisce.project', %s, false)", [writer.project])
        answers.append(column(writer, "select value from memory_v1.facts_current", {}))
    assert all(answer == answers[0] for answer in answers), answers
    return answers[0]


def in_mode(writer: Writer, mode: str, **instants: datetime) -> set[str]:
    scope = {"mode": mode, **{name: one.isoformat() for name, one in instants.items()}}
    return column(writer, CONFIRMED, {"scope": Jsonb(scope)})


@EXAMPLES
@given(start=INSTANTS, lasts=st.integers(1, 10**12))
def test_a_window_is_half_open_to_the_microsecond(
    shared: Conn, start: datetime, lasts: int
) -> None:
    writer = memory(shared)
    end = start + lasts * US
    hold(writer, 1, start, end)
    assert ask(writer, start - US) == set()
    assert ask(writer, start) == {"01"}
    assert ask(writer, end - US) == {"01"}
    assert ask(writer, end) == set()


@EXAMPLES
@given(start=INSTANTS, later=st.integers(1, 10**12))
def test_of_two_values_that_meet_one_holds_at_every_instant(
    shared: Conn, start: datetime, later: int
) -> None:
    writer = memory(shared)
    hold(writer, 1, start, cardinality="one")
    hold(writer, 2, start + later * US, cardinality="one")
    assert ask(writer, start + later * US - US) == {"01"}
    assert ask(writer, start + later * US) == {"02"}
    assert current(writer) == {"02"}


def test_a_correction_shows_the_old_belief_before_its_instant_and_the_new_from_it_on(
    shared: Conn,
) -> None:
    writer = memory(shared)
    at = datetime(2020, 1, 1, tzinfo=UTC)
    first = hold(writer, 1, at, cardinality="one")
    told = assertion("Ann", "has", "t: Value 02", value="02", valid_from=at)
    second = writer.do("correct_fact", fact_id=first["fact_id"], **told)
    gone = writer.do("retract_fact", fact_id=second["fact_id"])
    known = (first["known_from"], second["known_from"], gone["retracted_at"])
    assert [ask(writer, at, k - US) for k in known] == [set(), {"01"}, {"02"}]
    assert [ask(writer, at, k) for k in known] == [{"01"}, {"02"}, set()]
    assert [current(writer, k - US) for k in known] == [set(), {"01"}, {"02"}]
    assert [current(writer, k) for k in known] == [{"01"}, {"02"}, set()]
    # What is later than all knowledge is read as the last of it.
    assert ask(writer, at, known[-1] + timedelta(days=9)) == set()


def test_a_start_to_come_is_not_current_but_for_the_skew_of_clocks(shared: Conn) -> None:
    writer = memory(shared)
    margin = timedelta(seconds=20)
    now = datetime.now(UTC)
    hold(writer, 1, now - timedelta(days=9), cardinality="one")
    hold(writer, 2, now + SKEW + margin, cardinality="one")
    assert current(writer) == {"01"}
    assert ask(writer, now + SKEW + margin - US) == {"01"}
    assert ask(writer, now + SKEW + margin) == {"02"}
    assert in_mode(writer, "history") == {"01"}
    other = memory(shared)
    hold(other, 1, now - timedelta(days=9), cardinality="one")
    hold(other, 2, now + SKEW - margin, cardinality="one")
    # A clock of a client that is a little ahead neither hides the new nor shows both.
    assert current(other) == {"02"}
    ending = memory(shared)
    hold(ending, 1, now - timedelta(days=9), now + margin)
    assert current(ending) == {"01"}
    ended = memory(shared)
    hold(ended, 1, now - timedelta(days=9), now - US)
    assert current(ended) == set()


WINDOWS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20)), min_size=1, max_size=6)


@EXAMPLES
@given(windows=WINDOWS, first=st.integers(-1, 60), lasts=st.integers(0, 20))
def test_overlap_includes_both_ends_and_history_all_that_began(
    shared: Conn, windows: list[tuple[int, int]], first: int, lasts: int
) -> None:
    writer = memory(shared)
    zero = datetime(2020, 1, 1, tzinfo=UTC)
    for number, (since, years) in enumerate(windows):
        hold(writer, number, zero + since * US, zero + (since + years) * US)
    start, end = zero + first * US, zero + (first + lasts) * US
    wanted = {
        f"{number:02d}"
        for number, (since, years) in enumerate(windows)
        if since <= first + lasts and since + years > first
    }
    assert in_mode(writer, "overlap", **{"from": start, "to": end}) == wanted
    everything = {f"{number:02d}" for number in range(len(windows))}
    hold(writer, 59, datetime.now(UTC) + timedelta(days=1))
    assert in_mode(writer, "history") == everything


Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(st.sampled_from(["merge", "unmerge", "tell"]), st.integers(0, 4), st.integers(0, 4)),
    min_size=2,
    max_size=10,
)


@EXAMPLES
@given(steps=STEPS)
def test_names_and_ends_as_of_an_instant_are_those_that_were_read_at_it(
    shared: Conn, steps: list[Step]
) -> None:
    """Merges and unmerges in any order; what was read with the identity of then comes again."""
    writer = memory(shared)
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve"]
    for number, name in enumerate(names):
        hold_of(writer, name, names[number - 1], number)
    merges: list[Any] = []
    read: dict[datetime, Any] = {}

    def look(moment: datetime, regime: str) -> Any:
        return writer.rows(
            "select fact_id, subject, subject_id, object, object_id, value"
            " from memory_v1.facts_as_of('2024-01-01Z', %s, 1000, %s, %s) order by 1",
            moment,
            regime,
            writer.project,
        )

    for place, (what, one, other) in enumerate(steps):
        try:
            if what == "tell":
                hold_of(writer, names[one], names[other], 10 + place)
            elif what == "merge":
                row = writer.do("merge_entities", absorbed=names[one], survivor=names[other])
                merges.append(row["merge_id"])
            elif merges:
                writer.do("unmerge", merge_id=merges.pop())
        except psycopg.Error as error:
            if (error.sqlstate or "")[:2] != "TS":
                raise
        # A merge has no stamp of knowledge: a belief of the same instant is told after it.
        row = writer.believe("Nobody", "is", f"t: Value {30 + place:02d}", value=str(place),
                             cardinality="many")  # fmt: skip
        moment = row["known_from"]
        assert look(moment, "current") == look(moment, "as_of")
        read[moment] = look(moment, "as_of")
    for moment, before in read.items():
        assert look(moment, "as_of") == before


def hold_of(writer: Writer, subject: str, object: str, number: int) -> None:
    told = assertion(subject, "knows", f"t: Value {number:02d}", object=object)
    writer.do("assert_fact", **{**told, "cardinality": "many"})


def scribble(writer: Writer, rng: random.Random) -> None:
    """Do one thing to what Ann has, for better or worse."""
    start = datetime(2001 + rng.randrange(20), 1, 1, tzinfo=UTC)
    number = rng.randrange(60)
    facts = writer.rows(
        "select fact_id from taisce.fact join taisce.project using (project_id) where name = %s"
        " order by random() limit 1",
        writer.project,
    )
    what = rng.choice(("assert", "assert", "contradict", "truncate", "correct", "retract"))
    if what in ("assert", "contradict", "truncate"):
        how = "refuse" if what == "assert" else what
        hold(writer, number, start, cardinality="one", on_conflict=how)
    elif facts and what == "retract":
        writer.do("retract_fact", fact_id=facts[0][0])
    elif facts:
        told = assertion("Ann", "has", f"t: Value {number:02d}", value=f"{number:02d}")
        writer.do("correct_fact", fact_id=facts[0][0], **told, valid_from=start)


def test_what_is_known_through_never_changes_while_writers_are_in_flight(
    module_database: Database,
) -> None:
    """Readers take known_through while transactions are open, some of which are rolled back."""
    with module_database.connect() as conn:
        base = memory(conn)
        hold(base, 1, datetime(2001, 1, 1, tzinfo=UTC), cardinality="one")
        stop = threading.Event()
        problems: list[BaseException] = []

        def go(work: Callable[[Writer, random.Random], None], seed: int) -> None:
            rng = random.Random(seed)
            try:
                with module_database.connect() as own:
                    writer = Writer(own, base.project, new=False)
                    while not stop.is_set():
                        work(writer, rng)
            except BaseException as error:
                problems.append(error)

        def write(writer: Writer, rng: random.Random) -> None:
            try:
                with writer.conn.transaction():
                    for _ in range(rng.randint(1, 3)):
                        scribble(writer, rng)
                        time.sleep(rng.random() * 0.01)
                    if rng.random() < 0.3:
                        raise psycopg.Rollback
            except psycopg.Error as error:
                if error.sqlstate not in ("TS005", "TS006"):
                    raise

        seen: dict[datetime, list[Any]] = {}

        def watch(writer: Writer, _: random.Random) -> None:
            known = known_through(writer)
            read = everything_at(writer, known)
            assert seen.setdefault(known, read) == read

        threads = [
            threading.Thread(target=go, args=(work, seed))
            for seed, work in enumerate((write, write, write, watch, watch))
        ]
        for thread in threads:
            thread.start()
        until = time.monotonic() + size(20, 60)
        while len(seen) < size(8, 40) and not problems and time.monotonic() < until:
            time.sleep(0.1)
        stop.set()
        for thread in threads:
            thread.join()
        assert problems == []
        assert len(seen) > 2
        for known, before in seen.items():
            assert everything_at(base, known) == before
        assert base.gaps() == []


def known_through(writer: Writer) -> datetime:
    found: datetime = writer.value(
        "select (memory_v1.freshness(%s) ->> 'known_through')::timestamptz", writer.project
    )
    return found


def everything_at(writer: Writer, known: datetime) -> list[Any]:
    """Read by the knowledge of an instant, at several valid times and as current then."""
    instants = [datetime(2000 + step, 6, 1, tzinfo=UTC) for step in range(0, 24, 6)]
    return [
        [sorted(ask(writer, at, known, UNBOUNDED)) for at in instants],
        sorted(current(writer, known, (RECALLED, ROWS, WALKED))),
    ]


def test_a_writer_that_has_its_stamp_but_no_commit_is_not_yet_known(
    module_database: Database,
) -> None:
    with module_database.connect() as conn, module_database.connect() as other:
        writer = memory(conn)
        first = hold(writer, 1, None, cardinality="one")
        late = Writer(other, writer.project, new=False)
        at = datetime(2022, 1, 1, tzinfo=UTC)
        with other.transaction():
            stamp = hold(late, 2, datetime(2020, 1, 1, tzinfo=UTC), cardinality="one")["known_from"]
            assert known_through(writer) == first["known_from"] < stamp
            assert ask(writer, at, stamp) == {"01"}
            bundle = writer.value(
                "select memory_v1.recall('Ann', project => %s, as_known_at => %s) -> 'scope'",
                writer.project,
                stamp,
            )
            assert datetime.fromisoformat(bundle["read_as_known_at"]) == first["known_from"]
        assert ask(writer, at, stamp) == {"02"}
        assert ask(writer, at, stamp - US) == {"01"}
