"""Load the demo memory once, and ask it the questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from taisce_pg import errors
from taisce_pg.demo import source
from taisce_pg.demo.ground import VERSION_NAME
from taisce_pg.demo.questions import QUESTIONS, Question
from taisce_pg.problem import Problem

if TYPE_CHECKING:
    import psycopg

    from taisce_pg.client.memory import Memory
    from taisce_pg.client.models import Bundle

BATCH = 2_000


def loaded_edition(memory: Memory, project: str) -> str | None:
    """Return the data version of the demo memory in a project; None if it is to be loaded.

    That is so without the project, in an empty one, and after a load that was interrupted.
    Raises Problem if the project is somebody's own: the demo never mixes with other memories.
    """
    try:
        bundle = memory.recall(VERSION_NAME, project=project, source_roles=["document"])
    except errors.UnknownProject:
        return None
    told = {fact.predicate: fact.value for fact in bundle.facts}
    if told.get("data_version"):
        return told["data_version"]
    if "made_from" in told or bundle.freshness.stored == 0:
        return None
    raise Problem(
        f"the project {project} holds something else than the demo",
        "choose another name: taisce-pg demo --project NAME",
    )


def load_demo(
    conn: psycopg.Connection[Any],
    project: str,
    lines: list[dict[str, Any]],
    on_progress: Callable[[int], None] | None = None,
) -> None:
    """Load the lines of the demo memory into a project.

    `on_progress` is told how many lines have been done. Batches are committed one by one, for
    the progress; the lines of a load that was interrupted change nothing the second time.
    """
    from taisce_pg.load.apply import load_lines

    load_lines(conn, project, lines, "demo", batch=BATCH, on_progress=on_progress)


def open_to_analysts(conn: psycopg.Connection[Any], project: str) -> None:
    """Let analysts read the demo memory, so that `taisce-pg query` has something to ask."""
    from taisce_pg.install.ledger import installed_prefix

    group = f"{installed_prefix(conn)}_analyst"
    conn.execute("select memory_v1.grant_project(%s, %s, 'read')", [project, group])


def is_current(edition: str) -> bool:
    """Say whether a loaded edition is that of this package."""
    return edition == source.version()


def ask(memory: Memory, project: str) -> Iterator[tuple[Question, list[Bundle]]]:
    """Ask every question; one with a past is asked twice, today first."""
    for question in QUESTIONS:
        answers = [memory.recall(question.text, project=project, **question.controls)]
        if question.past:
            past = {**question.controls, "as_of": question.past}
            answers.append(memory.recall(question.text, project=project, **past))
        yield question, answers
