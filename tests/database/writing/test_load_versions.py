"""Version lines: the history of a fact as an administrator tells it, to the microsecond."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from taisce_pg.errors import ConflictingValue, TaisceError
from taisce_pg.load.apply import load_lines
from tests.support.memories import fact, turn

Connection = psycopg.Connection[Any]
TICK = timedelta(microseconds=1)
TOLD = datetime(2026, 1, 10, tzinfo=UTC)


def day(number: int) -> datetime:
    return datetime(2025, 1, number, 12, 0, 0, 123456, tzinfo=UTC)


def version(key: str, known: datetime, until: datetime | None = None, **more: Any) -> Any:
    times = {"known_from": known, "known_until": until, **more}
    return {
        "type": "version", "fact": key, "valid_from": None, "valid_until": None,
        **{
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in times.items()
        },
    }  # fmt: skip


@pytest.fixture
def told(conn: Connection) -> Connection:
    """Two homes, of which only one can hold at a time, and something that can hold beside."""
    homes = {"predicate": "lives_in", "cardinality": "one", "known_from": TOLD.isoformat()}
    load_lines(
        conn,
        "p",
        [
            turn("t", "So it is."),
            fact("a", "Ann", "lives in A", "t", "So it is", object="A",
                 valid_from=day(1).isoformat(), valid_until=day(5).isoformat(), **homes),
            fact("b", "Ann", "lives in B", "t", "So it is", object="B",
                 valid_from=day(20).isoformat(), **homes),
            fact("c", "Ann", "likes C", "t", "So it is", predicate="likes", object="C",
                 known_from=TOLD.isoformat()),
        ],
    )  # fmt: skip
    return conn


def versions(conn: Connection, key: str) -> list[tuple[Any, ...]]:
    return conn.execute(
        "select nullif(v.known_from, '-infinity'), nullif(v.known_to, 'infinity'),"
        " nullif(v.valid_from, '-infinity'), nullif(v.valid_to, 'infinity'), v.live, v.replaced,"
        " v.cause, v.closed_cause from taisce.fact_version as v"
        " join taisce.load_key as k on k.project_id = v.project_id and k.id = v.fact_id"
        " where k.kind = 'fact' and k.key = %s order by 1",
        [key],
    ).fetchall()


def test_a_version_is_what_its_line_says(told: Connection) -> None:
    line = version("c", day(2), day(3), valid_from=day(1), valid_until=day(9), replaced=True)
    counts = load_lines(told, "p", [line]).counts
    assert (counts["versions"], counts["repeated"]) == (1, 0)
    assert versions(told, "c") == [
        (day(2), day(3), day(1), day(9), False, True, "loaded", "loaded"),
        (TOLD, None, None, None, True, False, "asserted", None),
    ]


def test_twice_changes_nothing_and_another_end_takes_its_place(told: Connection) -> None:
    load_lines(told, "p", [version("c", day(2), day(3))])
    counts = load_lines(told, "p", [version("c", day(2), day(3))]).counts
    assert (counts["versions"], counts["repeated"]) == (0, 1)
    for change in (
        {"until": day(3) + TICK},
        {"until": day(3), "valid_from": day(1)},
        {"until": day(3), "valid_from": day(1), "valid_until": day(4)},
        {"until": day(3), "valid_from": day(1), "valid_until": day(4), "replaced": True},
    ):
        counts = load_lines(told, "p", [version("c", day(2), **change)]).counts
        assert (counts["versions"], counts["repeated"]) == (0, 0), change
        assert len(versions(told, "c")) == 2
    assert versions(told, "c")[0][:6] == (day(2), day(3), day(1), day(4), False, True)


def test_versions_meet_in_known_time_and_do_not_overlap(told: Connection) -> None:
    load_lines(told, "p", [version("c", day(2), day(3)), version("c", day(3), TOLD)])
    assert [row[:2] for row in versions(told, "c")] == [
        (day(2), day(3)), (day(3), TOLD), (TOLD, None),
    ]  # fmt: skip
    for line in (
        version("c", day(1), day(2) + TICK),
        version("c", day(3) - TICK, day(3)),
        version("c", TOLD + TICK, TOLD + 2 * TICK),
        version("c", day(2), day(3) + TICK),
    ):
        with pytest.raises(TaisceError, match="overlaps another version"):
            load_lines(told, "p", [line])
    assert len(versions(told, "c")) == 3


def test_only_what_is_believed_and_has_not_ended_is_live(told: Connection) -> None:
    ahead = datetime(2090, 1, 1, tzinfo=UTC)
    for until, live in ((day(9), False), (ahead, True), (None, True)):
        load_lines(told, "p", [version("c", TOLD, valid_until=until)])
        assert versions(told, "c")[-1][4] is live, until


def test_another_value_keeps_its_place_to_the_microsecond(told: Connection) -> None:
    """A holds until day 5 and B from day 20: A may reach up to B, and not into it."""
    load_lines(told, "p", [version("a", TOLD, valid_from=day(1), valid_until=day(20))])
    assert versions(told, "a")[-1][2:4] == (day(1), day(20))
    with pytest.raises(ConflictingValue):
        load_lines(told, "p", [version("a", TOLD, valid_from=day(1), valid_until=day(20) + TICK)])
    load_lines(told, "p", [version("b", TOLD, valid_from=day(20))])
    with pytest.raises(ConflictingValue):
        load_lines(told, "p", [version("b", TOLD, valid_from=day(20) - TICK)])
    # What is believed no more stands in nobody's way.
    load_lines(told, "p", [version("a", day(2), day(3), valid_from=day(1))])
    assert versions(told, "a")[0][:4] == (day(2), day(3), day(1), None)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (version("c", day(3), day(3)), "must be later than known_from"),
        (version("c", day(3), day(2)), "must be later than known_from"),
        (version("c", day(2), day(3), valid_from=day(4), valid_until=day(4)), "than valid_from"),
        (version("c", datetime(2090, 1, 1, tzinfo=UTC)), "known_from: lies in the future"),
        (version("c", day(2), datetime(2090, 1, 1, tzinfo=UTC)), "known_until: lies in the future"),
    ],
)
def test_times_that_cannot_be_are_refused(told: Connection, line: Any, why: str) -> None:
    before = versions(told, "c")
    with pytest.raises(TaisceError, match=why):
        load_lines(told, "p", [line])
    assert versions(told, "c") == before


def test_the_clock_and_reports_follow(told: Connection) -> None:
    load_lines(
        told,
        "p",
        [
            {"type": "community", "key": "k", "members": ["Ann"]},
            {"type": "report", "community": "k", "title": "t", "summary": "s", "facts": ["c"]},
        ],
    )
    causes = "select withdrawn_cause from taisce.report"
    assert told.execute(causes).fetchall() == [(None,)]
    stamps = "select last_stamp from taisce.project_clock"
    late = datetime.now(UTC) - timedelta(seconds=1)
    load_lines(told, "p", [version("c", TOLD, late)])
    assert told.execute(stamps).fetchall() == [(late,)]
    assert told.execute(causes).fetchall() == [("loaded",)]
    load_lines(told, "p", [version("c", day(2), day(3))])
    assert told.execute(stamps).fetchall() == [(late,)], "it never goes back"
