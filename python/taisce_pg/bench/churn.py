"""What many supersessions leave behind: pages, dead rows, and what a recall then reads.

Values of cardinality one are replaced again and again by the loader, each of them once in a
transaction, with autovacuum as the server has it. Nothing is timed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from taisce_pg.bench.probe import count
from taisce_pg.load.apply import load_lines

PROJECT = "churn"
_START = datetime(2000, 1, 1, tzinfo=UTC)
_TABLES = ("fact", "fact_version", "fact_evidence", "posting", "word_statistics", "project_clock")
_SIZES = """
    select c.relname, pg_relation_size(c.oid) / current_setting('block_size')::integer,
        pg_indexes_size(c.oid) / current_setting('block_size')::integer,
        s.n_live_tup, s.n_dead_tup, s.autovacuum_count
    from pg_class as c
    join pg_stat_all_tables as s on s.relid = c.oid
    where c.relnamespace = 'taisce'::regnamespace
      and c.relname = any (%s)
"""


@dataclass(frozen=True)
class Kept:
    """A table after so many supersessions: its pages, those of its indexes, its rows.

    Rows are the server's own running counts. `vacuums` counts those of autovacuum since the start.
    """

    pages: int
    index_pages: int
    live: int
    dead: int
    vacuums: int


@dataclass(frozen=True)
class State:
    """What there is after so many supersessions.

    `now` and `early` are the buffers of a warm recall of one value, as believed now and as known
    when a hundredth had been told.
    """

    superseded: int
    versions: int
    now: int
    early: int
    tables: dict[str, Kept]

    def pages_a_version(self) -> float:
        """Return pages of versions, table and indexes, for each version."""
        table = self.tables["fact_version"]
        return (table.pages + table.index_pages) / self.versions

    def dead_share(self) -> float:
        """Return the dead share of the rows of versions."""
        table = self.tables["fact_version"]
        return table.dead / max(table.live + table.dead, 1)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            **asdict(self),
            "pages_a_version": round(self.pages_a_version(), 4),
            "dead_share": round(self.dead_share(), 4),
        }


def measure(
    conn: psycopg.Connection[Any],
    reader: psycopg.Connection[Any],
    superseded: int,
    values: int,
    steps: int = 10,
) -> Iterator[State]:
    """Replace `values` values until `superseded` facts have ended; yield the state at each step.

    Both connections are an administrator's, in autocommit, to a database with nothing in it.
    """
    facts = superseded + values
    done = 0
    for step in range(1, steps + 1):
        goal = facts * step // steps
        while done < goal:
            page = min(values, goal - done)
            # In a transaction of its own, so that the loader's vacuum does not follow. A value
            # replaced twice in one would never have been believed in between.
            with conn.transaction():
                load_lines(conn, PROJECT, list(_lines(done, page, values)), f"from {done}")
            done += page
        yield _state(reader, values, facts)


def _state(conn: psycopg.Connection[Any], values: int, facts: int) -> State:
    row = conn.execute(
        "select count(*), count(*) filter (where v.known_to < 'infinity')"
        " from taisce.fact_version as v join taisce.project as p using (project_id)"
        " where p.name = %s",
        [PROJECT],
    ).fetchone()
    assert row is not None
    query = "select memory_v1.recall(%(question)s, %(project)s, surfaces => '{facts}'"
    given: dict[str, Any] = {"question": f"What of Value {values // 2}?", "project": PROJECT}
    early = {**given, "known": _known(conn, facts // 100)}
    conn.execute("select pg_stat_clear_snapshot()")
    return State(
        superseded=row[1],
        versions=row[0],
        now=count(conn, query + ")", given).buffers,
        early=count(conn, query + ", as_known_at => %(known)s)", early).buffers,
        tables={row[0]: Kept(*row[1:]) for row in conn.execute(_SIZES, [list(_TABLES)]).fetchall()},
    )


def _known(conn: psycopg.Connection[Any], offset: int) -> datetime:
    row = conn.execute(
        "select f.recorded_at from taisce.observation as o"
        " join taisce.fact_evidence as e using (project_id, observation_id)"
        " join taisce.fact as f using (project_id, fact_id)"
        " join taisce.project as p using (project_id)"
        " where p.name = %s and o.log_offset = %s limit 1",
        [PROJECT, max(offset, 1)],
    ).fetchone()
    assert row is not None
    known: datetime = row[0]
    return known


def _lines(first: int, facts: int, values: int) -> Iterator[bytes]:
    for number in range(first, first + facts):
        name, quote = f"Value {number % values}", f"stands at {number}"
        yield _line(
            type="observation",
            key=f"t{number}",
            kind="turn",
            data_subject_id=f"s{number % values % 100}",
            messages=[{"role": "user", "content": f"{name} {quote} as of now."}],
        )
        yield _line(
            type="fact",
            key=f"f{number}",
            subject=name,
            predicate="stands at",
            value=str(number),
            statement=f"{name} {quote}",
            cardinality="one",
            valid_from=(_START + timedelta(minutes=number)).isoformat(),
            evidence=[{"observation": f"t{number}", "ordinal": 0, "quote": quote}],
        )


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()
