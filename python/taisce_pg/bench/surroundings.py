"""What lies around a read: the views by key, and what the Python client adds."""

from __future__ import annotations

from collections.abc import Iterator

from taisce_pg.bench import generator
from taisce_pg.bench.measures import Bench, Call, Row
from taisce_pg.bench.probe import count, interleave
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
    """Compare Memory.recall with the same call and its JSON parsed, without the client."""
    import json

    from psycopg.conninfo import make_conninfo

    dsn = make_conninfo(bench.conn.info.dsn, password=bench.conn.info.password or None)
    with Memory(dsn, project=bench.made.project) as memory:
        for title, name in (("40 facts", generator.FORTY), ("nothing known", "Ottilie Quandt")):
            question = f"What of {name}?"
            call = Call(question)
            query, values = call.sql(bench.made.project)

            def plain(query: str = query, values: dict[str, object] = values) -> object:
                return json.loads(bench.conn.execute(query.encode(), values).fetchall()[0][0])

            times = interleave(
                {
                    "ours": lambda question=question: memory.recall(  # type: ignore[misc]
                        question, surfaces=["facts"]
                    ),
                    "plain": plain,
                },
                bench.rounds * 2,
            )
            over = times["ours"].median - times["plain"].median
            ratio = times["ours"].median / times["plain"].median
            yield Row(
                f"Python client, {title}",
                ours=times["ours"].median,
                p95=times["ours"].p95,
                floor=times["plain"].median,
                ratio=ratio,
                goal="< 0.5 ms or ≤ 1.2x",
                met=over < 0.5 or ratio <= 1.2,
                notes=[f"the client adds {over:.2f} ms"],
            )
