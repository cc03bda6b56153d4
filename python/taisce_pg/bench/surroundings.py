"""What lies around a read: the views by key, and what the Python client adds."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator

from psycopg.conninfo import make_conninfo

from taisce_pg.bench import clients, generator
from taisce_pg.bench.measures import Bench, Call, Row
from taisce_pg.bench.probe import count, interleave, processor_seconds
from taisce_pg.client.memory import Memory

_KEYS = """
    select
        f.fact_id::text as fact, f.subject_entity_id::text as entity,
        e.claim_id::text as claim, m.passage_id::text as passage,
        f.stated_from as valid_from, v.known_from, m.occurred_at, m.observation_id::text as said
    from taisce.fact as f
    join taisce.fact_version as v on v.project_id = f.project_id and v.fact_id = f.fact_id
    join taisce.fact_evidence as e on e.project_id = f.project_id and e.fact_id = f.fact_id
    join taisce.message as m
        on m.project_id = e.project_id
        and m.observation_id = e.observation_id
        and m.ordinal = e.ordinal
    where f.project_id = %s and v.live
    order by f.content_key
    limit 1
"""
_POINTS = {
    "facts_current by id": "select * from {v}.facts_current where fact_id = %(fact)s",
    "facts_current by subject": "select * from {v}.facts_current"
    " where subject_id = %(entity)s limit 1",
    "facts_current by valid time": "select * from {v}.facts_current"
    " where valid_from = %(valid_from)s limit 1",
    "facts_history by id": "select * from {v}.facts_history where fact_id = %(fact)s",
    "entities by id": "select * from {v}.entities where entity_id = %(entity)s",
    "entity_names by entity": "select * from {v}.entity_names where entity_id = %(entity)s",
    "claims_current by id": "select * from {v}.claims_current where claim_id = %(claim)s",
    "messages by passage": "select * from {v}.messages where passage_id = %(passage)s",
    "fact_evidence by fact": "select * from {v}.fact_evidence where fact_id = %(fact)s limit 1",
    "observations by id": "select * from {v}.observations where observation_id = %(said)s",
}
_MOST = 40
_BATCH, _FEWEST = 5, 15
_UNKNOWN = "Ottilie Quandt"


def views(bench: Bench) -> Iterator[Row]:
    """Read one row of each view by key or instant; an index and at most forty buffers."""
    cursor = bench.conn.execute(_KEYS, (bench.made.project_id,))
    assert cursor.description is not None
    names = [column.name for column in cursor.description]
    values = dict(zip(names, cursor.fetchone() or (), strict=True))
    bench.conn.execute("select set_config('taisce.project', %s, false)", (bench.made.project,))
    for title, text in _POINTS.items():
        query = text.format(v="memory_v1")
        bench.conn.execute(query.encode(), values).fetchall()
        counts = count(bench.conn, query, values)
        yield Row(
            f"view, {title}",
            unit="buffers",
            ours=float(counts.buffers),
            ratio=counts.buffers / _MOST,
            goal=f"≤ {_MOST}",
            met=counts.buffers <= _MOST,
            buffers=counts.buffers,
            entries=counts.entries,
        )


def client(bench: Bench) -> Iterator[Row]:
    """Compare Memory.recall with the same call and its JSON parsed, and many in one pipeline."""
    dsn = make_conninfo(bench.conn.info.dsn, password=bench.conn.info.password or None)
    with Memory(dsn, project=bench.made.project) as memory:
        for title, name in (("40 facts", generator.FORTY), ("nothing known", _UNKNOWN)):
            yield _overhead(bench, memory, title, f"What of {name}?")
        yield _together(bench, memory)


def eight_clients(bench: Bench, seconds: float) -> Row:
    """Compare how many reads eight clients get with how many one does, on a quiet machine."""
    dsn = make_conninfo(bench.conn.info.dsn, password=bench.conn.info.password or None)
    one, eight = (
        clients.run(dsn, bench.made.project, count, 0, seconds=seconds) for count in (1, 8)
    )
    ratio = eight.reads_per_second / one.reads_per_second
    waits = one.mixed_waits + eight.mixed_waits
    errors = {**one.errors, **eight.errors}
    return Row(
        "eight clients, reads a second",
        unit="reads a second",
        ours=eight.reads_per_second,
        p95=eight.read_p95,
        ordinary=one.reads_per_second,
        ratio=ratio,
        goal=f"≥ {clients.GOAL}x",
        met=ratio >= clients.GOAL and not waits and not errors,
        notes=[f"{waits} waits for locks; the goal is of two cores; p95 in ms"],
    )


def _overhead(bench: Bench, memory: Memory, title: str, question: str) -> Row:
    query, values = Call(question).sql(bench.made.project)
    times = interleave(
        {
            "ours": lambda: memory.recall(question, surfaces=["facts"]),
            "plain": lambda: json.loads(
                bench.conn.execute(query.encode(), values).fetchall()[0][0]
            ),
        },
        bench.rounds * 4,
    )
    over = times["ours"].median - times["plain"].median
    ratio = times["ours"].median / times["plain"].median
    mine, bare = _worked(bench, memory, question)
    return Row(
        f"Python client, {title}",
        ours=times["ours"].median,
        p95=times["ours"].p95,
        floor=times["plain"].median,
        ratio=ratio,
        goal="< 0.5 ms or ≤ 1.2x",
        met=over < 0.5 or ratio <= 1.2,
        notes=[
            f"the client adds {over:.2f} ms; of the processors, its own and the server's,"
            f" {mine - bare:.2f} ms to {bare:.2f}"
        ],
    )


def _worked(bench: Bench, memory: Memory, question: str) -> tuple[float, float]:
    """Return the processor time of a call with the client and without, in ms, in turn."""
    query, values = Call(question).sql(bench.made.project)
    with memory._pool.connection() as conn:
        mine = conn.info.backend_pid
    runs: tuple[tuple[int, Callable[[], object]], ...] = (
        (mine, lambda: memory.recall(question, surfaces=["facts"])),
        (
            bench.conn.info.backend_pid,
            lambda: json.loads(bench.conn.execute(query.encode(), values).fetchall()[0][0]),
        ),
    )
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(max(_FEWEST, bench.rounds * 2)):
        for (pid, run), spent in zip(runs, taken, strict=True):
            before = processor_seconds(bench.conn, pid) + time.process_time()
            for _ in range(_BATCH):
                run()
            after = processor_seconds(bench.conn, pid) + time.process_time()
            spent.append((after - before) / _BATCH * 1000)
    return statistics.median(taken[0]), statistics.median(taken[1])


def _together(bench: Bench, memory: Memory) -> Row:
    """Compare questions asked by recall_many with the same asked one by one."""
    questions = [f"What of {name} {n}?" for n in range(8) for name in (generator.LEFT, _UNKNOWN)]
    times = interleave(
        {
            "ours": lambda: memory.recall_many(questions, surfaces=["facts"]),
            "one by one": lambda: [memory.recall(one, surfaces=["facts"]) for one in questions],
        },
        bench.rounds,
    )
    many, each = times["ours"].median, times["one by one"].median
    return Row(
        "Python client, 16 questions together",
        ours=many,
        p95=times["ours"].p95,
        ordinary=each,
        ratio=many / each,
        goal="≤ 1x",
        met=many <= each,
        notes=[f"one by one each takes {(each - many) / len(questions):.2f} ms more"],
    )
