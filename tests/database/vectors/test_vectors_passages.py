"""Passages by words and vectors together: passage_search and recall rank as testimony_context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.bench import probe
from taisce_pg.load.apply import load_lines
from tests.model.surfaces import nearness_of
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.vectors import Generation, cosine, embed, fill, literal

Connection = psycopg.Connection[Any]
Place = tuple[int, int]
WORDS = [f"word{number}" for number in range(15)]
LONG = 5


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def talk(conn: Connection) -> Generation:
    """Conversations of few words, so that words, vectors and what was said beside disagree."""
    draw = Random(8)
    lines: list[dict[str, Any]] = []
    for number in range(60):
        said = [
            {
                "role": draw.choice(("user", "user", "assistant", "tool")),
                "content": " ".join(draw.sample(WORDS, 3)) + f" t{number} n{turn}",
            }
            for turn in range(LONG)
        ]
        of = draw.choice(("s1", "s2", None))
        key = f"o{number}"
        line = {"type": "observation", "key": key, "data_subject_id": of, "messages": said}
        lines.append(line)
    load_lines(conn, "talk", [json.dumps(line) for line in lines], name="talk")
    return fill(conn, "talk", "message")


def places(conn: Connection, roles: list[str], subject: str | None) -> dict[Any, Place]:
    """Read where the passages stand that a caller may see."""
    rows = conn.execute(
        "select m.passage_id, m.log_offset, m.ordinal from taisce.message as m"
        " join taisce.project as p using (project_id) where p.name = 'talk'"
        " and m.role = any (%s) and (%s::text is null or m.data_subject_id = %s)",
        (roles, subject, subject),
    )
    return {passage: (offset, ordinal) for passage, offset, ordinal in rows}


def by_words(
    conn: Connection, query: str, roles: list[str], subject: str | None
) -> dict[Any, float]:
    rows = conn.execute(
        "select r.passage_id, r.score from taisce.project as p, lateral"
        " taisce.rank_passages(p.project_id, %s, %s, 200, 201, %s) as r where p.name = 'talk'",
        (query, roles, subject),
    )
    return dict(rows.fetchall())


def wanted(
    conn: Connection,
    talk: Generation,
    query: str,
    vector: list[float],
    roles: list[str],
    subject: str | None,
) -> dict[Any, float]:
    """Add up what a passage is worth by words and by nearness."""
    words = by_words(conn, query, roles, subject)
    where = places(conn, roles, subject)
    passages = {place: passage for passage, place in where.items()}
    near = nearness_of(vector, {place: talk.items[one].vector for one, place in where.items()})
    most, low, high = max(words.values(), default=1.0), min(near.values()), max(near.values())
    scores = dict(words)
    for place, value in near.items():
        gain = 0.3 * most * (value - low) / (high - low)
        scores[passages[place]] = scores.get(passages[place], 0.0) + gain
    return scores


def searched(conn: Connection, query: str | None, vector: list[float] | None, **more: Any) -> Any:
    values = {"query": query, "project": "talk", "max_rows": 32, **more}
    if vector is not None:
        values |= {"query_embedding": literal(vector), "embedding_model": "toy"}
    names = ", ".join(f"{name} => %({name})s" for name in values)
    cursor = conn.execute(f"select * from memory_v1.passage_search({names})".encode(), values)
    columns = [column.name for column in cursor.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in cursor]


def test_scores_are_words_and_nearness(conn: Connection, talk: Generation) -> None:
    draw = Random(2)
    seen: set[str] = set()
    for number in range(size(12, 60)):
        query = " ".join(draw.sample(WORDS, 2)) if number % 4 else f"unheard{number}"
        vector = embed(f"question {number}")
        roles = draw.choice((["user"], ["tool"], ["user", "assistant", "tool"]))
        subject = draw.choice((None, None, "s1"))
        scores = wanted(conn, talk, query, vector, roles, subject)
        rows = searched(
            conn, query, vector, source_roles=roles, data_subject_id=subject
        )  # fmt: skip
        best = sorted(scores.values(), reverse=True)
        assert [row["score"] for row in rows] == pytest.approx(best[: len(rows)], abs=1e-5), number
        assert len(rows) == min(32, len(scores))
        for row in rows:
            own = talk.items[row["passage_id"]].vector
            assert row["similarity"] == pytest.approx(cosine(own, vector), abs=1e-5)
            assert row["score"] == pytest.approx(scores[row["passage_id"]], abs=1e-5)
            seen.add(row["why"])
        assert {row["searched"] for row in rows} == {"both"}
        assert {row["approximate"] for row in rows} == {False}
    assert {"words", "neighbour", "vectors"} <= seen


def test_all_surfaces_rank_alike(conn: Connection, talk: Generation) -> None:
    draw = Random(4)
    for number in range(size(8, 40)):
        query = " ".join(draw.sample(WORDS, 3))
        near = {"query_embedding": literal(embed(query)), "embedding_model": "toy"}
        names = (
            "project => 'talk', query_embedding => %(query_embedding)s, embedding_model => 'toy'"
        )
        told = [
            row[0]
            for row in conn.execute(
                "select passage_id from memory_v1.testimony_context(query => %(query)s, k => 50,"
                f" {names}) where grain = 'passage'".encode(),
                {"query": query, **near},
            )
        ]
        found = [row["passage_id"] for row in searched(conn, query, embed(query))]
        row = conn.execute(
            f"select memory_v1.recall(%(query)s, {names})".encode(), {"query": query, **near}
        ).fetchone()
        assert row is not None
        recalled = row[0]["passages"]
        assert found == told[:32], number
        assert [one["passage_id"] for one in recalled] == [str(one) for one in told[:8]]
        plain = {str(row["passage_id"]): row for row in searched(conn, query, embed(query))}
        for one in recalled:
            same = plain[one["passage_id"]]
            assert one["why"] == same["why"]
            assert one["score"] == pytest.approx(same["score"], abs=1e-3)
            assert one["similarity"] == pytest.approx(same["similarity"], abs=1e-3)


def test_a_vector_alone_searches_by_similarity(conn: Connection, talk: Generation) -> None:
    vector = embed("alone")
    rows = searched(conn, None, vector)
    near = talk.nearest(vector, places(conn, ["user"], None))
    assert [row["passage_id"] for row in rows] == near[:32]
    for row in rows:
        assert row["score"] == row["similarity"]
        assert (row["why"], row["searched"]) == ("vectors", "vectors")


@contextmanager
def setting(conn: Connection, name: str, value: str) -> Iterator[None]:
    row = conn.execute("select value from taisce.setting where name = %s", (name,)).fetchone()
    assert row is not None
    conn.execute("select memory_v1.set_setting(%s, %s)", (name, value))
    try:
        yield
    finally:
        conn.execute("select memory_v1.set_setting(%s, %s)", (name, row[0]))


def test_without_weight_passages_come_by_words(conn: Connection, talk: Generation) -> None:
    query = "word1 word2"
    plain = searched(conn, query, None)
    with setting(conn, "passage_weight_vectors", "0"):
        assert searched(conn, query, embed("other")) == plain
        assert searched(conn, None, embed("other"))[0]["searched"] == "vectors"
    assert searched(conn, query, embed("other")) != plain
    assert {row["searched"] for row in plain} == {"words"}


def test_what_is_not_like_a_question_anchors_nothing(conn: Connection) -> None:
    people = ("Marta", "Bob", "Zoe")
    lines = [{"type": "entity", "key": name, "name": name} for name in people]
    load_lines(conn, "floor", [json.dumps(line) for line in lines], name="floor")
    made = fill(conn, "floor", "entity")
    vector = embed("who")
    near = {item.text.split()[0]: cosine(item.vector, vector) for item in made.items.values()}

    def anchored() -> list[str]:
        row = conn.execute(
            "select memory_v1.recall('who might it be', 'floor', query_embedding => %s,"
            " embedding_model => 'toy')",
            (literal(vector),),
        ).fetchone()
        assert row is not None
        assert row[0]["degraded"] == []
        assert row[0]["reach"]["named_nothing_known"]
        return [one["name"] for one in row[0]["anchors"]]

    for floor in (0.0, 0.3, 0.6, 1.0):
        with setting(conn, "semantic_anchor_floor", str(floor)):
            assert sorted(anchored()) == sorted(
                name for name, one in near.items() if one > 0 and one >= floor
            )
    assert sorted(anchored()) == sorted(name for name, one in near.items() if one >= 0.3)
    assert len({sum(one >= floor for one in near.values()) for floor in (0, 0.3, 0.6, 1)}) > 1


def test_a_message_that_is_known_later_is_not_read(conn: Connection) -> None:
    """What had been told by an instant is found whatever came after, and costs no more."""
    spoken = ["amber lamp", "amber stone", *["amber glass"] * size(3_000, 9_000)]
    said: list[dict[str, Any]] = [
        {"type": "observation", "key": f"o{n}", "messages": [{"role": "user", "content": text}]}
        for n, text in enumerate(spoken)
    ]
    fact = {
        "type": "fact",
        "key": "f",
        "subject": "Zoe",
        "predicate": "is",
        "value": "here",
        "statement": "Zoe is here.",
        "evidence": [{"observation": "o0", "ordinal": 0, "quote": "amber"}],
    }
    lines = [json.dumps(line) for line in [*said[:2], fact, *said[2:]]]
    load_lines(conn, "early", lines[:3], name="early")
    query = (
        "select p ->> 'quote' from jsonb_array_elements(memory_v1.recall('any amber', 'early',"
        " as_known_at => statement_timestamp()) -> 'passages') as p"
    )
    assert len(conn.execute(query.encode()).fetchall()) == 2
    row = conn.execute("select statement_timestamp()").fetchone()
    load_lines(conn, "early", lines[3:], name="early")
    query = query.replace("statement_timestamp()", "%(at)s")
    assert row is not None
    found = {one for (one,) in conn.execute(query.encode(), {"at": row[0]})}
    assert found == {"amber lamp", "amber stone"}
    assert probe.count(conn, query, {"at": row[0]}).buffers < 200
    # Before anything was known there is nothing to read.
    before = {"at": "2001-01-01T00:00:00Z"}
    assert conn.execute(query.encode(), before).fetchall() == []
    assert probe.count(conn, query, before).buffers < 200
