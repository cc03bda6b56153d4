"""How fast facts with evidence are loaded and written out."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from taisce_pg.bench.measures import Row
from taisce_pg.load.apply import VACUUMED, load_lines
from taisce_pg.load.export import export_lines

_PROJECT = "loaded"
_GOAL = 10_000
_STORED = (*VACUUMED, "load_key", "word_statistics", "word_space")


def lines(facts: int, seed: int = 1) -> Iterator[bytes]:
    """Yield lines of the load format: for each fact a turn of one message, and the fact.

    Entities number a tenth of the facts, so names repeat; one fact in twelve replaces another.
    """
    draw = random.Random(seed)
    entities = max(facts // 10, 10)
    for number in range(facts):
        person = int(entities * draw.random() ** 2)
        subject = f"Person {person}"
        one = number % 12 == 0
        predicate, thing = (
            ("lives in", f"Town {number}")
            if one
            else (
                f"knows {number % 23}",
                f"Person {int(entities * draw.random() ** 2)}",
            )
        )
        quote = f"{subject} {predicate} {thing}"
        yield _line(
            type="observation",
            key=f"t{number}",
            kind="turn",
            data_subject_id=f"s{person % 1000}",
            messages=[{"role": "user", "content": f"Note {number}, as told: {quote}. No more."}],
        )
        fact: dict[str, Any] = {
            "type": "fact",
            "key": f"f{number}",
            "subject": subject,
            "predicate": predicate,
            "object": thing,
            "statement": quote,
            "valid_from": f"{2000 + number // 500_000:04}-01-01T{_clock(number % 500_000)}Z",
            "evidence": [{"observation": f"t{number}", "ordinal": 0, "quote": quote}],
        }
        if one:
            fact["cardinality"] = "one"
        yield _line(**fact)


def measure(conn: psycopg.Connection[Any], facts: int) -> Iterator[Row]:
    """Load `facts` facts with evidence into an empty database, and write them out again.

    Beside it the floor: the same rows stored once more, ready-made. On a busy machine the clock of
    the backend, where it can be read, says more than the one on the wall.
    """
    text = list(lines(facts))
    used, started = -_used(conn), time.monotonic()
    # In a transaction of its own, so that no vacuum follows.
    with conn.transaction():
        load_lines(conn, _PROJECT, text, "bench")
    seconds, used = time.monotonic() - started, used + _used(conn)
    floor = -_used(conn)
    stored = _store(conn)
    floor += _used(conn)
    yield _rate("load, facts a second", facts, seconds, stored)
    if used > 0 and floor > 0:
        yield _rate("load, facts a second of the backend's time", facts, used, floor)
    started = time.monotonic()
    for _ in export_lines(conn, _PROJECT):
        pass
    yield _rate("export, facts a second", facts, time.monotonic() - started)


def _used(conn: psycopg.Connection[Any]) -> float:
    """Return the processor seconds of the backend; 0 where this machine cannot tell."""
    process = Path("/proc", str(conn.info.backend_pid))
    try:
        if not conn.info.host.startswith("/") or "postgres" not in (process / "comm").read_text():
            return 0
        return int((process / "schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0


def _store(conn: psycopg.Connection[Any]) -> float:
    """Return the seconds it takes to store the same rows again, ready-made, with every index.

    Nothing is read from lines, looked up, checked or cut into words: no load of one connection
    can be faster.
    """
    with conn.transaction(force_rollback=True):
        conn.execute("set local session_replication_role = replica")
        started = time.monotonic()
        for table in _STORED:
            name = sql.Identifier("taisce", table)
            columns = conn.execute(
                "select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute as a"
                " where a.attrelid = %s::regclass and a.attnum > 1 and a.attgenerated = ''"
                " and not a.attisdropped",
                (name.as_string(conn),),
            ).fetchone()
            assert columns is not None
            listed = sql.SQL(", ".join(columns[0]))
            conn.execute(
                sql.SQL(
                    "insert into {0} (project_id, {1}) select -project_id, {1} from {0}"
                    " where project_id = (select p.project_id from taisce.project as p"
                    " where p.name = {2})"
                ).format(name, listed, sql.Literal(_PROJECT))
            )
        return time.monotonic() - started


def _rate(measure: str, facts: int, seconds: float, floor: float | None = None) -> Row:
    rate = facts / seconds
    return Row(
        measure,
        unit="facts/s",
        ours=rate,
        floor=facts / floor if floor else None,
        goal=f"≥ {_GOAL:,}",
        ratio=rate / _GOAL,
        met=rate >= _GOAL,
        facts=facts,
    )


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def _clock(second: int) -> str:
    return f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
