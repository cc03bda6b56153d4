"""Every function that writes, called by twelve connections at the same moment.

What is the same for all is done once and repeated by the others; what only one can do is done by
one and refused to the others; what differs is done for all. Never is anything half done.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.reference import ROOT
from tests.support.writing import CASTS, TABLES, Conn, Row, Writer, assertion, year

WRITERS = 12
TOLD = " ".join(f"I live in city {n:02d}." for n in range(WRITERS + 2))
PASSED = datetime.now(UTC) - timedelta(days=1)


@dataclass(frozen=True)
class Story:
    """Ids of a small memory, to write to."""

    observation: Any
    other: Any
    fact: Any
    rival: Any
    entity: Any
    merge: Any


@dataclass(frozen=True)
class Case:
    """A function, what each of the writers calls it with, and what may come of it.

    `once` is how many calls may do something; the others are repeats, or refused with `code`.
    """

    function: str
    values: Callable[[Story, int], Row]
    once: int = 1
    code: str | None = None


def told(number: int, **more: Any) -> Row:
    """Make what is asserted of one city."""
    given = assertion("I", "lives_in", f"t: I live in city {number:02d}", value=f"{number:02d}")
    return {**given, "valid_from": year(2000 + number), **more}


CASES = (
    Case(
        "observe",
        lambda s, n: {
            "messages": [{"role": "user", "content": "x"}], "idempotency_key": "same"
        },
    ),
    Case("assert_fact", lambda s, n: told(WRITERS + 1)),
    Case("correct_fact", lambda s, n: told(n, fact_id=s.fact), code="TS005"),
    Case("retract_fact", lambda s, n: {"fact_id": s.fact, "reason": "so"}),
    Case("withdraw_support", lambda s, n: {"fact_id": s.fact}),
    Case("mark_contradiction", lambda s, n: {"fact_ids": [s.fact, s.rival]}),
    Case("add_alias", lambda s, n: {"entity_id": s.entity, "alias": "the same"}),
    Case("merge_entities", lambda s, n: {"absorbed": "Ann", "survivor": "Bob"}),
    Case("unmerge", lambda s, n: {"merge_id": s.merge}),
    Case("mark_formed", lambda s, n: {"observation_id": s.other}),
    Case("park", lambda s, n: {"observation_id": s.other, "reason": "no text"}),
    Case(
        "register_segment",
        lambda s, n: {
            "data_subject_id": "s1", "level": 1, "from_offset": 1, "to_offset": 2,
            "summary": str(n % 2),
        },
        code="TS006",
    ),
    Case("register_community", lambda s, n: {"key": "k", "members": ["Ann", "Bob"]}),
    Case(
        "register_report",
        lambda s, n: {"community": "all", "title": "t", "summary": "s", "fact_ids": [s.fact]},
    ),
    Case("begin_rebuild", lambda s, n: {"from_offset": 1, "to_offset": 1 + n % 2}, code="TS005"),
    Case("advance_rebuild", lambda s, n: {"at_offset": 1}),
    Case("end_rebuild", lambda s, n: {}, code="TS004"),
    Case("report_feedback", lambda s, n: {"fact_id": s.fact, "kind": "wrong"}, once=WRITERS),
    Case("release_content", lambda s, n: {"observation_id": s.observation}),
    Case("erase_observations", lambda s, n: {"ids": [s.observation]}, code="TS004"),
    Case("erase_subject", lambda s, n: {"data_subject_id": "s1"}, code="TS004"),
    Case("expire", lambda s, n: {}),
    Case("maintain", lambda s, n: {}),
)  # fmt: skip
WRITE = ROOT / "db" / "functions" / "write"
"""The functions of this room; those that tend an installation have tests of their own."""


def call(writer: Writer, function: str, values: Row) -> list[Row]:
    """Call a function that gives one row or several."""
    made = {
        name: json.dumps(value) if CASTS.get(name) == "jsonb" else value
        for name, value in {**values, "project": writer.project}.items()
    }
    casts = {**CASTS, "ids": "uuid[]"}
    given = ", ".join(f"{name} => %({name})s::{casts.get(name, 'text')}" for name in made)
    with writer.conn.cursor() as cur:
        cur.execute(f"select * from memory_v1.{function}({given})".encode(), made)
        names = [column.name for column in cur.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cur.fetchall()]


def opening(writer: Writer, function: str) -> Story:
    """Tell what the case needs."""
    first = writer.say(TOLD, "t")
    other = writer.say("More.", "u")
    passed = writer.do(
        "observe", messages=[{"role": "user", "content": "Passing."}], retention_until=PASSED,
        data_subject_id="s1",
    )  # fmt: skip
    assert passed["log_offset"] == 3
    fact = writer.do("assert_fact", **told(WRITERS))
    rival = writer.believe("I", "likes", "t: city 01", value="tea", cardinality="many")
    for name in ("Ann", "Bob", "Cleo"):
        writer.believe(name, "is", "t: city 02", value="x", cardinality="many")
    entity = writer.value("select entity_id from taisce.entity where canonical_name = 'Bob'")
    writer.do("register_community", key="all", members=["Ann"])
    merge = None
    if function == "unmerge":
        merge = writer.do("merge_entities", absorbed="Cleo", survivor="Bob")["merge_id"]
    if function in ("advance_rebuild", "end_rebuild"):
        writer.do("begin_rebuild", from_offset=1, to_offset=2)
    return Story(first["observation_id"], other["observation_id"], fact["fact_id"],
                 rival["fact_id"], entity, merge)  # fmt: skip


def rows(conn: Conn) -> Counter[str]:
    """Count the rows of every table, without what holds a random id or an instant."""
    return Counter(
        {
            name: conn.execute(f"select count(*) from taisce.{name}".encode()).fetchall()[0][0]
            for (name,) in conn.execute(TABLES.encode())
        }
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_twelve_at_once_come_to_what_one_after_the_other_would(
    case: Case, conn: Conn, database: Database
) -> None:
    writer = Writer(conn)
    story = opening(writer, case.function)
    before = rows(conn)
    start = Barrier(WRITERS)

    def one(number: int) -> Any:
        with database.connect() as own:
            start.wait(30)
            try:
                return call(Writer(own, new=False), case.function, case.values(story, number))
            except psycopg.Error as error:
                return error.sqlstate

    with ThreadPoolExecutor(WRITERS) as pool:
        done = list(pool.map(one, range(WRITERS)))
    refusals = {answer for answer in done if not isinstance(answer, list)}
    assert refusals <= {case.code}, done
    answers = [answer for answer in done if isinstance(answer, list)]
    if "repeated" in answers[0][0]:
        assert sum(not answer[0]["repeated"] for answer in answers) == case.once
    elif case.code:
        assert len({str(answer) for answer in answers}) == case.once
    added = rows(conn) - before
    assert writer.gaps() == []
    # Whose words came first shows in the counts of words.
    won = [number for number, answer in enumerate(done) if isinstance(answer, list)]
    numbers = won[: case.once] if case.code else range(case.once)
    assert added == one_call(case, numbers, conn), added
    assert dangling(conn) == []


def one_call(case: Case, numbers: Iterable[int], conn: Conn) -> Counter[str]:
    """Count what the calls of these numbers add, in a project of their own."""
    writer = Writer(conn, "alone")
    story = opening_again(writer, case.function)
    before = rows(conn)
    for number in numbers:
        call(writer, case.function, case.values(story, number))
    return rows(conn) - before


def opening_again(writer: Writer, function: str) -> Story:
    story = opening(writer, function)
    entity = writer.value(
        "select entity_id from taisce.entity join taisce.project using (project_id)"
        " where canonical_name = 'Bob' and name = 'alone'"
    )
    return Story(story.observation, story.other, story.fact, story.rival, entity, story.merge)


def dangling(conn: Conn) -> list[Any]:
    """List facts that lack a version, evidence or an end, and words of nothing."""
    return conn.execute(
        """
        select f.statement
        from taisce.fact as f
        where not exists (
                select from taisce.fact_version as v
                where (v.project_id, v.fact_id) = (f.project_id, f.fact_id))
           or not exists (
                select from taisce.fact_evidence as e
                where (e.project_id, e.fact_id) = (f.project_id, f.fact_id))
           or not exists (
                select from taisce.entity as e
                where (e.project_id, e.entity_id) = (f.project_id, f.subject_entity_id)
                    and e.status <> 'merged')
        """
    ).fetchall()


def test_every_function_that_writes_is_called_above() -> None:
    text = "".join(file.read_text("utf-8") for file in WRITE.glob("*.sql*"))
    writing = set(re.findall(r"create or replace function memory_v1\.(\w+)", text))
    assert len(writing) > 20
    assert writing == {case.function for case in CASES}
