"""How long the checker takes, by the size of a query."""

from __future__ import annotations

import statistics
import time

from taisce_pg.sandbox import check

_BASE = """with recent as (
    select subject_id, predicate, count(*) as n, max(recorded_at) as latest
    from memory_v1.facts_current
    where confidence > 0.5 and valid_from < now() - interval '30 days'
    group by subject_id, predicate
)
select e.canonical_name, r.predicate, r.n, rank() over (order by r.n desc) as place
from recent as r
join memory_v1.entities as e on e.entity_id = r.subject_id
where e.entity_type in ('person', 'company')"""
_ROUNDS = 200


def query_of(size: int) -> str:
    """Return an ordinary query of about so many bytes."""
    text = _BASE
    number = 0
    while len(text) < size:
        text += f"\n    and (r.predicate <> 'p{number}' or coalesce(e.fact_count, 0) > {number})"
        number += 1
    return text


def measure(size: int, rounds: int = _ROUNDS) -> tuple[float, float]:
    """Return the median and the 95th percentile of one check, in milliseconds of processor time.

    Of a text not seen before: what passed lately is known and takes no time.
    """
    sql = query_of(size)
    check(sql)
    taken = []
    for number in range(rounds):
        text = f"{sql} -- {number}"
        started = time.process_time()
        check(text)
        taken.append((time.process_time() - started) * 1000)
    taken.sort()
    return statistics.median(taken), taken[int(len(taken) * 0.95)]


def table(rounds: int = _ROUNDS) -> list[tuple[int, float, float]]:
    """Return the bytes, the median and the 95th percentile for queries of several sizes."""
    return [(len(query_of(size)), *measure(size, rounds)) for size in (450, 1_000, 4_000)]
