"""Somebody changes office, and somebody is forgotten: what the demo writes, and takes back.

All of it is invented, and erased at the end: the memory is then what it was, so that the demo
can be run again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from psycopg import sql

from taisce_pg import errors

if TYPE_CHECKING:
    from uuid import UUID

    import psycopg

    from taisce_pg.client.memory import Memory

OFFICE = "Speaker of the House"
NEWCOMER = "Ada Example"
QUESTION = f"Who is {OFFICE}?"
NOTICE = "Invented for this demonstration: {quote}. Nothing of the kind has happened."
VISITOR = "demo visitor"
SECRET = "quillwort"
SAID = f"My spare key lies under the pot of {SECRET}. Tell nobody."
ASKED = f"Where do I keep my key? {SECRET}"

Form = Literal["asserted", "bundle", "citation", "timeline", "erased", "left"]


@dataclass(frozen=True)
class Step:
    """A step of the correction: what it is, what it shows, and what came of it."""

    title: str
    shows: str
    form: Form
    answer: Any


def correct(memory: Memory, conn: psycopg.Connection[Any], project: str) -> Iterator[Step]:
    """Assert a change of office, look at it from both clocks, and forget a planted person.

    Yields each step when it is done; all that was written is erased at the end, also when the
    caller stops in between. `conn` looks for what is left in the tables that its role may read.
    """
    _forget_leftovers(memory, project)
    before = memory.freshness(project=project).known_through
    notice: list[UUID] = []
    try:
        yield from _change_of_office(memory, project, before, notice)
        yield from _forgetting(memory, conn, project)
        counts = memory.erase_observations(notice, project=project)
        notice.clear()
        yield Step(
            "The notice is erased",
            "It was invented: it goes too, with the fact that rested on it.",
            "erased",
            counts,
        )
        yield Step(
            "Believed after that",
            "What the notice had ended holds again, as if it had never been told.",
            "bundle",
            memory.recall(QUESTION, project=project),
        )
    finally:
        if notice:
            memory.erase_observations(notice, project=project)
        with suppress(errors.NotFound):
            memory.erase_subject(VISITOR, project=project)


def _change_of_office(
    memory: Memory, project: str, before: Any, notice: list[UUID]
) -> Iterator[Step]:
    started = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    started -= timedelta(days=1)
    quote = f"{NEWCOMER} took office as {OFFICE} on {started:%B} {started.day}, {started.year}"
    told = memory.observe(
        [{"role": "document", "content": NOTICE.format(quote=quote)}],
        kind="document",
        title="An invented notice",
        project=project,
    )
    notice.append(told.observation_id)
    made = memory.assert_fact(
        OFFICE,
        predicate="held_by",
        object=NEWCOMER,
        statement=f"{OFFICE} is held by {NEWCOMER}.",
        evidence=[{"observation": {"id": told.observation_id}, "quote": quote}],
        valid_from=started,
        cardinality="one",
        project=project,
    )
    memory.mark_formed(told.observation_id, project=project)
    yield Step(
        f"{NEWCOMER} takes office",
        "One call: an office has one holder, so the fact before is ended, and kept.",
        "asserted",
        made,
    )
    yield Step("Believed now", QUESTION, "bundle", memory.recall(QUESTION, project=project))
    yield Step(
        "Believed before",
        f"{QUESTION} By the knowledge of a moment ago (as_known_at).",
        "bundle",
        memory.recall(QUESTION, project=project, as_known_at=before),
    )
    yield Step(
        "Why",
        "The citation of the new fact: every quote held against the bytes of its source.",
        "citation",
        memory.resolve_citation(made.fact_id, project=project),
    )
    yield Step(
        "On two clocks",
        "When it held goes across, when that was believed goes down.",
        "timeline",
        [
            memory.record_history(fact_id, project=project)
            for fact_id in (made.superseded, made.fact_id)
            if fact_id is not None
        ],
    )


def _forgetting(memory: Memory, conn: psycopg.Connection[Any], project: str) -> Iterator[Step]:
    told = memory.observe(
        [{"role": "user", "content": SAID}], data_subject_id=VISITOR, project=project
    )
    memory.assert_fact(
        "I",
        predicate="keeps_key",
        value=f"under the pot of {SECRET}",
        statement=f"The spare key lies under the pot of {SECRET}.",
        evidence=[{"observation": {"id": told.observation_id}, "quote": SAID.partition(".")[0]}],
        project=project,
    )
    memory.mark_formed(told.observation_id, project=project)
    yield Step(
        "A visitor says something",
        ASKED,
        "bundle",
        memory.recall(ASKED, data_subject_id=VISITOR, project=project),
    )
    _, held = rows_holding(conn, SECRET)
    yield Step(
        "The visitor is erased",
        "Everything about a person in one transaction, counted table by table.",
        "erased",
        memory.erase_subject(VISITOR, project=project),
    )
    asked = memory.recall(ASKED, data_subject_id=VISITOR, project=project)
    history = memory.context(VISITOR, project=project)
    tables, rows = rows_holding(conn, SECRET)
    yield Step(
        "Nothing is left",
        f"Every read is asked again, and every row of every table for the word “{SECRET}”.",
        "left",
        {
            "facts": len(asked.facts),
            "passages": len(asked.passages),
            "turns": len(history.turns),
            "records": len(memory.list_records(data_subject_id=VISITOR, project=project)),
            "tables_searched": tables,
            "rows_before": held,
            "rows_after": rows,
        },
    )


def rows_holding(conn: psycopg.Connection[Any], word: str) -> tuple[int, int]:
    """Count the tables of the schema that this role may read, and their rows that hold a word.

    Case is ignored.
    """
    tables = conn.execute(
        "select c.relname from pg_catalog.pg_class as c"
        " where c.relnamespace = 'taisce'::regnamespace and c.relkind = 'r'"
        " and pg_catalog.has_table_privilege(c.oid, 'select') order by 1"
    ).fetchall()
    found = 0
    for (name,) in tables:
        query = sql.SQL("select count(*) from taisce.{} as t where lower(t::text) like %s")
        row = conn.execute(query.format(sql.Identifier(name)), [f"%{word.lower()}%"]).fetchone()
        found += row[0] if row else 0
    return len(tables), found


def _forget_leftovers(memory: Memory, project: str) -> None:
    """Erase what a run that was killed has left."""
    with suppress(errors.NotFound):
        memory.erase_subject(VISITOR, project=project)
    left = {
        evidence.observation_id
        for fact in memory.recall(NEWCOMER, project=project).facts
        for evidence in fact.evidence
    }
    if left:
        memory.erase_observations(left, project=project)
