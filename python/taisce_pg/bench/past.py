"""Past reads at a hub of superseded facts: counted index entries and buffers, by size.

A hub has the history of some years: a fact of cardinality one in each of many slots, replaced
round by round, so that one version in eleven is believed and holds today, and all the others lie
before it in fact order. It is then read as known early, in the middle and late. Nothing is timed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any
from uuid import UUID

import psycopg

from taisce_pg.bench.probe import count
from taisce_pg.problem import Problem

SIZES = (1_000, 10_000, 100_000)
ROUNDS = 6
"""Values of a slot: six facts, of which five are replaced, make eleven versions."""
HUB = "Past Hub"
INSTANTS = {"early": None, "middle": 0.5, "late": 0.97}
"""Shares of the history; early is when FEW facts had been told, too few to fill the answer."""
FEW = 40
_START = datetime(2020, 1, 1, tzinfo=UTC)
_SPAN = timedelta(days=4 * 365)
_WHOLE = 1_000_000
_TABLES = (
    "observation",
    "message",
    "claim",
    "entity_mention",
    "fact",
    "fact_version",
    "fact_evidence",
    "version_block",
)


@dataclass(frozen=True)
class Reading:
    """What a recall at the hub read, as known at an instant.

    `growth` is its entries against those of the next smaller hub, `bound` the square root of
    how much larger the hub is; None for the smallest.
    """

    versions: int
    known: str
    facts: int
    entries: int
    buffers: int
    growth: float | None = None
    buffer_growth: float | None = None
    bound: float | None = None

    @property
    def met(self) -> bool | None:
        """Say whether it grew no faster than the bound; None without a smaller hub."""
        if self.growth is None or self.buffer_growth is None or self.bound is None:
            return None
        return self.growth <= self.bound and self.buffer_growth <= self.bound

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {**asdict(self), "met": self.met}


def make_hub(conn: psycopg.Connection[Any], versions: int, seed: int = 1) -> str:
    """Make a project with a hub of about so many versions, maintain it, and return its name.

    `conn` is a superuser's, in autocommit; the project is granted to him. The same arguments
    write the same rows. Raises Problem for a user who is no superuser.
    """
    if conn.execute("show is_superuser").fetchone() != ("on",):
        raise Problem("only a superuser may write rows past the loader", "connect as one")
    project = f"past_{versions}"
    slots = max(round(versions / (2 * ROUNDS - 1)), 1)
    row = conn.execute("select memory_v1.create_project(name => %s)", [project]).fetchone()
    assert row is not None
    values = {
        "project_id": row[0],
        "name": HUB,
        "hub": str(UUID(int=versions)),
        "slots": slots,
        "rounds": ROUNDS,
        "seed": seed,
        "start": _START.isoformat(),
        "step": f"{_SPAN // timedelta(microseconds=1) // (slots * ROUNDS)} microseconds",
    }
    text = files("taisce_pg.bench").joinpath("sql/past_hub.sql").read_text()
    with conn.transaction():
        conn.execute("set local session_replication_role = replica")
        psycopg.ClientCursor(conn).execute(text.encode(), values)
    conn.execute("select * from memory_v1.maintain(project => %s)", [project])
    conn.execute(f"vacuum (analyze) {', '.join(f'taisce.{name}' for name in _TABLES)}".encode())
    return project


def read(conn: psycopg.Connection[Any], project: str, known: str, **controls: Any) -> Reading:
    """Count what a warm recall at the hub reads, as known at one of the INSTANTS."""
    values = {
        "question": f"What of {HUB}?",
        "project": project,
        "max_characters": _WHOLE,
        "as_known_at": _instant(conn, project, known),
        **controls,
    }
    given = ", ".join(f"{name} => %({name})s" for name in values)
    query = f"select memory_v1.recall({given})"
    for _ in range(2):
        row = conn.execute(query.encode(), values).fetchone()
    assert row is not None
    bundle = json.loads(row[0]) if isinstance(row[0], str) else row[0]
    counted = count(conn, query, values)
    found = conn.execute(
        "select count(*) from taisce.fact_version join taisce.project using (project_id)"
        " where name = %s",
        [project],
    ).fetchone()
    assert found is not None
    return Reading(found[0], known, len(bundle["facts"]), counted.entries, counted.buffers)


def _instant(conn: psycopg.Connection[Any], project: str, known: str) -> datetime:
    share = INSTANTS[known]
    if share is not None:
        return _START + _SPAN * share
    row = conn.execute(
        "select o.occurred_at from taisce.observation as o join taisce.project using (project_id)"
        " where name = %s and o.log_offset = %s",
        [project, FEW],
    ).fetchone()
    assert row is not None
    told: datetime = row[0]
    return told


def compare(smaller: Sequence[Reading], larger: Sequence[Reading]) -> Iterator[Reading]:
    """Yield the readings of the larger hub with their growth against the smaller one."""
    before = {one.known: one for one in smaller}
    for one in larger:
        other = before[one.known]
        yield Reading(
            one.versions,
            one.known,
            one.facts,
            one.entries,
            one.buffers,
            one.entries / other.entries,
            one.buffers / other.buffers,
            math.sqrt(one.versions / other.versions),
        )


def measure(
    conn: psycopg.Connection[Any], sizes: Sequence[int] = SIZES, seed: int = 1
) -> Iterator[Reading]:
    """Make hubs of the sizes, smallest first, and yield what reading each of them costs."""
    before: list[Reading] = []
    for versions in sizes:
        project = make_hub(conn, versions, seed)
        readings = [read(conn, project, known) for known in INSTANTS]
        yield from compare(before, readings) if before else readings
        before = readings
