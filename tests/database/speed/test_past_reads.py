"""Past reads at hubs: they grow no faster than the square root, and blocks hide nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from taisce_pg.bench import past
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.writing import Conn, Writer, assertion

SIZES = size(2_000, 1_000), 10_000


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Conn]:
    with module_database.connect() as made:
        made.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        yield made


@pytest.fixture(scope="module")
def hubs(conn: Conn) -> list[str]:
    return [past.make_hub(conn, versions) for versions in SIZES]


def test_what_is_read_grows_no_faster_than_the_square_root(conn: Conn, hubs: list[str]) -> None:
    small, large = ([past.read(conn, hub, known) for known in past.INSTANTS] for hub in hubs)
    assert [one.facts for one in large] == [past.FEW, 64, 64]
    for one in past.compare(small, large):
        assert one.met, one


def test_of_the_versions_nine_in_ten_are_superseded(conn: Conn, hubs: list[str]) -> None:
    rows = conn.execute(
        "select count(*) filter (where known_to = 'infinity' and valid_to = 'infinity')::float8"
        " / count(*) from taisce.fact_version group by project_id"
    ).fetchall()
    assert len(rows) == len(hubs)
    for (share,) in rows:
        assert share == pytest.approx(1 / (2 * past.ROUNDS - 1), rel=0.01)


def test_without_blocks_the_same_is_answered_and_more_is_read(conn: Conn, hubs: list[str]) -> None:
    answer = (
        "select f.fact_id from taisce.project as p cross join lateral memory_v1.recall_facts("
        "'What of Past Hub?', project => p.name, max_characters => 1000000, as_known_at => %s) as f"
        " where p.name = %s"
    )
    instants = ["2020-02-01Z", "2021-06-01Z", "2022-01-01Z", "2023-06-01Z", "2030-01-01Z"]
    found = [conn.execute(answer.encode(), [one, hubs[1]]).fetchall() for one in instants]
    read = [past.read(conn, hubs[1], known).entries for known in past.INSTANTS]
    with conn.transaction(force_rollback=True):
        conn.execute("delete from taisce.version_block")
        assert found == [
            conn.execute(answer.encode(), [one, hubs[1]]).fetchall() for one in instants
        ]
        more = [past.read(conn, hubs[1], known).entries for known in past.INSTANTS]
    assert all(without > 2 * reads for without, reads in zip(more, read, strict=True))
    assert sum(more) > 4 * sum(read)


INSTANTS = [datetime(2001 + step, 6, 1, tzinfo=UTC) for step in range(0, 20, 4)]
ANSWER = """
    select f.fact_id, f.valid_until, f.known_from, f.known_until
    from memory_v1.recall_facts('Ann', project => %s, max_characters => 1000000, as_of => %s,
        as_known_at => %s) as f
    order by 1
"""
AROUND = """
    select e.fact_id
    from memory_v1.resolve_entity('Ann', project => %s) as a
    cross join lateral memory_v1.graph_neighborhood(a.entity_id, 1, project => %s,
        valid_at => %s, believed_at => %s, max_edges => 500) as e
    order by 1
"""


@pytest.mark.parametrize("seed", range(size(4, 40)))
def test_what_is_written_after_blocks_were_made_is_read_as_without_them(
    conn: Conn, seed: int
) -> None:
    """Facts among those of a block are ended, corrected, retracted, told again and merged."""
    rng = random.Random(seed)
    writer = Writer(conn, f"widened {seed}")
    writer.say(" ".join(f"Value {n:02d} it is." for n in range(90)), "t")
    facts: list[Any] = []
    known: list[datetime] = []
    for step in range(60):
        if step in (15, 30):
            writer.rows(
                "select taisce.build_blocks(project_id, 1, %s) from taisce.project where name = %s",
                rng.choice((1, 2, 5)),
                writer.project,
            )
        told = assertion(
            rng.choice(("Ann", "Bob")), f"has {rng.randrange(4)}", f"t: Value {step:02d}",
            object=rng.choice(("Cork", "Dublin", f"place {step}")),
            valid_from=datetime(2001 + rng.randrange(20), 1, 1, tzinfo=UTC),
            on_conflict=rng.choice(("refuse", "contradict", "truncate")),
        )  # fmt: skip
        what = rng.choice(("assert", "assert", "assert", "correct", "retract", "merge", "maintain"))
        try:
            if what == "assert":
                row = writer.do("assert_fact", **told)
                facts.append(row["fact_id"])
            elif what == "correct" and facts:
                row = writer.do("correct_fact", fact_id=rng.choice(facts), **told)
                facts.append(row["fact_id"])
            elif what == "retract" and facts:
                writer.do("retract_fact", fact_id=rng.choice(facts))
            elif what == "merge" and step == 40:
                writer.do("merge_entities", absorbed="Bob", survivor="Ann")
            elif what == "maintain":
                writer.rows(
                    "select taisce.retire_versions(project_id, 5) from taisce.project"
                    " where name = %s",
                    writer.project,
                )
        except psycopg.Error as error:
            if error.sqlstate not in ("TS005", "TS006"):
                raise
        known.append(writer.known_through())
    asked = [(at, moment) for at in (None, *INSTANTS) for moment in known[::3]]

    def read(at: datetime | None, moment: datetime) -> list[Any]:
        name = writer.project
        found = writer.rows(ANSWER, name, at, moment)
        return found + writer.rows(AROUND, name, name, at or moment, moment)

    with_blocks = [read(*one) for one in asked]
    with conn.transaction(force_rollback=True):
        assert conn.execute("delete from taisce.version_block").rowcount > 0
        without = [read(*one) for one in asked]
    assert with_blocks == without
    assert any(with_blocks)
