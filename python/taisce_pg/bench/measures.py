"""What is measured on a generated memory, and the goal of each measure."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import psycopg

from taisce_pg.bench import floor, generator, reference
from taisce_pg.bench.generator import Generated
from taisce_pg.bench.probe import Counts, Times, count, interleave

_EVERYTHING = 1_000_000
_EARLY, _LATE = 0.0002, 0.97
_FIVE_ROLES = ["user", "assistant", "system", "tool", "document"]


@dataclass
class Row:
    """One line of the table.

    `ours`, `reference`, `floor` and `ordinary` are in `unit`: ms (median) or buffers or
    a rate. `ratio` is ours against the yardstick that `goal` speaks of; `met` is None where
    there is no goal. `facts` tells how many facts came back, `entries` the index entries read.
    """

    measure: str
    unit: str = "ms"
    ours: float | None = None
    p95: float | None = None
    reference: float | None = None
    floor: float | None = None
    ordinary: float | None = None
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None
    buffers: int | None = None
    entries: int | None = None
    facts: int | None = None
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, numbers rounded to what they are good for."""
        return {
            name: float(f"{value:.4g}") if isinstance(value, float) else value
            for name, value in vars(self).items()
        }


@dataclass(frozen=True)
class Call:
    """A recall of facts with its controls: yardsticks know neither reports nor passages."""

    question: str
    controls: dict[str, Any] = field(default_factory=dict)

    def sql(self, project: str) -> tuple[str, dict[str, Any]]:
        """Return the query and its values."""
        values = {
            "question": self.question,
            "project": project,
            "surfaces": ["facts"],
            **self.controls,
        }
        given = ", ".join(f"{name} => %({name})s" for name in values)
        return f"select memory_v1.recall({given})", values


@dataclass
class Bench:
    """A database with a generated memory, and the connections that measure it.

    `conn` asks, `keys` (a second connection) reads by key; both are the superuser's, who was
    granted the project.
    """

    conn: psycopg.Connection[Any]
    keys: psycopg.Connection[Any]
    made: Generated
    rounds: int = 15

    def ask(self, call: Call) -> dict[str, Any]:
        """Return the bundle."""
        row = self.conn.execute(*_bytes(call.sql(self.made.project))).fetchone()
        assert row is not None
        bundle: dict[str, Any] = json.loads(row[0])
        return bundle

    def runner(self, call: Call) -> Callable[[], object]:
        """Return a run of the call, answer fetched."""
        query, values = _bytes(call.sql(self.made.project))
        return lambda: self.conn.execute(query, values).fetchall()

    def counts(self, call: Call) -> Counts:
        """Count what a warm call reads."""
        run = self.runner(call)
        run()
        run()
        return count(self.conn, *call.sql(self.made.project))

    def instant(self, share: float) -> datetime:
        """Return the time by which that share of the memory had been told."""
        start = datetime.fromisoformat(generator.START.replace("Z", "+00:00"))
        return start + timedelta(seconds=generator.SPAN_SECONDS * share)


def hub(bench: Bench, past: bool = True) -> Iterator[Row]:
    """Compare the hub with ordinary entities: default role, rare role, subject, time scopes."""
    great, churning, ordinary = generator.HUB, generator.CHURN_HUB, generator.ORDINARY
    rare: dict[str, Any] = {"source_roles": [generator.RARE_ROLE]}
    named: dict[str, Any] = {"data_subject_id": generator.SUBJECT}
    yield from _hub_case(bench, "default role", great, ordinary)
    yield from _hub_case(bench, "role of 0.1 %", great, generator.ROLE_TWIN, rare)
    yield from _hub_case(bench, "subject of 0.1 %", great, generator.SUBJECT_TWIN, named)
    yield from _hub_case(bench, "five roles", great, ordinary, {"source_roles": _FIVE_ROLES})
    yield from _hub_case(bench, "90 % superseded", churning, ordinary)
    if not past:
        return
    for title, scope in (
        ("as of the middle", {"as_of": bench.instant(0.5)}),
        ("known early", {"as_known_at": bench.instant(_EARLY)}),
        ("known in the middle", {"as_known_at": bench.instant(0.5)}),
        ("known late", {"as_known_at": bench.instant(_LATE)}),
    ):
        yield from _hub_case(bench, title, great, ordinary, scope=scope)
    late = {"as_known_at": bench.instant(_LATE)}
    title = "90 % superseded, known late"
    yield from _hub_case(bench, title, churning, ordinary, scope=late)
    title = "role of 0.1 %, known late"
    yield from _hub_case(bench, title, great, generator.ROLE_TWIN, rare, late)


def _hub_case(
    bench: Bench,
    title: str,
    name: str,
    twin: str,
    controls: dict[str, Any] | None = None,
    scope: dict[str, Any] | None = None,
) -> Iterator[Row]:
    """Compare a hub with its twin; a past scope is the hub's alone: early the twin knew nothing."""
    narrow = Call(f"What of {twin}?", {"max_characters": _EVERYTHING, **(controls or {})})
    wide = Call(f"What of {name}?", {**narrow.controls, **(scope or {})})
    times = interleave({"ours": bench.runner(wide), "ordinary": bench.runner(narrow)}, bench.rounds)
    counts, others = bench.counts(wide), bench.counts(narrow)
    facts = len(bench.ask(wide)["facts"])
    few = len(bench.ask(narrow)["facts"])
    ratio = times["ours"].median / times["ordinary"].median
    yield Row(
        f"hub, {title}",
        ours=times["ours"].median,
        p95=times["ours"].p95,
        ordinary=times["ordinary"].median,
        ratio=ratio,
        goal="≤ 2x",
        met=ratio <= 2,
        buffers=counts.buffers,
        entries=counts.entries,
        facts=facts,
    )
    mine, theirs = counts.buffers / max(facts, 1), others.buffers / max(few, 1)
    ratio = mine / theirs
    row = Row(
        f"hub, {title}: buffers",
        unit="buffers",
        ours=mine,
        ordinary=theirs,
        ratio=ratio,
        buffers=counts.buffers,
        entries=counts.entries,
        facts=facts,
    )
    if scope is None:
        row.goal, row.met = "≤ 1.5x", ratio <= 1.5
    yield row


def against_reference(bench: Bench) -> Iterator[Row]:
    """Compare with the published walk: walk against walk, and the whole answer of recall."""
    hub_name, beside = generator.HUB, generator.CAPPED
    late = bench.instant(_LATE)
    yield from walk_rows(bench, "hub, one hop", hub_name, 50)
    yield from walk_rows(bench, "hub, two hops", hub_name, 100, hops=2)
    yield from walk_rows(bench, "beside the hub, two hops", beside, 100, hops=2)
    yield from walk_rows(bench, "hub, one hop, known late", hub_name, 50, known_at=late)


def walk_rows(
    bench: Bench,
    title: str,
    name: str,
    goal: float | None,
    hops: int = 1,
    known_at: datetime | None = None,
    roles: Sequence[str] = ("user",),
) -> Iterator[Row]:
    """Compare the walk alone, which `goal` speaks of, and all of recall with the reference's."""
    call = Call(
        f"What of {name}?", {"max_characters": _EVERYTHING, "hops": hops, "as_known_at": known_at}
    )
    bundle = bench.ask(call)
    anchors = [anchor["entity_id"] for anchor in bundle["anchors"]]
    walk = (
        "select * from memory_v1.fact_walk(%(entity_ids)s::uuid[], hops => %(hops)s,"
        " project => %(project)s, as_known_at => %(as_known_at)s)",
        {"entity_ids": anchors, "project": bench.made.project, **call.controls},
    )
    ours = {(fact["fact_id"], fact["hops"]) for fact in bundle["facts"]}
    for kind, (query, values), whole in (
        ("walk", walk, False),
        ("recall", call.sql(bench.made.project), True),
    ):
        other, others = reference.walk(
            bench.made.project_id,
            anchors,
            hops=hops,
            roles=tuple(roles),
            known_at=known_at,
            evidence=whole,
        )
        rows = bench.conn.execute(other.encode(), others).fetchall()
        theirs = {(str(row[1]), row[0]) for row in rows[:200]}
        times = interleave(
            {"ours": _runner(bench, query, values), "reference": _runner(bench, other, others)},
            bench.rounds,
            20,
        )
        counts, read = count(bench.conn, query, values), count(bench.conn, other, others)
        ratio = times["reference"].median / times["ours"].median
        row = Row(
            f"{kind}, {title}",
            ours=times["ours"].median,
            p95=times["ours"].p95,
            reference=times["reference"].median,
            ratio=ratio,
            buffers=counts.buffers,
            entries=counts.entries,
            facts=len(ours),
            notes=[f"the reference read {read.buffers:,} buffers, {read.rows:,} rows"],
        )
        if not whole and goal is not None:
            row.goal, row.met = f"≥ {goal:g}x", ratio >= goal and ours == theirs
        if ours != theirs:
            row.notes.append(
                f"answers differ: {len(ours - theirs)} only ours, {len(theirs - ours)} only theirs"
            )
        yield row


def against_floor(bench: Bench) -> Iterator[Row]:
    """Compare with fetching the returned rows by key."""
    cases = [
        ("40 facts, one hop", f"What of {generator.LEFT} and {generator.RIGHT}?", 1, 3),
        ("40 facts of one entity", f"What of {generator.FORTY}?", 1, 3),
        ("40 facts, two hops", f"What of {generator.NEAR}?", 2, 6),
        ("hub", f"What of {generator.HUB}?", 1, 0),
    ]
    for title, question, hops, goal in cases:
        call = Call(question, {"hops": hops, "max_characters": _EVERYTHING})
        yield floor_row(bench, title, call, goal)


def floor_row(bench: Bench, title: str, call: Call, goal: float) -> Row:
    """Compare a recall with fetching the rows it returned; a goal of 0 is none."""
    bundle = bench.ask(call)
    query, values = floor.fetch(bench.made.project_id, bundle["facts"])
    fetched = bench.keys.execute(query.encode(), values).fetchone()
    same = fetched is not None and json.loads(fetched[0]) == bundle["facts"]
    times = interleave(
        {
            "ours": bench.runner(call),
            "floor": lambda: bench.keys.execute(query.encode(), values).fetchall(),
        },
        bench.rounds * 2,
    )
    counts, least = bench.counts(call), count(bench.keys, query, values)
    ratio = times["ours"].median / times["floor"].median
    row = Row(
        f"floor, {title}",
        ours=times["ours"].median,
        p95=times["ours"].p95,
        floor=times["floor"].median,
        ratio=ratio,
        buffers=counts.buffers,
        entries=counts.entries,
        facts=len(bundle["facts"]),
        notes=[f"the floor read {least.buffers:,} buffers"],
    )
    if goal:
        row.goal, row.met = f"≤ {goal:g}x", ratio <= goal and same
    if not same:
        row.notes.append("the floor's facts differ from ours")
    return row


def nothing_known(bench: Bench) -> Iterator[Row]:
    """Compare a question that names nothing known with one row by primary key."""
    call = Call("Who is Ottilie Quandt of Reykjavik?")
    found = bench.conn.execute("select min(fact_id::text) from taisce.fact").fetchone()
    assert found is not None
    query = b"select statement from taisce.fact where project_id = %s and fact_id = %s::uuid"
    values = (bench.made.project_id, found[0])
    times: dict[str, Times] = interleave(
        {
            "ours": bench.runner(call),
            "floor": lambda: bench.keys.execute(query, values).fetchall(),
        },
        bench.rounds * 4,
    )
    ratio = times["ours"].median / times["floor"].median
    counts = bench.counts(call)
    yield Row(
        "nothing known",
        ours=times["ours"].median,
        p95=times["ours"].p95,
        floor=times["floor"].median,
        ratio=ratio,
        goal="< 10x",
        met=ratio < 10,
        buffers=counts.buffers,
        entries=counts.entries,
        facts=0,
    )


def growth(smaller: Bench, larger: Bench) -> Iterator[Row]:
    """Compare the same question on two sizes: current reads, and past reads at the hub."""
    factor = math.sqrt(larger.made.facts / smaller.made.facts)
    current, past = (1.3, 1.5), (factor, factor)
    cases: list[tuple[str, dict[str, Any], float | None, tuple[float, float]]] = [
        ("hub, one hop", {}, None, current),
        ("hub, two hops", {"hops": 2}, None, current),
        ("hub, known late", {}, _LATE, past),
        ("hub, known early", {}, _EARLY, past),
    ]
    for title, controls, share, (buffers_goal, time_goal) in cases:
        calls = []
        for bench in (smaller, larger):
            scope = {} if share is None else {"as_known_at": bench.instant(share)}
            question = f"What of {generator.HUB}?"
            calls.append(Call(question, {"max_characters": _EVERYTHING, **controls, **scope}))
        times = interleave(
            {"small": smaller.runner(calls[0]), "large": larger.runner(calls[1])}, larger.rounds
        )
        small, large = smaller.counts(calls[0]), larger.counts(calls[1])
        ratio = times["large"].median / times["small"].median
        yield Row(
            f"growth, {title}",
            ours=times["large"].median,
            p95=times["large"].p95,
            ordinary=times["small"].median,
            ratio=ratio,
            goal=f"≤ {time_goal:.1f}x",
            met=ratio <= time_goal,
            buffers=large.buffers,
            entries=large.entries,
        )
        ratio = large.buffers / small.buffers
        yield Row(
            f"growth, {title}: buffers",
            unit="buffers",
            ours=float(large.buffers),
            ordinary=float(small.buffers),
            ratio=ratio,
            goal=f"≤ {buffers_goal:.1f}x",
            met=ratio <= buffers_goal,
            buffers=large.buffers,
            entries=large.entries,
        )


def _runner(bench: Bench, query: str, values: dict[str, Any]) -> Callable[[], object]:
    return lambda: bench.conn.execute(query.encode(), values).fetchall()


def _bytes(pair: tuple[str, dict[str, Any]]) -> tuple[bytes, dict[str, Any]]:
    return pair[0].encode(), pair[1]
