"""What reads cost in counted figures, held against the checked-in baseline of the short bench.

`taisce-pg bench --short --facts 20000 --write` writes the baseline anew.
"""

from __future__ import annotations

from pathlib import Path

from taisce_pg.bench import contexts, floor, graphs, measures, probe, reference, report
from taisce_pg.bench.generator import generate
from tests.support.databases import Database

FACTS = 20_000
BASELINE = Path(__file__).parents[3] / "bench" / "baseline.json"


def test_no_read_costs_more_than_the_baseline(database: Database) -> None:
    with database.connect() as conn, database.connect() as keys:
        conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        made = generate(conn, FACTS, words=True)
        reference.build(conn)
        bench = measures.Bench(probe.plain(conn), floor.prepare(keys), made, rounds=1)
        key = report.baseline_key(report.machine(conn), FACTS, seed=1, short=True)
        baseline = report.read_baseline(BASELINE, key)
        rows = [
            *measures.hub(bench, past=False),
            *measures.against_reference(bench),
            *measures.against_floor(bench),
            *measures.nothing_known(bench),
            *contexts.contexts(bench, 12),
            *graphs.graphs(bench),
        ]
    measured = report.counted(rows)
    assert baseline, f"bench/baseline.json has nothing for {key!r}"
    # A measure that is new or gone makes the baseline a matter of opinion.
    assert set(measured) <= set(baseline)
    assert list(report.regressions(rows, baseline)) == []
