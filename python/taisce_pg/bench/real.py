"""The same measures on real memories: the demo, and a folder of YAGO11k by its path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import psycopg

from taisce_pg.bench import floor, reference
from taisce_pg.bench.generator import Generated
from taisce_pg.bench.measures import Bench, Call, Row, floor_row, walk_rows
from taisce_pg.bench.probe import plain
from taisce_pg.load.apply import load_lines
from taisce_pg.problem import Problem

_DEGREES = """
    select e.canonical_name, count(*)
    from taisce.fact_version as v
    join taisce.entity as e
        on e.project_id = v.project_id
        and e.entity_id in (v.subject_entity_id, v.object_entity_id)
    where v.project_id = %s and v.live
    group by e.entity_id, e.canonical_name
    order by 2 desc, 1
"""


def yago(folder: Path) -> Iterator[bytes]:
    """Yield YAGO11k as lines of the load format: one document and one fact a dated triple.

    Dates of a known year alone begin with it; open ones are left out. Raises Problem where the
    folder does not hold the files.
    """
    try:
        entities = _names(folder / "entity2id.txt")
        relations = _names(folder / "relation2id.txt")
        triples = (folder / "triple2id.txt").read_text().splitlines()
    except OSError as exc:
        raise Problem(f"no YAGO11k in {folder}: {exc.strerror}", exit_code=2) from None
    yield _line(type="project", default_source_roles=["user", "document"])
    for number, line in enumerate(triples):
        subject, relation, thing, start, end = line.split("\t")
        predicate = relations[relation]
        quote = f"{entities[subject]} {predicate} {entities[thing]}"
        yield _line(
            type="observation",
            key=f"t{number}",
            kind="document",
            messages=[{"role": "document", "content": f"{quote}, from {start} until {end}."}],
        )
        fact: dict[str, Any] = {
            "type": "fact",
            "key": f"f{number}",
            "subject": entities[subject],
            "predicate": predicate,
            "object": entities[thing],
            "statement": quote,
            "evidence": [{"observation": f"t{number}", "ordinal": 0, "quote": quote}],
        }
        first, last = _day(start), _day(end)
        if first:
            fact["valid_from"] = first
        if last and (not first or last > first):
            fact["valid_until"] = last
        yield _line(**fact)


def measure(
    conn: psycopg.Connection[Any],
    keys: psycopg.Connection[Any],
    title: str,
    lines: Iterator[Any],
    rounds: int,
) -> Iterator[Row]:
    """Load lines into a new project, and measure at its largest entity and at one of forty."""
    conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
    report = load_lines(conn, title, lines, title)
    facts = report.counts.get("facts", 0)
    yield Row(
        f"{title}: load, facts a second",
        unit="facts/s",
        ours=facts / report.seconds,
        facts=facts,
    )
    row = conn.execute(
        "select project_id, default_source_roles from taisce.project where name = %s", (title,)
    ).fetchone()
    assert row is not None
    roles = list(row[1])
    reference.build(conn)
    degrees = conn.execute(_DEGREES, (row[0],)).fetchall()
    made = Generated(title, int(row[0]), facts, report.seconds)
    bench = Bench(plain(conn), floor.prepare(keys), made, rounds)
    largest, most = degrees[0]
    middle, some = min(degrees, key=lambda named: abs(named[1] - 40))
    for hops in (1, 2):
        steps = "one hop" if hops == 1 else "two hops"
        yield from walk_rows(
            bench, f"{title}: {largest} ({most:,} facts), {steps}", largest, None, hops, roles=roles
        )
        call = Call(f"What of {middle}?", {"hops": hops, "max_characters": 1_000_000})
        yield floor_row(bench, f"{title}: {middle} ({some} facts), {steps}", call, 3 * hops)


def _names(path: Path) -> dict[str, str]:
    found = {}
    for line in path.read_text().splitlines():
        name, number = line.split("\t")[:2]
        found[number] = name.strip("<>").replace("_", " ")
    return found


def _day(text: str) -> str | None:
    """Return the first instant of a day, month or year; None where the year is open.

    What no calendar has, as the 31st of a shorter month, begins with what is left of it.
    """
    for depth in (3, 2, 1):
        parts = text.split("-")[:depth]
        if all(part.isdigit() for part in parts):
            try:
                found = date(*(int(part) for part in [*parts, "1", "1"][:3]))
            except ValueError:
                continue
            return f"{found.isoformat()}T00:00:00Z"
    return None


def _line(**fields: Any) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode()
