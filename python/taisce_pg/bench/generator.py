"""Skewed memories for measuring: written by the server itself, straight into the tables.

A memory of N facts holds one hub with 10 % of them (half superseded by the other half), one with
1 %, one with 5 % whose first 90 % are superseded in chains of ten, a dozen entities of exact
degree, and a long tail. Half of the hub's oldest facts name the two others. Facts are spread
unevenly over four roles and 1,000 data subjects; one role and one data subject hold 0.1 % of the
hub each, all in its last tenth.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import psycopg
from psycopg import sql

from taisce_pg.problem import Problem

HUB = "Great Hub"
SMALL_HUB = "Small Hub"
CHURN_HUB = "Churning Hub"
ORDINARY = "Ordinary Hundred"
ROLE_TWIN = "Ordinary Tool"
SUBJECT_TWIN = "Ordinary Named"
CAPPED = "Capped Entity"
"""Names the hub in each of its 64 facts."""
OVERFLOWING = "Overflowing Entity"
FORTY = "Forty Facts"
LEFT = "Left Twenty"
RIGHT = "Right Twenty"
NEAR = "Near Four"
FRIENDS = ("Near Friend One", "Near Friend Two", "Near Friend Three", "Near Friend Four")
NAMES = (
    HUB,
    SMALL_HUB,
    CHURN_HUB,
    ORDINARY,
    ROLE_TWIN,
    SUBJECT_TWIN,
    CAPPED,
    OVERFLOWING,
    FORTY,
    LEFT,
    RIGHT,
    NEAR,
    *FRIENDS,
)
RARE_ROLE = "tool"
SUBJECT = "named"
PROJECT = "bench"
START = "2020-01-01T00:00:00Z"
SPAN_SECONDS = 4 * 365 * 86_400
FEWEST = 10_000

_SUBJECTS = 1_000
_TAIL = 100
_GIVEN = ("Ada", "Bruno", "Chloe", "Dario", "Edith", "Farid", "Greta", "Hugo", "Ines", "Jonas")
_FAMILY = ("Berg", "Costa", "Diaz", "Eder", "Fonda", "Gruber", "Holm", "Ivanov", "Jansen")
_WORD_TABLES = ("word_document", "posting", "word_statistics")
_TABLES = (
    "observation",
    "message",
    "claim",
    "entity",
    "entity_name",
    "entity_mention",
    "fact",
    "fact_version",
    "fact_evidence",
)


@dataclass(frozen=True)
class Generated:
    """What was written: project and its number, facts, seconds it took."""

    project: str
    project_id: int
    facts: int
    seconds: float


def generate(
    conn: psycopg.Connection[Any],
    facts: int = 1_000_000,
    seed: int = 1,
    *,
    project: str = PROJECT,
    words: bool = False,
    vacuum: bool = True,
) -> Generated:
    """Make a project with a skewed memory of `facts` facts (a multiple of 1000, at least 10,000).

    `conn` is a superuser's, in autocommit; the project is granted to him. Triggers are off and
    secondary indexes are dropped and built again meanwhile, so nobody else should be at work in
    the database. Texts are searchable by their words only with `words`, which takes longer than
    all the rest. With `vacuum`, tables are vacuumed and analyzed at the end; without it they keep
    the statistics they had. The same arguments write the same rows.

    Raises Problem for a number that will not do or a user who is no superuser.
    """
    if facts < FEWEST or facts % 1_000:
        raise Problem(f"facts must be a multiple of 1000 and at least {FEWEST}", exit_code=2)
    if conn.execute("show is_superuser").fetchone() != ("on",):
        raise Problem("only a superuser may write rows past the loader", "connect as one")
    started = time.monotonic()
    row = conn.execute("select memory_v1.create_project(name => %s)", (project,)).fetchone()
    assert row is not None
    text = files("taisce_pg.bench").joinpath("sql/generate.sql").read_text()
    with conn.transaction(), _without_indexes(conn):
        conn.execute("set local session_replication_role = replica")
        # What is not flushed yet, VACUUM does not mark as visible to all.
        conn.execute("set local synchronous_commit = on")
        psycopg.ClientCursor(conn).execute(text.encode(), _values(facts, seed, int(row[0])))
    conn.execute("select taisce.build_blocks(%s)", (row[0],))
    if words:
        conn.execute("select * from taisce.rebuild_words(%s)", (row[0],))
    if vacuum:
        tables = sql.SQL(", ").join(
            sql.Identifier("taisce", name)
            for name in (*_TABLES, "version_block", *(_WORD_TABLES if words else ()))
        )
        conn.execute(sql.SQL("vacuum (analyze) {}").format(tables))
    return Generated(project, int(row[0]), facts, time.monotonic() - started)


def rare(facts: int) -> int:
    """Return how many facts of the hub have the rare role, and how many the named subject."""
    return facts // 10_000


def _values(facts: int, seed: int, project_id: int) -> dict[str, Any]:
    twin = min(rare(facts), 100)
    number = {name: place for place, name in enumerate(NAMES, 1)}
    special: list[tuple[int, int, int, int | None, str, str | None]] = [
        (number[ORDINARY], 100, 60, None, "user", None),
        (number[ROLE_TWIN], twin, twin * 4 // 5, None, RARE_ROLE, None),
        (number[SUBJECT_TWIN], twin, twin * 4 // 5, None, "user", SUBJECT),
        (number[CAPPED], 64, 64, number[HUB], "user", None),
        (number[OVERFLOWING], 65, 65, None, "user", None),
        (number[FORTY], 40, 20, None, "user", None),
        (number[LEFT], 20, 10, None, "user", None),
        (number[RIGHT], 20, 10, None, "user", None),
    ]
    for friend in FRIENDS:
        special.append((number[NEAR], 1, 1, number[friend], "user", None))
        special.append((number[friend], 9, 9, None, "user", None))
    columns = [list(column) for column in zip(*special, strict=True)]
    return {
        "facts": facts,
        "seed": seed,
        "project_id": project_id,
        "names": list(NAMES),
        "tail": _TAIL,
        "entities": facts // 10,
        "subjects": _SUBJECTS,
        "subject": SUBJECT,
        "rare_role": RARE_ROLE,
        "hub": number[HUB],
        "small": number[SMALL_HUB],
        "churn": number[CHURN_HUB],
        "given": list(_GIVEN),
        "given_count": len(_GIVEN),
        "family": list(_FAMILY),
        "family_count": len(_FAMILY),
        "start": START,
        "step": f"{SPAN_SECONDS * 1_000_000 // facts} microseconds",
        **{
            f"special_{name}": column
            for name, column in zip(
                ("n", "count", "forward", "other", "role", "subject"), columns, strict=True
            )
        },
    }


@contextmanager
def _without_indexes(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """Drop the indexes that back no constraint, and build them again: several times faster."""
    for setting in ("maintenance_work_mem = '512MB'", "work_mem = '128MB'"):
        conn.execute(f"set local {setting}".encode())
    found = conn.execute(
        """
        select n.nspname, c.relname, pg_get_indexdef(i.indexrelid)
        from pg_index as i
        join pg_class as c on c.oid = i.indexrelid
        join pg_namespace as n on n.oid = c.relnamespace
        where i.indrelid = any (
                select ('taisce.' || quote_ident(t.name))::regclass
                from unnest(%s::text[]) as t (name)
            )
          and not exists (select from pg_constraint as k where k.conindid = i.indexrelid)
        """,
        (list(_TABLES),),
    ).fetchall()
    for schema, name, _ in found:
        conn.execute(sql.SQL("drop index {}").format(sql.Identifier(schema, name)))
    yield
    for _, _, definition in found:
        # Of a partitioned table, the definition would leave its partitions out.
        conn.execute(definition.replace(" ON ONLY ", " ON ", 1))
