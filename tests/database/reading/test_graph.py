"""Neighbourhoods and routes against brute force over all relations, and what they read."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.buffers import buffers, use_project
from tests.support.databases import Database
from tests.support.memories import lines
from tests.support.sizes import size

CASES = size(12, 80)
ONLY = os.environ.get("TAISCE_MODEL_SEED")
HUB = size(3_000, 100_000)
PREDICATES = ("knows", "owns", "near")

Connection = psycopg.Connection[Any]
Edge = tuple[UUID, UUID, UUID, str]


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def tell(conn: Connection, project: str, pairs: list[tuple[int, int, str]]) -> list[UUID]:
    """Load relations between numbered entities; return the ids of the entities."""
    count = max(max(pair[:2]) for pair in pairs) + 1
    said = [f"q{number}." for number in range(len(pairs))]
    told: list[dict[str, Any]] = [
        {"type": "entity", "key": f"e{number}", "name": f"Entity {number}"}
        for number in range(count)
    ]
    told.append(
        {
            "type": "observation",
            "key": "o",
            "messages": [{"role": "user", "content": " ".join(said)}],
        }
    )
    for number, (subject, target, predicate) in enumerate(pairs):
        told.append(
            {
                "type": "fact",
                "key": f"f{number}",
                "subject": {"key": f"e{subject}"},
                "predicate": predicate,
                "object": {"key": f"e{target}"},
                "statement": f"statement {number}",
                "evidence": [{"observation": "o", "quote": said[number]}],
            }
        )
    load_lines(conn, project, lines(told), name="graph")
    rows = conn.execute(
        "select e.canonical_name, e.entity_id from taisce.entity as e"
        " join taisce.project as p using (project_id) where p.name = %s",
        [project],
    ).fetchall()
    ids = dict(rows)
    return [ids[f"Entity {number}"] for number in range(count)]


def edges(conn: Connection, project: str) -> list[Edge]:
    return conn.execute(
        "select f.fact_id, f.subject_entity_id, f.object_entity_id, f.predicate"
        " from taisce.fact as f join taisce.project as p using (project_id)"
        " where p.name = %s and f.object_entity_id <> f.subject_entity_id order by 1",
        [project],
    ).fetchall()


def neighbours(all_edges: list[Edge], entity: UUID) -> list[tuple[UUID, UUID]]:
    """List (fact, other end) of an entity in fact order."""
    return [
        (fact, target if source == entity else source)
        for fact, source, target, _ in all_edges
        if entity in (source, target)
    ]


def routes(
    all_edges: list[Edge], start: UUID, end: UUID, most: int
) -> list[tuple[list[UUID], list[UUID]]]:
    """List every simple route of at most `most` relations as (entities, facts)."""
    found: list[tuple[list[UUID], list[UUID]]] = []

    def follow(entities: list[UUID], facts: list[UUID]) -> None:
        if entities[-1] == end:
            found.append((entities, facts))
            return
        if len(facts) == most:
            return
        for fact, other in neighbours(all_edges, entities[-1]):
            if other not in entities:
                follow([*entities, other], [*facts, fact])

    follow([start], [])
    return sorted(found, key=lambda one: (len(one[1]), one[1]))


def draw(rng: Random) -> list[tuple[int, int, str]]:
    count = rng.randint(2, 9)
    return [
        (rng.randrange(count), rng.randrange(count), rng.choice(PREDICATES))
        for _ in range(rng.randint(1, 16))
    ] + [(0, count - 1, "owns")] * (rng.random() < 0.3)


@pytest.mark.parametrize("seed", [int(ONLY)] if ONLY else range(CASES))
def test_routes_and_neighbourhoods_are_those_of_brute_force(conn: Connection, seed: int) -> None:
    rng = Random(seed)
    project = f"g{seed}"
    ids = tell(conn, project, draw(rng))
    known = edges(conn, project)
    for _ in range(6):
        wanted_predicates = rng.sample(PREDICATES, 2) if rng.random() < 0.3 else None
        seen = [e for e in known if wanted_predicates is None or e[3] in wanted_predicates]
        start, end = rng.sample(ids, 2)
        depth, most = rng.randint(1, 6), rng.randint(1, 10)
        both = rng.random() < 0.3
        clocks = "now(), now()" if both else "null, null"
        real = conn.execute(
            f"select * from memory_v1.graph_path(%s, %s, %s, %s, {clocks}, %s, 500, %s)",
            [start, end, depth, wanted_predicates, most, project],
        ).fetchall()
        wanted = routes(seen, start, end, depth)[:most]
        assert [(row[2], row[4]) for row in real] == wanted
        assert [row[0] for row in real] == list(range(1, len(wanted) + 1))
        assert [row[1] for row in real] == [len(facts) for _, facts in wanted]
        assert not any(row[7] for row in real)

        depth = rng.randint(1, 4)
        rows = conn.execute(
            "select depth, fact_id, route, capped from memory_v1.graph_neighborhood("
            f"%s, %s, %s, {clocks}, 500, %s)",
            [start, depth, wanted_predicates, project],
        ).fetchall()
        distance = {start: 0}
        for step in range(1, depth + 1):
            for entity in [one for one, far in distance.items() if far == step - 1]:
                for _, other in neighbours(seen, entity):
                    distance.setdefault(other, step)
        around = {
            fact: min(distance.get(source, 99), distance.get(target, 99)) + 1
            for fact, source, target, _ in seen
        }
        assert {fact: step for step, fact, _, _ in rows} == {
            fact: step for fact, step in around.items() if step <= depth
        }
        for step, fact, route, capped in rows:
            assert not capped
            assert route[0] == start
            assert len(set(route)) == len(route) == step + 1
            steps = list(itertools.pairwise(route))
            assert any(f == fact and {s, t} == set(steps[-1]) for f, s, t, _ in seen)
            assert all(any({s, t} == set(pair) for _, s, t, _ in seen) for pair in steps)


def test_a_cap_keeps_whole_routes_and_is_said(conn: Connection) -> None:
    ids = tell(conn, "cap", [(0, n, "knows") for n in range(1, 21)] + [(1, 21, "owns")])
    [rows] = [
        conn.execute(
            "select depth, capped from memory_v1.graph_neighborhood(%s, 2, max_edges => %s,"
            " project => 'cap')",
            [ids[0], 20],
        ).fetchall()
    ]
    assert rows == [(1, True)] * 20
    exact = conn.execute(
        "select count(*), bool_or(capped) from memory_v1.graph_neighborhood(%s, 2,"
        " max_edges => 21, project => 'cap')",
        [ids[0]],
    ).fetchone()
    assert exact == (21, False)
    path = (
        "select path, length, capped from memory_v1.graph_path(%s, %s, 2, max_edges => %s,"
        " project => 'cap')"
    )
    assert conn.execute(path, [ids[0], ids[21], 500]).fetchall() == [(1, 2, False)]
    assert conn.execute(path, [ids[2], ids[3], 1]).fetchall() == [(0, None, True)]


def test_past_states_are_those_of_then(conn: Connection) -> None:
    ids = tell(conn, "past", [(0, 1, "knows"), (1, 2, "knows")])
    [(before,)] = conn.execute("select clock_timestamp()").fetchall()
    [(fact,)] = conn.execute(
        "select f.fact_id from taisce.fact as f join taisce.project as p using (project_id)"
        " where p.name = 'past' and f.statement = 'statement 1'"
    ).fetchall()
    conn.execute("select memory_v1.retract_fact(%s, 'no', project => 'past')", [fact])
    path = (
        "select length from memory_v1.graph_path(%s, %s, valid_at => %s, believed_at => %s,"
        " project => 'past')"
    )
    assert conn.execute(path, [ids[0], ids[2], None, None]).fetchall() == []
    assert conn.execute(path, [ids[0], ids[2], before, before]).fetchall() == [(2,)]
    with pytest.raises(psycopg.Error) as refused:
        conn.execute(path, [ids[0], ids[2], before, None])
    assert refused.value.sqlstate == "TS005"


def test_ends_that_are_unknown_or_one_are_refused(conn: Connection) -> None:
    ids = tell(conn, "ends", [(0, 1, "knows")])
    for start, end, code in (
        (ids[0], uuid4(), "TS004"),
        (uuid4(), ids[0], "TS004"),
        (ids[0], ids[0], "TS005"),
        (None, ids[0], "TS005"),
    ):
        with pytest.raises(psycopg.Error) as refused:
            conn.execute(
                "select * from memory_v1.graph_path(%s, %s, project => 'ends')", [start, end]
            )
        assert refused.value.sqlstate == code


def entity(number: int) -> str:
    return f"00000000-0000-8000-8000-{number:012x}"


@pytest.fixture(scope="module")
def hubs(conn: Connection) -> Connection:
    """Write two hubs with very many relations each, and a few that join them."""
    project = use_project(conn, "hubs")
    with conn.transaction():
        conn.execute("set local session_replication_role = replica")
        conn.execute(
            """
            insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name,
                first_seen_at)
            select %(p)s, ('00000000-0000-8000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'named',
                'E' || n, now()
            from generate_series(1, 2 * %(n)s + 2) as n
            """,
            {"p": project, "n": HUB},
        )
        conn.execute(
            """
            insert into taisce.fact (project_id, fact_id, content_key, kind, subject_entity_id,
                predicate, object_entity_id, statement, source_role, cardinality, recorded_at)
            select %(p)s, taisce.make_fact_id(n, '00000000-0000-8000-8000-0000000000fa'),
                gen_random_uuid(), 'relation',
                ('00000000-0000-8000-8000-00000000000' || (1 + mod(n, 2)))::uuid, 'knows',
                ('00000000-0000-8000-8000-' || lpad(to_hex(
                    3 + n / case when n < 20 then 2 else 1 end), 12, '0'))::uuid,
                'statement ' || n, (array['user', 'tool', 'document'])[1 + mod(n, 3)], 'many', now()
            from generate_series(0, 2 * %(n)s - 1) as n
            """,
            {"p": project, "n": HUB},
        )
        conn.execute(
            """
            insert into taisce.fact_version (project_id, fact_id, known_from, valid_from, valid_to,
                subject_entity_id, object_entity_id, predicate, source_role)
            select project_id, fact_id, now(), '-infinity', 'infinity', subject_entity_id,
                object_entity_id, predicate, source_role
            from taisce.fact where project_id = %s
            """,
            [project],
        )
    conn.execute("set taisce.project = 'hubs'")
    return conn


@pytest.mark.parametrize(
    ("statement", "most"),
    [
        (f"select * from memory_v1.graph_neighborhood('{entity(1)}')", 6000),
        (f"select * from memory_v1.graph_neighborhood('{entity(1)}', 4, max_edges => 20)", 2000),
        (f"select * from memory_v1.graph_path('{entity(1)}', '{entity(2)}')", 6000),
        (
            f"select * from memory_v1.graph_path('{entity(1)}', '{entity(2)}', 6, max_edges => 20)",
            3000,
        ),
    ],
)
def test_what_is_read_follows_the_caps_and_not_the_hub(
    hubs: Connection, statement: Any, most: int
) -> None:
    touched = buffers(hubs, statement)
    print(f"buffers {touched}: {statement}")
    assert touched <= most
