"""How fast facts with evidence are loaded and written out."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from typing import Any

import psycopg

from taisce_pg.bench.measures import Row
from taisce_pg.load.apply import load_lines
from taisce_pg.load.export import export_lines

_PROJECT = "loaded"
_GOAL = 10_000


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
    """Load `facts` facts with evidence into an empty database, and write them out again."""
    text = list(lines(facts))
    report = load_lines(conn, _PROJECT, text, "bench")
    yield _rate("load, facts a second", facts, report.seconds)
    started = time.monotonic()
    for _ in export_lines(conn, _PROJECT):
        pass
    yield _rate("export, facts a second", facts, time.monotonic() - started)


def _rate(measure: str, facts: int, seconds: float) -> Row:
    rate = facts / seconds
    return Row(
        measure,
        unit="facts/s",
        ours=rate,
        goal=f"≥ {_GOAL:,}",
        ratio=rate / _GOAL,
        met=rate >= _GOAL,
        facts=facts,
    )


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def _clock(second: int) -> str:
    return f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
