"""What partitions by project cost a recall: the same memory in whole tables and in cut ones."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from taisce_pg.bench import generator
from taisce_pg.bench.databases import CHARACTERS, Databases
from taisce_pg.bench.measures import Bench, Call
from taisce_pg.bench.probe import plain, processor_seconds

PARTITIONS = 4
LIMIT = 1.10
_BATCH = 5
_WHOLE = {"max_characters": CHARACTERS}
_CALLS = {
    "nothing known": Call("Who is Ottilie Quandt of Reykjavik?"),
    "an ordinary entity": Call(f"What of {generator.ORDINARY}?", _WHOLE),
    "40 facts, two hops": Call(f"What of {generator.NEAR}?", {**_WHOLE, "hops": 2}),
    "hub": Call(f"What of {generator.HUB}?", _WHOLE),
    "hub, rare role": Call(
        f"What of {generator.HUB}?", {**_WHOLE, "source_roles": [generator.RARE_ROLE]}
    ),
    "hub, named subject": Call(
        f"What of {generator.HUB}?", {**_WHOLE, "data_subject_id": generator.SUBJECT}
    ),
}
_PAST = {"as of the middle": ("as_of", 0.5), "known late": ("as_known_at", 0.97)}


@dataclass(frozen=True)
class Cost:
    """What one call costs in whole tables and in partitions.

    Buffers are of a warm call; `whole_ms` and `cut_ms` are medians of the server process's own
    processor time, or of the time of the call where that cannot be read.
    """

    measure: str
    facts: int
    same: bool
    whole_buffers: int
    cut_buffers: int
    whole_ms: float
    cut_ms: float

    @property
    def buffers(self) -> float:
        """Return the buffers in partitions as a multiple of those in whole tables."""
        return self.cut_buffers / self.whole_buffers

    @property
    def time(self) -> float:
        """Return the time in partitions as a multiple of that in whole tables."""
        return self.cut_ms / self.whole_ms

    @property
    def met(self) -> bool:
        """Tell whether answers are equal and neither costs more than a tenth more."""
        return self.same and self.buffers <= LIMIT and self.time <= LIMIT

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, numbers rounded to what they are good for."""
        values = {**asdict(self), "buffers": self.buffers, "time": self.time, "met": self.met}
        return {
            name: float(f"{value:.4g}") if isinstance(value, float) else value
            for name, value in values.items()
        }


def compare(
    databases: Databases, facts: int, partitions: int = PARTITIONS, rounds: int = 25
) -> Iterator[Cost]:
    """Make the same memory twice and yield what each kind of recall costs in either."""
    whole, cut = (
        _bench(databases, name, facts, count)
        for name, count in (("whole", None), ("cut", partitions))
    )
    calls = dict(_CALLS)
    for title, (scope, share) in _PAST.items():
        controls = {**_WHOLE, scope: whole.instant(share)}
        calls[f"hub, {title}"] = Call(f"What of {generator.HUB}?", controls)
    for title, call in calls.items():
        ours, theirs = (bench.ask(call) for bench in (whole, cut))
        same = [_told(fact) for fact in ours["facts"]] == [_told(fact) for fact in theirs["facts"]]
        few, many = whole.counts(call), cut.counts(call)
        spent = _spent({"whole": whole, "cut": cut}, call, rounds)
        yield Cost(
            title,
            len(theirs["facts"]),
            same,
            few.buffers,
            many.buffers,
            spent["whole"],
            spent["cut"],
        )


def _bench(databases: Databases, name: str, facts: int, partitions: int | None) -> Bench:
    conn = databases.empty(name, partitions)
    databases.say(f"making {facts:,} facts, {partitions or 'no'} partitions")
    conn.execute("select memory_v1.set_setting('bundle_characters', %s)", (str(CHARACTERS),))
    # Another project comes first, so that partitions hold what whole tables hold.
    made = generator.generate(conn, facts, seed=databases.seed)
    other = databases.connect(conn.info.dbname)
    return Bench(plain(conn), other, made)


def _told(fact: dict[str, Any]) -> tuple[Any, ...]:
    """Return what does not depend on the number of the project."""
    return fact["statement"], fact["predicate"], fact["known_from"], len(fact["evidence"])


def _spent(benches: dict[str, Bench], call: Call, rounds: int) -> dict[str, float]:
    """Return the median milliseconds of a call in each database, batches taken in turn."""
    taken: dict[str, list[float]] = {name: [] for name in benches}
    runs = {name: bench.runner(call) for name, bench in benches.items()}
    for _ in range(2 * _BATCH):
        for run in runs.values():
            run()
    for number in range(rounds):
        # Whoever goes first goes second the next time.
        for name in sorted(benches, reverse=bool(number % 2)):
            before = processor_seconds(benches[name].conn)
            for _ in range(_BATCH):
                runs[name]()
            taken[name].append((processor_seconds(benches[name].conn) - before) / _BATCH * 1000)
    return {name: statistics.median(values) for name, values in taken.items()}
