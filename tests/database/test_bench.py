"""The bench measures what it says: its memory is sound and its yardsticks give the same answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from taisce_pg.bench import floor, generator, measures, probe, reference
from taisce_pg.bench.generator import generate
from tests.support.databases import Database

FACTS = 10_000


@pytest.fixture(scope="module")
def bench(module_database: Database) -> Iterator[measures.Bench]:
    with module_database.connect() as conn, module_database.connect() as keys:
        conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        made = generate(conn, FACTS)
        reference.build(conn)
        yield measures.Bench(probe.plain(conn), floor.prepare(keys), made, rounds=1)


def test_the_reference_gives_the_same_facts(bench: measures.Bench) -> None:
    rows = list(measures.against_reference(bench))
    assert [note for row in rows for note in row.notes if "differ" in note] == []
    assert all(row.facts for row in rows)


def test_the_floor_gives_the_same_json(bench: measures.Bench) -> None:
    rows = list(measures.against_floor(bench))
    assert [note for row in rows for note in row.notes if "differ" in note] == []
    assert [row.facts for row in rows[:3]] == [40, 40, 40]


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        (generator.HUB, FACTS // 10),
        (generator.ORDINARY, 100),
        (generator.CAPPED, 64),
        (generator.OVERFLOWING, 65),
        (generator.FORTY, 40),
        (generator.LEFT, 20),
        (generator.NEAR, 4),
    ],
)
def test_entities_have_their_degrees(bench: measures.Bench, name: str, facts: int) -> None:
    row = bench.conn.execute(
        """
        select count(*)
        from taisce.fact as f
        join taisce.entity as e on e.entity_id in (f.subject_entity_id, f.object_entity_id)
        where e.canonical_name = %s
        """,
        [name],
    ).fetchone()
    assert row is not None
    # The capped entity names the hub in each of its facts.
    assert row[0] == facts + (64 if name == generator.HUB else 0)


@pytest.mark.parametrize(
    "broken",
    [
        "select from taisce.claim as c join taisce.message as m"
        " using (project_id, observation_id, ordinal) where c.quote <> convert_from(substr("
        "convert_to(m.content, 'UTF8'), c.byte_start + 1, c.byte_end - c.byte_start), 'UTF8')",
        "select from taisce.fact as f where not exists ("
        "select from taisce.fact_evidence as e where e.fact_id = f.fact_id)",
        "select from taisce.fact_version as a join taisce.fact_version as b"
        " on a.fact_id < b.fact_id and a.subject_entity_id = b.subject_entity_id"
        " and a.predicate = b.predicate and a.slot and b.slot and a.known_to = 'infinity'"
        " and b.known_to = 'infinity' and a.valid_from < b.valid_to and b.valid_from < a.valid_to",
        "select from taisce.fact_version as a join taisce.fact_version as b"
        " on a.fact_id = b.fact_id and a.known_from < b.known_from"
        " and a.known_to > b.known_from",
        "select from taisce.fact as f join taisce.fact_version as v using (project_id, fact_id)"
        " where (f.superseded_by is null) <> (v.closed_by is null and v.caused_by is null)",
    ],
    ids=["quotes", "evidence", "slots", "knowledge", "supersession"],
)
def test_the_memory_is_as_the_loader_leaves_one(bench: measures.Bench, broken: str) -> None:
    assert bench.conn.execute(broken.encode()).fetchall() == []


def test_the_same_seed_writes_the_same_rows(bench: measures.Bench, database: Database) -> None:
    query = (
        b"select count(*), sum(hashtextextended(f::text, 0)) from (select e.entity_id,"
        b" f.predicate, f.source_role, f.data_subject_id, f.statement, f.stated_until"
        b" from taisce.fact as f join taisce.entity as e on e.entity_id = f.subject_entity_id) as f"
    )
    with database.connect() as conn:
        generate(conn, FACTS, vacuum=False)
        again = conn.execute(query).fetchone()
    assert bench.conn.execute(query).fetchone() == again
