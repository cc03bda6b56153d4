"""fact_context, testimony_context and answer_context against fetching what they return by key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from taisce_pg.bench import generator
from taisce_pg.bench.measures import Bench, Row
from taisce_pg.bench.probe import count, interleave, summary

_GOAL = 10
_STATEMENTS = """
    select f.statement, f.subject_entity_id::text
    from taisce.fact as f
    where f.project_id = %s and f.source_role = 'user'
    order by f.content_key
    limit %s
"""
_HUBS = """
    select e.entity_id::text
    from taisce.entity as e
    where e.project_id = %s and e.canonical_name = any(%s)
    order by 1
"""


@dataclass(frozen=True)
class _Asked:
    """One question: how it compares with its floor, and what it took."""

    ratio: float
    seconds: float
    floor: float
    buffers: int
    rows: int


def contexts(bench: Bench, questions: int = 40) -> Iterator[Row]:
    """Ask with words of facts: of anything, about the entity meant, and about hubs it is not about.

    The ratio of a row is the 95th percentile over the questions, each the median of interleaved
    runs beside its own floor.
    """
    asked = bench.conn.execute(_STATEMENTS, (bench.made.project_id, questions)).fetchall()
    hubs = [
        row[0]
        for row in bench.conn.execute(
            _HUBS, (bench.made.project_id, [generator.HUB, generator.ORDINARY])
        )
    ]
    for title, entities in (
        ("any entity", [None] * len(asked)),
        ("the entity meant", [[entity] for _, entity in asked]),
        ("hubs", [[hubs[place % len(hubs)]] for place in range(len(asked))]),
    ):
        for operation in ("fact_context", "testimony_context"):
            figures = [
                figure
                for (query, _), narrowed in zip(asked, entities, strict=True)
                if (figure := _ask(bench, operation, query, narrowed)) is not None
            ]
            if figures:
                yield _row(f"{operation}, {title}", figures)
    yield _both(bench, asked[0][0])


def _ask(bench: Bench, operation: str, query: str, entities: list[str] | None) -> _Asked | None:
    call = (
        f"select memory_v1.{operation}_envelope(%(query)s, project => %(project)s,"
        " entity_ids => %(entities)s::uuid[])"
    )
    values = {"query": query, "project": bench.made.project, "entities": entities}
    row = bench.conn.execute(call.encode(), values).fetchone()
    assert row is not None
    answer = json.loads(row[0])
    floor, keys = _floor(operation, answer, bench.made.project_id)
    if not keys:
        return None
    times = interleave(
        {
            "ours": lambda: bench.conn.execute(call.encode(), values).fetchall(),
            "floor": lambda: bench.keys.execute(floor.encode(), keys).fetchall(),
        },
        min(bench.rounds, 5),
    )
    ours, least = times["ours"].median, times["floor"].median
    read = count(bench.conn, call, values)
    returned = sum(len(answer.get(part) or ()) for part in ("facts", "evidence", "passages"))
    return _Asked(ours / least, ours / 1000, least / 1000, read.buffers, returned)


def _floor(
    operation: str, answer: dict[str, Any], project_id: int
) -> tuple[str, dict[str, Any] | None]:
    """Return the query that fetches by key what an answer holds, and its values."""
    if operation == "fact_context":
        facts = answer["facts"]
        evidence = [(piece["claim_id"], piece["fact_id"]) for piece in answer["fact_evidence"]]
        values: dict[str, Any] = {
            "fact_id": [fact["fact_id"] for fact in facts],
            "claims": [claim for claim, _ in evidence],
            "claim_fact": [fact for _, fact in evidence],
        }
        given = facts
    else:
        values = {
            "claims": [claim["claim_id"] for claim in answer["evidence"]],
            "passages": [passage["passage_id"] for passage in answer["passages"]],
        }
        given = answer["evidence"] + answer["passages"]
    name = "floor_facts.sql" if operation == "fact_context" else "floor_testimony.sql"
    text = files("taisce_pg.bench").joinpath(f"sql/{name}").read_text()
    return text, {**values, "project_id": project_id} if given else None


def _row(title: str, figures: list[_Asked]) -> Row:
    ours = summary([figure.seconds for figure in figures])
    ratios = sorted(figure.ratio for figure in figures)
    ratio = ratios[round(0.95 * (len(ratios) - 1))]
    return Row(
        f"{title}, p95",
        ours=ours.median,
        p95=ours.p95,
        floor=summary([figure.floor for figure in figures]).median,
        ratio=ratio,
        goal=f"≤ {_GOAL}x",
        met=ratio <= _GOAL,
        buffers=max(figure.buffers for figure in figures),
        facts=max(figure.rows for figure in figures),
        notes=[f"{len(figures)} questions, median ratio {ratios[len(ratios) // 2]:.1f}"],
    )


def _both(bench: Bench, query: str) -> Row:
    """Compare answer_context with its two children."""
    values = {"query": query, "project": bench.made.project}
    calls = {
        name: f"select memory_v1.{name}_envelope(%(query)s, project => %(project)s)"
        for name in ("answer_context", "fact_context", "testimony_context")
    }
    times = interleave(
        {
            name: lambda call=call: bench.conn.execute(  # type: ignore[misc]
                call.encode(), values
            ).fetchall()
            for name, call in calls.items()
        },
        bench.rounds,
    )
    children = times["fact_context"].median + times["testimony_context"].median
    ratio = times["answer_context"].median / children
    return Row(
        "answer_context, its two children",
        ours=times["answer_context"].median,
        p95=times["answer_context"].p95,
        ordinary=children,
        ratio=ratio,
        goal="≤ 1.1x",
        met=ratio <= 1.1,
        buffers=count(bench.conn, calls["answer_context"], values).buffers,
    )
