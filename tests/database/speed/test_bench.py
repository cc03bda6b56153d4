"""The bench measures what it says: its memory is sound and its yardsticks give the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from taisce_pg.bench import (
    churn,
    contexts,
    curves,
    floor,
    generator,
    graphs,
    measures,
    probe,
    real,
    reference,
    surroundings,
)
from taisce_pg.bench.generator import generate
from taisce_pg.problem import Problem
from tests.support.databases import Database

FACTS = 10_000


@pytest.fixture(scope="module")
def bench(module_database: Database) -> Iterator[measures.Bench]:
    with module_database.connect() as conn, module_database.connect() as keys:
        conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        made = generate(conn, FACTS, words=True)
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


def test_operations_are_measured_beside_the_rows_they_return(bench: measures.Bench) -> None:
    rows = list(contexts.contexts(bench, 3))
    assert [row.measure.partition(",")[0] for row in rows[:2]] == [
        "fact_context",
        "testimony_context",
    ]
    assert len(rows) == 7
    assert all(row.ratio and row.ratio > 0 and row.buffers for row in rows)
    assert all(row.facts for row in rows[:6])


def test_graph_helpers_are_measured_beside_all_edges(bench: measures.Bench) -> None:
    around, between = graphs.graphs(bench)
    assert around.facts == 100
    assert between.facts
    # Bounded by their caps, where the reference reads the table.
    assert 0 < (around.buffers or 0) < 2_000
    assert 0 < (between.buffers or 0) < 8_000


def test_views_are_read_one_row_at_a_time(bench: measures.Bench) -> None:
    # Whether by an index, test_view_plans says of a larger memory.
    rows = list(surroundings.views(bench))
    assert len(rows) == 10
    assert all(row.buffers and row.unit == "buffers" for row in rows)


def test_the_client_is_measured_beside_the_plain_call(
    bench: measures.Bench, module_database: Database
) -> None:
    rows = list(surroundings.client(bench))
    assert [row.unit for row in rows] == ["ms", "ms", "ms"]
    assert all(row.ours and (row.floor or row.ordinary) for row in rows)
    assert "of the processors" in rows[0].notes[0]


def test_eight_clients_are_measured_beside_one(bench: measures.Bench) -> None:
    row = surroundings.eight_clients(bench, 0.5)
    assert row.ours
    assert row.ordinary
    assert row.ratio == row.ours / row.ordinary
    assert row.notes[0].startswith("0 waits")


def test_curves_cover_every_scope_and_are_drawn(bench: measures.Bench, tmp_path: Path) -> None:
    points = list(curves.curves([bench]))
    assert {point.scope for point in points} == set(curves.SCOPES)
    assert {point.against for point in points} == {"hub", "store"}
    hub = [p for p in points if p.against == "hub" and p.scope == "current"]
    assert [point.size for point in hub] == [40, 100, FACTS // 100, FACTS // 20, FACTS // 10]
    pytest.importorskip("matplotlib")
    curves.draw(points, tmp_path / "cost.svg")
    assert "<svg" in (tmp_path / "cost.svg").read_text()


YAGO = {
    "entity2id.txt": "<Ada_Lovelace>\t0\t1815-12-10\t1852-##-##\n"
    "<Turin>\t1\t####-##-##\t####-##-##\n",
    "relation2id.txt": "<livesIn>\t0\n",
    "triple2id.txt": "0\t0\t1\t1840-##-##\t1841-05-##\n0\t0\t1\t####-##-##\t####-##-##\n",
}


def test_yago_becomes_lines_of_the_load_format(tmp_path: Path, database: Database) -> None:
    for name, text in YAGO.items():
        (tmp_path / name).write_text(text)
    with database.connect() as conn, database.connect() as keys:
        rows = list(real.measure(conn, keys, "yago", real.yago(tmp_path), 1))
        found = conn.execute(
            "select f.statement, f.valid_from::text, f.valid_until::text"
            " from memory_v1.facts_current as f order by f.valid_from nulls last"
        ).fetchall()
    assert found == [
        ("Ada Lovelace livesIn Turin", "1840-01-01 00:00:00+00", "1841-05-01 00:00:00+00"),
        ("Ada Lovelace livesIn Turin", None, None),
    ] or found == [("Ada Lovelace livesIn Turin", None, None)]
    assert rows[0].facts == 2
    assert [note for row in rows for note in row.notes if "differ" in note] == []


def test_a_folder_without_yago_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no YAGO11k"):
        next(real.yago(tmp_path))


def test_what_supersessions_leave_is_counted_as_it_is(database: Database) -> None:
    with database.connect() as conn, database.connect() as reader:
        states = list(churn.measure(conn, reader, superseded=380, values=20, steps=4))
        assert [state.superseded for state in states] == [80, 180, 280, 380]
        last = states[-1]
        assert last.versions == 780
        sizes = conn.execute(
            "select pg_relation_size('taisce.fact_version') / 8192,"
            " pg_indexes_size('taisce.fact_version') / 8192"
        ).fetchone()
    table = last.tables["fact_version"]
    assert sizes is not None
    assert (table.pages, table.index_pages) == sizes
    assert last.pages_a_version() == sum(sizes) / last.versions
    # A value's own history grows; what is believed of it now is one fact all along.
    assert last.now <= states[0].now + 4
