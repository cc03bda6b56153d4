"""What was said otherwise, released, expired or erased is near to nothing any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.vectors import (
    SPACES,
    embed,
    fill,
    follow,
    literal,
    one,
    search,
    small,
    tell,
    turn,
)

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def test_a_vector_of_another_text_is_never_returned(conn: Connection) -> None:
    small(conn, "digest")
    made = {space: fill(conn, "digest", space) for space in SPACES}
    marta = next(i for i, item in made["entity"].items.items() if "Marta" in item.text)
    fact = next(iter(made["fact"].items))
    assert marta in search(conn, "digest", "entities", embed("who"))
    assert search(conn, "digest", "facts", embed("who")) == [fact]
    # Another profile: the vector of the entity says what is said no more.
    tell(
        conn,
        "digest",
        [{"type": "entity", "key": "m", "name": "Marta", "profile": "Z.", "entity_type": "person"}],
    )
    assert marta not in search(conn, "digest", "entities", embed("who"))
    assert follow(conn, "digest", made["entity"]) == 1
    assert marta in search(conn, "digest", "entities", embed("who"))
    # Another name of an end: the same for a fact.
    tell(
        conn,
        "digest",
        [
            {"type": "entity", "key": "d", "name": "Baile"},
            {"type": "merge", "absorbed": "Dublin", "survivor": "Baile"},
        ],
    )
    assert search(conn, "digest", "facts", embed("who")) == []
    assert follow(conn, "digest", made["fact"]) == 1
    assert search(conn, "digest", "facts", embed("who")) == [fact]


def test_nothing_of_what_was_released_expired_or_erased_is_near(conn: Connection) -> None:
    """Probe with the very vectors of what has gone, in every space."""
    tell(
        conn,
        "gone",
        [
            turn("keep", "Nobody told this."),
            turn("x1", "Zed: my word is zwolf.", data_subject_id="z"),
            turn("x2", "soon", retention_until="2100-01-01T00:00:00Z"),
            {"type": "entity", "key": "z", "name": "Zwolf", "source": "x1", "profile": "zwolf"},
            {
                "type": "fact",
                "key": "f",
                "subject": {"key": "z"},
                "predicate": "is",
                "value": "zwolf",
                "statement": "zwolf it is",
                "evidence": [{"observation": "x1", "ordinal": 0, "quote": "my word is zwolf"}],
            },
            {"type": "community", "key": "k", "members": ["Zwolf"]},
            {"type": "report", "community": "k", "title": "zwolf", "summary": "zwolf",
             "facts": ["f"], "sources": ["x1"]},
        ],
    )  # fmt: skip
    made = {space: fill(conn, "gone", space) for space in SPACES}
    planted = {
        (space, item): entry
        for space in SPACES
        for item, entry in made[space].items.items()
        if "zwolf" in entry.text.lower()
    }
    assert {space for space, _ in planted} == set(SPACES)
    project = one(conn, "select project_id from taisce.project where name = 'gone'")
    conn.execute(
        "update taisce.message set retention_until = now() where project_id = %s"
        " and content = 'soon'",
        (project,),
    )
    expired = next(i for i, entry in made["message"].items.items() if "soon" in entry.text)
    assert expired not in search(conn, "gone", "passages", made["message"].items[expired].vector)
    conn.execute("select * from memory_v1.erase_subject('z', project => 'gone')")
    left = conn.execute(
        "select item_id from taisce.embedding where project_id = %s", (project,)
    ).fetchall()
    assert not {row[0] for row in left} & {item for _, item in planted}
    for (space, item), entry in planted.items():
        if space == "report":
            near = [
                row[0]
                for row in conn.execute(
                    "select report_id from memory_v1.report_candidates(query_embedding => %s,"
                    " embedding_model => 'toy', project => 'gone')",
                    (literal(entry.vector),),
                )
            ]
        else:
            what = {"message": "passages", "entity": "entities"}.get(space, f"{space}s")
            near = search(conn, "gone", what, entry.vector)
        assert item not in near, space
    kept = next(i for i, entry in made["message"].items.items() if "Nobody" in entry.text)
    observation = one(conn, "select observation_id from taisce.message where passage_id = %s", kept)
    conn.execute("select * from memory_v1.release_content(%s, project => 'gone')", (observation,))
    assert not one(conn, "select count(*) from taisce.embedding where item_id = %s", kept)
