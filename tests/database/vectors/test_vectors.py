"""Generations of vectors: filled, resumed, followed, switched, retired, and never out of date."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.vectors import (
    SPACES,
    code,
    embed,
    fill,
    follow,
    literal,
    one,
    search,
    small,
    state,
    store,
    tell,
    turn,
)

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def test_every_space_is_embedded_with_who_speaks(conn: Connection) -> None:
    small(conn, "spaces")
    texts = {
        space: {item.text for item in fill(conn, "spaces", space).items.values()}
        for space in SPACES
    }
    assert texts["message"] == {
        "Marta: I moved to Dublin.",
        "s1: I like it.",
        "Paper: The report says so.",
    }
    assert texts["claim"] == {"Marta: moved to Dublin"}
    assert texts["fact"] == {"Marta lives in Dublin. lives there"}
    assert texts["entity"] == {"Marta (person). A.", "Dublin"}
    assert texts["report"] == {"Moves. Marta moved."}
    active = conn.execute(
        "select space, embedding_model, dimensions, through_offset, covered_through_offset"
        " from memory_v1.active_model(project => 'spaces')"
    ).fetchall()
    assert [row[:3] for row in active] == [(space, "toy", 8) for space in sorted(SPACES)]
    assert all(row[4] == 2 for row in active)


def test_a_generation_is_taken_up_where_it_was_left(conn: Connection) -> None:
    tell(conn, "resume", [turn(f"o{n}", f"text {n}") for n in range(30)])
    begun = "select generation_id from memory_v1.begin_generation('message', 'toy', '', 8, '1', %s)"
    number = one(conn, begun, "resume")
    due = conn.execute(
        "select * from memory_v1.embedding_due(%s, max_rows => 12, project => 'resume')", (number,)
    ).fetchall()
    stored = store(conn, "resume", number, due[:7], [embed(row[2]) for row in due[:7]])
    assert stored == (7, 0, 0, 7, 0)
    # The client is killed here; another begins anew.
    assert one(conn, begun, "resume") == number
    made = fill(conn, "resume", "message")
    assert made.number == number
    assert len(made.items) == 23
    assert state(conn, "resume", number)["vectors"] == 30
    assert state(conn, "resume", number)["covered_through_offset"] == 30
    assert one(conn, begun, "resume") == number, "an active one is followed, not begun again"
    # What is told later is due, and nothing else.
    tell(conn, "resume", [turn(f"p{n}", f"later {n}") for n in range(3)])
    after = conn.execute(
        "select item_id from memory_v1.embedding_due(%s, 30, project => 'resume')", (number,)
    ).fetchall()
    assert len(after) == 3
    assert follow(conn, "resume", made) == 3
    settled = one(
        conn,
        "select covered_through_offset from memory_v1.settle_generation(%s, false, 'resume')",
        number,
    )
    assert settled == 33
    assert follow(conn, "resume", made) == 0


def test_what_changed_or_went_in_between_is_not_stored(conn: Connection) -> None:
    small(conn, "between")
    number = one(
        conn,
        "select generation_id from memory_v1.begin_generation('entity', 'toy', '', 8, '1', %s)",
        "between",
    )
    due = conn.execute(
        "select * from memory_v1.embedding_due(%s, project => 'between')", (number,)
    ).fetchall()
    changed = next(row for row in due if row[2].startswith("Marta"))
    tell(
        conn,
        "between",
        [{"type": "entity", "key": "m", "name": "Marta", "profile": "B.", "entity_type": "person"}],
    )
    observation = one(
        conn,
        "select observation_id from taisce.observation join taisce.project using (project_id)"
        " where name = 'between' and log_offset = 1",
    )
    conn.execute(
        "select * from memory_v1.erase_observations(array[%s]::uuid[], project => 'between')",
        (observation,),
    )
    stored = store(conn, "between", number, due, [embed(row[2]) for row in due])
    assert stored[:3] == (0, 1, 1), "Dublin went with the only text that named it"
    assert changed[0] in {
        row[0]
        for row in conn.execute(
            "select * from memory_v1.embedding_due(%s, project => 'between')", (number,)
        )
    }


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"vectors": [[1.0] * 7]}, "TS011"),
        ({"vectors": [[0.0] * 8]}, "TS005"),
        ({"vectors": []}, "TS005"),
        ({"digests": []}, "TS005"),
        ({"number": 987_654}, "TS004"),
        ({"project": "nowhere"}, "TS003"),
        ({"twice": True}, "TS005"),
    ],
)
def test_broken_vectors_are_refused(conn: Connection, change: dict[str, Any], wanted: str) -> None:
    if not one(conn, "select count(*) from taisce.project where name = 'broken'"):
        small(conn, "broken")
    number = one(
        conn,
        "select generation_id from memory_v1.begin_generation('report', 'toy', '', 8, '1', %s)",
        "broken",
    )
    [due] = conn.execute(
        "select * from memory_v1.embedding_due(%s, project => 'broken')", (number,)
    ).fetchall()
    times = 2 if change.get("twice") else 1
    found = code(
        conn,
        "select * from memory_v1.store_embeddings(%s, %s, %s, %s::text[]::vector[], %s)",
        change.get("number", number),
        [due[0]] * times,
        change.get("digests", [due[3]] * times),
        [literal(vector) for vector in change.get("vectors", [[1.0] * 8] * times)],
        change.get("project", "broken"),
    )
    assert found == wanted


@pytest.mark.parametrize(
    "arguments",
    [
        "'place', 'm', '', 8",
        "'message', ' ', '', 8",
        "'message', 'a@b', '', 8",
        "'message', 'm', null, 8",
        "'message', 'm', '', null",
        "'message', 'm', '', 0",
        "'message', 'm', '', 16001",
        "'message', 'm', '', 8, '2'",
        "null, 'm', '', 8",
    ],
)
def test_a_generation_that_cannot_be_is_not_begun(conn: Connection, arguments: str) -> None:
    if not one(conn, "select count(*) from taisce.project where name = 'begin'"):
        tell(conn, "begin", [turn("o", "text")])
    query = f"select * from memory_v1.begin_generation({arguments}, project => 'begin')"
    assert code(conn, query) == "TS005"


def test_models_side_by_side_and_a_switch_without_a_gap(conn: Connection) -> None:
    tell(conn, "switch", [turn(f"o{n}", f"text {n}") for n in range(20)])
    first = fill(conn, "switch", "message", model="old", dimensions=8)
    second = fill(conn, "switch", "message", model="new", dimensions=6, activate=False)
    vector = embed("text 3", 6, "new")
    assert (
        code(
            conn,
            "select * from memory_v1.semantic_passages(project => 'switch',"
            " query_embedding => %s, embedding_model => 'new')",
            literal(vector),
        )
        == "TS011"
    )
    activate = "select state from memory_v1.activate_generation(%s, 'switch')"
    assert one(conn, activate, second.number) == "active"
    # Both answer, each in its own space, as brute force says.
    for made in (first, second):
        asked = embed("text 3 again", made.dimensions, made.model)
        found = search(conn, "switch", "passages", asked, made.model)
        assert found == made.nearest(asked)[:20]
    assert (
        one(conn, "select embedding_model from memory_v1.active_model('message', 'switch')")
        == "new"
    )
    # A vector of the right model and a wrong length is refused before anything is read.
    assert (
        code(
            conn,
            "select * from memory_v1.semantic_passages(project => 'switch',"
            " query_embedding => '[1,2]', embedding_model => 'new')",
        )
        == "TS011"
    )
    # A new generation of the same model takes the place of the old one in one step.
    conn.execute(
        "update taisce.embedding_generation set input_version = '0' where generation_id = %s",
        (second.number,),
    )
    third = fill(conn, "switch", "message", model="new", dimensions=6)
    assert third.number not in (first.number, second.number)
    assert state(conn, "switch", second.number)["state"] == "ready"
    assert state(conn, "switch", third.number)["state"] == "active"
    retire = "select vectors from memory_v1.retire_generation(%s, 'switch')"
    assert one(conn, retire, second.number) == 0
    assert one(conn, retire, first.number) == 0
    assert search(conn, "switch", "passages", vector, "new") == third.nearest(vector)[:20]
    assert code(conn, activate, second.number) == "TS005"
    assert (
        code(
            conn,
            "select * from memory_v1.semantic_passages(project => 'switch',"
            " query_embedding => %s, embedding_model => 'old')",
            literal(embed("x", 8, "old")),
        )
        == "TS011"
    )


def test_a_revision_is_part_of_the_model(conn: Connection) -> None:
    tell(conn, "revision", [turn("o", "text")])
    fill(conn, "revision", "message", model="m", revision="2")
    query = (
        "select * from memory_v1.semantic_passages(project => 'revision',"
        " query_embedding => %s, embedding_model => %s)"
    )
    assert code(conn, query, literal([1.0] * 8), "m") == "TS011"
    assert code(conn, query, literal([1.0] * 8), "m@2") is None


def test_a_building_generation_is_neither_active_nor_used(conn: Connection) -> None:
    tell(conn, "building", [turn("o", "text")])
    number = one(
        conn,
        "select generation_id from memory_v1.begin_generation('message', 'toy', '', 8, '1', %s)",
        "building",
    )
    assert (
        code(conn, "select * from memory_v1.activate_generation(%s, 'building')", number) == "TS005"
    )
    assert (
        code(
            conn,
            "select * from memory_v1.semantic_passages(project => 'building',"
            " query_embedding => %s, embedding_model => 'toy')",
            literal([1.0] * 8),
        )
        == "TS014"
    )


def test_a_generation_that_is_not_filled_answers_nothing(conn: Connection) -> None:
    tell(conn, "half", [turn(f"o{n}", f"text {n}") for n in range(8)])
    full = fill(conn, "half", "message", model="toy", dimensions=8)
    conn.execute(
        "update taisce.embedding_generation set input_version = '0' where generation_id = %s",
        (full.number,),
    )
    begin = "select generation_id from memory_v1.begin_generation('message', 'toy', '', 8, '1', %s)"
    number = one(conn, begin, "half")
    ready = "select state from memory_v1.ready_generation(%s, 'half')"
    activate = "select state from memory_v1.activate_generation(%s, 'half')"
    assert code(conn, ready, number) == "TS005"
    due = conn.execute(
        "select item_id, input_digest, input_text"
        " from memory_v1.embedding_due(%s, project => 'half')",
        (number,),
    ).fetchall()
    for item, digest, text in due[:7]:
        conn.execute(
            "select * from memory_v1.store_embeddings(%s, %s, %s, %s::vector[], 'half')",
            (number, [item], [digest], [literal(embed(text))]),
        )
    with pytest.raises(psycopg.Error) as caught:
        conn.execute(ready, (number,))
    assert "not filled" in str(caught.value.diag.message_detail)
    assert code(conn, activate, number) == "TS005"
    assert state(conn, "half", full.number)["state"] == "active"
    conn.execute(
        "select * from memory_v1.store_embeddings(%s, %s, %s, %s::vector[], 'half')",
        (number, [due[7][0]], [due[7][1]], [literal(embed(due[7][2]))]),
    )
    assert one(conn, ready, number) == "ready"
    assert one(conn, activate, number) == "active"
    assert state(conn, "half", full.number)["state"] == "ready"


def test_two_lengths_of_one_model_stand_side_by_side(conn: Connection) -> None:
    tell(conn, "lengths", [turn(f"o{n}", f"text {n}") for n in range(4)])
    made = [fill(conn, "lengths", "message", model="m", dimensions=size) for size in (8, 6)]
    for generation in made:
        assert state(conn, "lengths", generation.number)["state"] == "active"
        asked = embed("text 3", generation.dimensions, "m")
        assert search(conn, "lengths", "passages", asked, "m") == generation.nearest(asked)
