"""Many clients at once: readers of one memory beside writers that assert and supersede in it.

Clients are connections of a few processes, so that Python is not what is measured. Meanwhile the
server is asked again and again who waits for a lock.
"""

from __future__ import annotations

import json
import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

import psycopg

from taisce_pg.bench import generator
from taisce_pg.bench.probe import plain, summary

COUNTS = (1, 2, 4, 8, 32)
GOAL = 1.6
"""Reads of eight clients against reads of one, on two cores."""

PROCESSES = 8
DEADLOCK = "40P01"
_left: Any = None
SAMPLE_SECONDS = 0.02
_READER, _WRITER = "taisce bench reader", "taisce bench writer"
_SAID = "Somebody keeps the great hub, and somebody moves from city to city."
_QUOTES = ("Somebody keeps the great hub", "somebody moves from city to city")
_RECALL = "select memory_v1.recall(%(question)s, %(project)s, hops => %(hops)s)"
_READS: tuple[tuple[str, dict[str, Any]], ...] = (
    (_RECALL, {"question": f"What of {generator.ORDINARY}?", "hops": 1}),
    (_RECALL, {"question": f"What of {generator.NEAR}?", "hops": 2}),
    (_RECALL, {"question": f"What of {generator.HUB}?", "hops": 1}),
    (_RECALL, {"question": f"What of {generator.LEFT} and {generator.RIGHT}?", "hops": 1}),
    (
        "select memory_v1.recall(%(question)s, %(project)s, data_subject_id => %(person)s)",
        {"question": f"What of {generator.SUBJECT_TWIN}?", "person": generator.SUBJECT},
    ),
    ("select memory_v1.freshness(%(project)s)", {}),
)
_OBSERVE = """
    select observation_id from memory_v1.observe(
        %(messages)s::jsonb, data_subject_id => %(person)s, project => %(project)s)
"""
_ASSERT = """
    select fact_id from memory_v1.assert_fact(
        %(subject)s::jsonb, %(predicate)s, object => %(object)s::jsonb,
        statement => %(statement)s, evidence => %(evidence)s::jsonb, cardinality => 'one',
        valid_from => timestamptz '2030-01-01Z' + %(minutes)s * interval '1 minute',
        on_conflict => 'truncate', project => %(project)s)
"""
_RETRACT = "select * from memory_v1.retract_fact(%(fact)s, 'bench', project => %(project)s)"
_WAITS = """
    select a.application_name,
        array(
            select b.application_name from pg_stat_activity as b
            where b.pid = any (pg_blocking_pids(a.pid))
        )
    from pg_stat_activity as a
    where a.datname = current_database() and a.wait_event_type = 'Lock'
      and a.application_name in (%s, %s)
"""


@dataclass(frozen=True)
class Task:
    """What one client does: `reads` or writes, until `seconds` are over or all `calls` are done.

    `number` tells it from its like. `pace` is the least time between two calls, in seconds.
    `start` is the moment to begin at, in seconds since the epoch.
    """

    dsn: str
    project: str
    reads: bool
    number: int
    start: float
    seconds: float | None
    counted: bool
    pace: float = 0.0


@dataclass
class Done:
    """What one client did: seconds of each call that was answered, and SQLSTATEs of the others."""

    reads: bool
    taken: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


@dataclass
class Outcome:
    """What came of clients at work together.

    Rates are calls a second; times are milliseconds. `waits` counts how often, in `samples`
    looks, somebody waited for a lock: "reader for writer" and so on. `errors` counts SQLSTATEs.
    """

    readers: int
    writers: int
    calls: int = 0
    seconds: float = 0.0
    reads_per_second: float = 0.0
    read_median: float = 0.0
    read_p95: float = 0.0
    writes_per_second: float = 0.0
    write_p95: float = 0.0
    samples: int = 0
    waits: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)

    @property
    def mixed_waits(self) -> int:
        """Return how often a reader waited for anybody, or a writer for a reader."""
        return sum(n for what, n in self.waits.items() if "reader" in what)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, numbers rounded to what they are good for."""
        return {
            name: float(f"{value:.4g}") if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def run(
    dsn: str,
    project: str,
    readers: int,
    writers: int,
    *,
    seconds: float | None = None,
    calls: int | None = None,
    pace: float = 0.0,
    processes: int = PROCESSES,
    sample_seconds: float = SAMPLE_SECONDS,
) -> Outcome:
    """Let readers and writers work at once for `seconds`, or until they have made `calls` together.

    `dsn` is of a user with write access to the project, which the generator made; who calls must
    see other sessions to count their waits. `pace` slows writers down (seconds between writes).
    With 0 processes the clients are threads of this one.
    """
    clients = readers + writers
    groups = min(processes, clients) or 1
    context = multiprocessing.get_context("spawn")
    left = context.Value("q", calls or 0)
    pool = (
        ProcessPoolExecutor(groups, mp_context=context, initializer=_share, initargs=(left,))
        if processes
        else None
    )
    try:
        _share(left)
        if pool:
            # Wait until all have started, so that none of that is measured.
            list(pool.map(_ready, range(groups)))
        start = time.time() + 0.5
        tasks = [
            Task(
                dsn,
                project,
                reads=n < readers,
                number=n,
                start=start,
                seconds=seconds,
                counted=calls is not None,
                pace=0.0 if n < readers else pace,
            )
            for n in range(clients)
        ]
        outcome = Outcome(readers, writers)
        stop = threading.Event()
        watcher = threading.Thread(target=_watch, args=(dsn, stop, outcome, sample_seconds))
        watcher.start()
        try:
            shares = [tasks[n::groups] for n in range(groups)]
            done = list(_finish(pool, shares))
        finally:
            stop.set()
            watcher.join()
    finally:
        if pool:
            pool.shutdown()
    outcome.seconds = time.time() - start
    return _summed(outcome, done)


def stages(
    dsn: str, project: str, counts: tuple[int, ...], seconds: float, pace: float = 0.05
) -> Iterator[Outcome]:
    """Yield what comes of 1, 2, 4, ... readers beside one writer that keeps a pace."""
    for count in counts:
        yield run(dsn, project, count, 1, seconds=seconds, pace=pace)


def _finish(pool: ProcessPoolExecutor | None, shares: list[list[Task]]) -> Iterator[Done]:
    if pool is None:
        for share in shares:
            yield from _work(share)
        return
    waiting: list[Future[list[Done]]] = [pool.submit(_work, share) for share in shares]
    for future in waiting:
        yield from future.result()


def _share(left: Any) -> None:
    """Keep the count of calls that all clients have left together."""
    global _left
    _left = left


def _take() -> bool:
    """Take one of the calls that are left, if there is one."""
    with _left.get_lock():
        if _left.value <= 0:
            return False
        _left.value -= 1
        return True


def _ready(number: int) -> int:
    time.sleep(0.05)
    return number


def _work(tasks: list[Task]) -> list[Done]:
    """Do tasks side by side, each with a connection of its own."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(_client, tasks))


def _client(task: Task) -> Done:
    name = _READER if task.reads else _WRITER
    done = Done(task.reads)
    with psycopg.connect(task.dsn, autocommit=True, application_name=name) as conn:
        step = _reading(plain(conn), task) if task.reads else _writing(plain(conn), task)
        if not task.reads:
            # Each has words of its own to rest facts on.
            step(0)
        time.sleep(max(0.0, task.start - time.time()))
        end = None if task.seconds is None else task.start + task.seconds
        number = 0
        while (end is None or time.time() < end) and (not task.counted or _take()):
            number += 1
            began = time.perf_counter()
            try:
                step(number)
            except psycopg.Error as error:
                done.errors[error.sqlstate or "none"] += 1
                continue
            finally:
                spent = time.perf_counter() - began
            done.taken.append(spent)
            if task.pace > spent:
                time.sleep(task.pace - spent)
    return done


def _reading(conn: psycopg.Connection[Any], task: Task) -> Callable[[int], None]:
    reads = [(text.encode(), {**values, "project": task.project}) for text, values in _READS]

    def step(number: int) -> None:
        text, values = reads[(number + task.number) % len(reads)]
        conn.execute(text, values).fetchall()

    return step


def _writing(conn: psycopg.Connection[Any], task: Task) -> Callable[[int], None]:
    person = f"writer {task.number}"
    common = {"project": task.project, "person": person}
    facts: list[Any] = []
    said: list[str] = []

    def step(number: int) -> None:
        if number % 50 == 0:
            messages = json.dumps([{"role": "user", "content": _SAID}])
            row = conn.execute(_OBSERVE, {**common, "messages": messages}).fetchone()
            assert row is not None
            said.append(str(row[0]))
        elif number % 10 == 5 and facts:
            conn.execute(_RETRACT, {**common, "fact": facts.pop()})
        else:
            shared = number % 2
            values = {
                "subject": json.dumps(generator.HUB if shared else person.title()),
                "predicate": "kept_by" if shared else "lives_in",
                "object": json.dumps(f"{'Keeper' if shared else 'City'} {number % 40}"),
                "statement": f"{person} says {number}",
                "minutes": number,
                "evidence": json.dumps(
                    [{"observation": {"id": said[-1]}, "quote": _QUOTES[not shared]}]
                ),
            }
            row = conn.execute(_ASSERT, {**common, **values}).fetchone()
            assert row is not None
            facts.append(row[0])

    return step


def _watch(dsn: str, stop: threading.Event, outcome: Outcome, every: float) -> None:
    """Count who waits for whose lock until told to stop."""
    waits: Counter[str] = Counter()
    with psycopg.connect(dsn, autocommit=True) as conn:
        while not stop.wait(every):
            outcome.samples += 1
            for name, blockers in conn.execute(_WAITS, (_READER, _WRITER)).fetchall():
                who = name.rpartition(" ")[2]
                for other in set(blockers) or {"nobody"}:
                    waits[f"{who} for {other.rpartition(' ')[2] or 'other'}"] += 1
    outcome.waits = dict(waits)


def _summed(outcome: Outcome, done: list[Done]) -> Outcome:
    errors: Counter[str] = Counter()
    reads: list[float] = []
    writes: list[float] = []
    for one in done:
        errors += one.errors
        (reads if one.reads else writes).extend(one.taken)
    outcome.errors = dict(errors)
    outcome.calls = len(reads) + len(writes) + errors.total()
    outcome.reads_per_second = len(reads) / outcome.seconds
    outcome.writes_per_second = len(writes) / outcome.seconds
    if reads:
        times = summary(reads)
        outcome.read_median, outcome.read_p95 = times.median, times.p95
    if writes:
        outcome.write_p95 = summary(writes).p95
    return outcome
