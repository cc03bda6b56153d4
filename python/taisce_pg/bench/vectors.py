"""Searching many vectors: how near to exact, how little is read, whether filters starve."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg

from taisce_pg.bench.measures import Row
from taisce_pg.bench.probe import count, interleave

PROJECT = "near"
MODEL = "generated"
_K = 10
_PAGE = 10_000
_SHARES = {"1 %": 100, "0.1 %": 1_000, "0.01 %": 10_000}
_ROLES = {"1 %": "tool", "0.1 %": "system", "0.01 %": "document"}

# Each vector is one of 300 centres plus two of 2,000 small steps, so that neighbours are dense.
_SHAPES = """
create temporary table shape as
select s.n, (
    select array_agg(d.part::real)
    from (
        select sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())
            * case when s.n <= 300 then 1 else 0.35 end as part
        from generate_series(1, {dimensions})
    ) as d
)::{schema}.vector as step
from generate_series(1, 2300) as s (n)
"""
_MESSAGES = """
with told as (
    insert into taisce.observation (
        project_id, observation_id, log_offset, kind, source_role, data_subject_id, ingested_at,
        lineage, message_count, characters
    )
    select %(project)s, gen_random_uuid(), n, 'turn', 'user',
        case when n %% 10000 = 3 then '0.01 %%' when n %% 1000 = 2 then '0.1 %%'
            when n %% 100 = 1 then '1 %%' when n %% 2 = 0 then 'many' end,
        now(), n::text, 1, 20
    from generate_series(%(first)s::bigint, %(last)s::bigint) as n
    returning *
),
said as (
    insert into taisce.message (
        project_id, observation_id, ordinal, passage_id, log_offset, role, content, characters,
        octets, content_digest, data_subject_id
    )
    select t.project_id, t.observation_id, 0, gen_random_uuid(), t.log_offset,
        case when t.log_offset %% 10000 = 13 then 'document' when t.log_offset %% 1000 = 12
            then 'system' when t.log_offset %% 100 = 11 then 'tool' else 'user' end,
        'Note ' || t.log_offset, 20, 20, ''::bytea, t.data_subject_id
    from told as t
    returning *
)
insert into taisce.entity_mention (project_id, entity_id, observation_id, ordinal)
select s.project_id, e.entity_id, s.observation_id, 0
from said as s
join taisce.entity as e on e.project_id = s.project_id
where s.log_offset %% case e.canonical_name when '1 %%' then 100 when '0.1 %%' then 1000
    else 10000 end = 21
"""
_VECTORS = """
insert into taisce.embedding (
    project_id, generation_id, item_id, log_offset, role, data_subject_id, input_digest, embedding
)
select m.project_id, %(generation)s, i.item_id, i.log_offset, i.role, i.data_subject_id,
    i.input_digest, a.step operator({schema}.+) b.step operator({schema}.+) c.step
from (
    select array_agg(n.passage_id) as ids, min(n.project_id) as project_id
    from taisce.message as n
    where n.project_id = %(project)s and n.log_offset between %(first)s and %(last)s
) as m
cross join lateral taisce.embedding_items(m.project_id, 'message', m.ids) as i
join shape as a on a.n = 1 + (hashint8(i.log_offset) & 2147483647) %% 300
join shape as b on b.n = 301 + (hashint8(i.log_offset * 7 + 1) & 2147483647) %% 2000
join shape as c on c.n = 301 + (hashint8(i.log_offset * 13 + 5) & 2147483647) %% 2000
"""
_SEARCH = (
    "select passage_id from memory_v1.semantic_passages(k => {k}, project => 'near',"
    " query_embedding => %(vector)s, embedding_model => 'generated',"
    " source_roles => %(roles)s, data_subject_id => %(subject)s, entity_ids => %(entities)s,"
    " approximate => {near})"
)


@dataclass(frozen=True)
class Asked:
    """What narrows a search."""

    roles: list[str] | None = None
    subject: str | None = None
    entities: list[Any] | None = None

    def values(self, vector: str) -> dict[str, Any]:
        """Return the values of a search for what is near a vector."""
        roles = self.roles or ["user", "tool", "system", "document"]
        return {
            "vector": vector,
            "roles": roles,
            "subject": self.subject,
            "entities": self.entities,
        }


def measure(
    conn: psycopg.Connection[Any],
    vectors: int = 200_000,
    dimensions: int = 256,
    queries: int = 40,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Row]:
    """Fill an empty database with clustered vectors and yield what searches of it cost.

    `conn` is a superuser's in autocommit, on a database with nothing but the installation.
    """
    say(f"making {vectors:,} vectors of {dimensions} numbers")
    entities = fill(conn, vectors, dimensions)
    say("building the index")
    conn.execute("set maintenance_work_mem = '1GB'")
    conn.execute(
        "select * from memory_v1.index_generation((select generation_id from"
        " taisce.embedding_generation), 'near')"
    )
    conn.execute("vacuum analyze taisce.embedding")
    yield from ask(conn, entities, queries)


def fill(conn: psycopg.Connection[Any], vectors: int, dimensions: int) -> dict[str, Any]:
    """Fill a project with messages and their vectors; return its entities by their share."""
    schema = _schema(conn)
    conn.execute("select setseed(0.42)")
    conn.execute("select * from memory_v1.create_project(%s)", [PROJECT])
    project = _one(conn, "select project_id from taisce.project where name = 'near'")
    generation = _one(
        conn,
        "select generation_id from memory_v1.begin_generation('message', %s, '', %s,"
        " project => 'near')",
        [MODEL, dimensions],
    )
    conn.execute(_SHAPES.format(dimensions=dimensions, schema=schema).encode())
    conn.execute("create unique index on shape (n)")
    conn.execute("alter table taisce.message disable trigger user")
    for share in _SHARES:
        conn.execute(
            "insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name,"
            " first_seen_at) values (%s, gen_random_uuid(), 'named', %s, now())",
            [project, share],
        )
    for first in range(1, vectors + 1, _PAGE):
        values = {
            "project": project,
            "generation": generation,
            "first": first,
            "last": min(first + _PAGE - 1, vectors),
        }
        conn.execute(_MESSAGES.encode(), values)
        if first == 1:
            conn.execute("vacuum analyze")
        conn.execute(_VECTORS.format(schema=schema).encode(), values)
    conn.execute("alter table taisce.message enable trigger user")
    conn.execute("update taisce.project_clock set stored = %s", [vectors])
    conn.execute("update taisce.embedding_generation set through_offset = %s", [vectors])
    # Not by ready_generation: the vectors are of no text, so everything is due.
    conn.execute("update taisce.embedding_generation set state = 'ready'")
    conn.execute("select * from memory_v1.activate_generation(%s, 'near')", [generation])
    rows = conn.execute("select canonical_name, entity_id from taisce.entity").fetchall()
    return dict(rows)


def ask(conn: psycopg.Connection[Any], entities: dict[str, Any], queries: int) -> Iterator[Row]:
    """Yield recall, time and buffers of searches, narrowed and not, over what was filled."""
    draw = random.Random(7)
    schema = _schema(conn)
    project = _one(conn, "select project_id from taisce.project where name = 'near'")
    last = _one(
        conn, "select max(log_offset) from taisce.embedding where project_id = %s", [project]
    )
    asked = [
        _one(
            conn,
            f"""
            select (e.embedding operator({schema}.+) (
                select array_agg((random() - 0.5)::real)
                from generate_series(1, {schema}.vector_dims(e.embedding))
            )::{schema}.vector)::text
            from taisce.embedding as e
            where e.project_id = %s and e.log_offset = %s
            limit 1
            """,
            [project, draw.randint(1, last)],
        )
        for _ in range(queries)
    ]
    near, exact = (_SEARCH.format(k=_K, near=word) for word in ("true", "false"))
    everything = Asked()
    share = _share_found(conn, everything, asked)
    reads = statistics.median(count(conn, near, everything.values(one)).buffers for one in asked)
    whole = count(conn, exact, everything.values(asked[0])).buffers
    yield Row("nearest 10 of all", unit="recall@10", ours=share, goal="≥ 0.95", met=share >= 0.95)
    yield Row(
        "nearest 10 of all",
        unit="buffers",
        ours=float(reads),
        reference=float(whole),
        ratio=reads / whole,
        goal="< 0.01 of exact",
        met=reads / whole < 0.01,
    )
    narrowed: dict[str, Asked] = {}
    for part, every in _SHARES.items():
        if last // every:
            narrowed[f"subject with {part}"] = Asked(subject=part)
            narrowed[f"role with {part}"] = Asked(roles=[_ROLES[part]])
            narrowed[f"entity with {part}"] = Asked(entities=[entities[part]])
    narrowed["role and subject with nothing"] = Asked(roles=["assistant"], subject="nobody")
    for name, one in narrowed.items():
        runs = {"all": _runner(conn, everything, asked), "narrow": _runner(conn, one, asked)}
        times = interleave(runs, rounds=queries)
        share = _share_found(conn, one, asked[: queries // 2])
        ratio = times["narrow"].median / times["all"].median
        yield Row(
            name,
            ours=times["narrow"].median,
            reference=times["all"].median,
            ratio=ratio,
            buffers=count(conn, near, one.values(asked[0])).buffers,
            goal="recall@10 ≥ 0.99, ≤ 3x of all",
            met=share >= 0.99 and ratio <= 3,
            notes=[f"recall@10 {share:.3f}"],
        )


def _runner(conn: psycopg.Connection[Any], one: Asked, asked: list[str]) -> Callable[[], object]:
    query = _SEARCH.format(k=_K, near="true").encode()
    turn = iter(range(10**9))

    def run() -> object:
        return conn.execute(query, one.values(asked[next(turn) % len(asked)])).fetchall()

    return run


def _share_found(conn: psycopg.Connection[Any], one: Asked, asked: list[str]) -> float:
    """Return the share of the exact nearest that a search finds."""
    found = wanted = 0
    for vector in asked:
        near, exact = (
            {
                row[0]
                for row in conn.execute(
                    _SEARCH.format(k=_K, near=word).encode(), one.values(vector)
                ).fetchall()
            }
            for word in ("true", "false")
        )
        found += len(near & exact)
        wanted += len(exact)
    return found / wanted if wanted else 1.0


def _schema(conn: psycopg.Connection[Any]) -> str:
    """Return where pgvector lies."""
    found: str = _one(
        conn,
        "select quote_ident(n.nspname) from pg_extension as e"
        " join pg_namespace as n on n.oid = e.extnamespace where e.extname = 'vector'",
    )
    return found


def _one(conn: psycopg.Connection[Any], query: str, values: Any = None) -> Any:
    row = conn.execute(query.encode(), values).fetchone()
    assert row is not None
    return row[0]
