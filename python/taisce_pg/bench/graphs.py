"""Graph helpers between hubs against a recursive query over the table of edges."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from taisce_pg.bench import generator
from taisce_pg.bench.measures import Bench, Row
from taisce_pg.bench.probe import count, interleave

_GOAL = 100


def graphs(bench: Bench) -> Iterator[Row]:
    """Follow relations around the hub, and between the hub and another."""
    hub, other = (_entity(bench, name) for name in (generator.HUB, generator.CHURN_HUB))
    project = bench.made.project
    yield _row(
        bench,
        "graph_neighborhood, hub",
        "select fact_id from memory_v1.graph_neighborhood(%(start)s, project => %(project)s)",
        {"start": hub, "project": project},
        {"start": hub, "goal": other, "steps": 2},
    )
    yield _row(
        bench,
        "graph_path, hub to hub",
        "select path from memory_v1.graph_path(%(start)s, %(goal)s, project => %(project)s)",
        {"start": hub, "goal": other, "project": project},
        {"start": hub, "goal": other, "steps": 2},
    )


def _entity(bench: Bench, name: str) -> str:
    row = bench.conn.execute(
        "select e.entity_id::text from taisce.entity as e"
        " where e.project_id = %s and e.canonical_name = %s",
        (bench.made.project_id, name),
    ).fetchone()
    assert row is not None
    return str(row[0])


def _row(
    bench: Bench, title: str, call: str, values: dict[str, Any], reference: dict[str, Any]
) -> Row:
    text = files("taisce_pg.bench").joinpath("sql/reference_around.sql").read_text()
    keys = {**reference, "scopes": [bench.made.project_id]}
    times = interleave(
        {
            "ours": lambda: bench.conn.execute(call.encode(), values).fetchall(),
            "reference": lambda: bench.conn.execute(text.encode(), keys).fetchall(),
        },
        bench.rounds,
    )
    counts = count(bench.conn, call, values)
    read = count(bench.conn, text, keys)
    ratio = times["reference"].median / times["ours"].median
    return Row(
        title,
        ours=times["ours"].median,
        p95=times["ours"].p95,
        reference=times["reference"].median,
        ratio=ratio,
        goal=f"≥ {_GOAL}x",
        met=ratio >= _GOAL,
        buffers=counts.buffers,
        entries=counts.entries,
        facts=len(bench.conn.execute(call.encode(), values).fetchall()),
        notes=[
            f"the reference, two steps over all edges, read {read.buffers:,} buffers,"
            f" {read.rows:,} rows"
        ],
    )
