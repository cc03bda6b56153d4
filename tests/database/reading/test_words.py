"""Word search against a plain computation: scores, exactness, bounds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.support.buffers import buffers
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.words import (
    DOCUMENTS,
    Connection,
    Plain,
    asked,
    bags,
    candidates,
    crowd_of,
    question,
)

QUERIES = size(40, 150)


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def crowd(conn: Connection) -> tuple[int, list[str]]:
    """A project of random texts with common and rare words; its number and words by rank."""
    return crowd_of(conn, "crowd", DOCUMENTS)


@pytest.fixture(scope="module")
def drizzle(conn: Connection) -> tuple[int, list[str]]:
    """A project of texts written thirteen at a time, by three roles: rows of few postings."""
    return crowd_of(
        conn,
        "drizzle",
        min(DOCUMENTS, 2_600),
        ("user", "user", "user", "assistant", "document"),
        13,
    )


def test_scores_are_those_of_a_plain_computation(
    conn: Connection, crowd: tuple[int, list[str]]
) -> None:
    project, words = crowd
    documents = bags(conn, project, "message")
    plain = Plain(documents)
    users = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = 'user'",
            (project,),
        )
    }
    draw = Random(5)
    for _ in range(QUERIES):
        query = question(draw, words)
        rows = conn.execute(
            "select passage_id, score, complete from memory_v1.lexical_passages(%s, 20, 'crowd')",
            (query,),
        ).fetchall()
        expected = plain.scores(asked(conn, query))
        for passage, score, _ in rows:
            assert score == pytest.approx(expected[passage], rel=1e-12)
        best = sorted((expected[key] for key in expected if key in users), reverse=True)[:20]
        if all(row[2] for row in rows):
            assert [row[1] for row in rows] == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("depth", [10, 60, 500, 100_000])
def test_an_answer_is_exact_or_says_that_it_is_not(
    conn: Connection, crowd: tuple[int, list[str]], depth: int
) -> None:
    project, words = crowd
    plain = Plain(bags(conn, project, "message"))
    users = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = 'user'",
            (project,),
        )
    }
    draw = Random(depth)
    exact = 0
    for _ in range(QUERIES):
        query = question(draw, words)
        found, complete = candidates(conn, project, query, 20, depth)
        if complete:
            exact += 1
            expected = plain.scores(asked(conn, query))
            best = sorted((expected[key] for key in expected if key in users), reverse=True)[:20]
            assert list(found.values()) == pytest.approx(best, rel=1e-12)
    assert exact == QUERIES if depth == 100_000 else exact >= (depth > 100)


@pytest.mark.parametrize("depth", [8, 40, 300, 100_000])
@pytest.mark.parametrize("roles", [["user", "assistant"], ["assistant", "document", "tool"]])
def test_roles_and_small_writes_are_read_in_one_order_of_strength(
    conn: Connection, drizzle: tuple[int, list[str]], roles: list[str], depth: int
) -> None:
    project, words = drizzle
    plain = Plain(bags(conn, project, "message"))
    wanted = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = any (%s)",
            (project, roles),
        )
    }
    draw = Random(depth)
    exact = 0
    for _ in range(QUERIES):
        query = question(draw, words)
        found, complete = candidates(conn, project, query, 10, depth, roles=roles)
        expected = plain.scores(asked(conn, query))
        for passage, score in found.items():
            assert passage in wanted
            assert score == pytest.approx(expected[passage], rel=1e-12)
        if complete:
            exact += 1
            best = sorted((expected[key] for key in expected if key in wanted), reverse=True)[:10]
            assert list(found.values()) == pytest.approx(best, rel=1e-12)
    assert exact == QUERIES if depth == 100_000 else exact >= (depth > 100)


def test_what_a_common_word_reads_is_bounded(
    conn: Connection, crowd: tuple[int, list[str]]
) -> None:
    project, words = crowd
    read = {}
    for kind, chosen in (("common", words[:5]), ("middling", words[200:205])):
        statement = (
            "select * from taisce.word_candidates(%s, 'message', "
            "taisce.word_query(%s, 'message', %s), '{user}', 20, 100)"
        )
        values = (project, project, " ".join(chosen))
        read[kind] = buffers(conn, statement, values)
    assert read["common"] <= 2 * read["middling"] + 100


def test_a_small_subject_is_searched_whole(conn: Connection, crowd: tuple[int, list[str]]) -> None:
    project, words = crowd
    plain = Plain(bags(conn, project, "message"))
    rare = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s "
            "and data_subject_id = 'rare' and role = 'user'",
            (project,),
        )
    }
    query = " ".join(words[:5])
    expected = {
        key: score for key, score in plain.scores(asked(conn, query)).items() if key in rare
    }
    found, complete = candidates(conn, project, query, 100, 50, subject="rare")
    assert complete
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_rare_role_is_not_starved(conn: Connection, crowd: tuple[int, list[str]]) -> None:
    project, words = crowd
    plain = Plain(bags(conn, project, "message"))
    tools = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = 'tool'",
            (project,),
        )
    }
    query = " ".join(words[:3])
    expected = {key for key in plain.scores(asked(conn, query)) if key in tools}
    found, complete = candidates(conn, project, query, 100, 50, roles=["tool"])
    assert complete
    assert set(found) == expected


def test_a_refresh_packs_and_keeps_every_score(
    conn: Connection, crowd: tuple[int, list[str]]
) -> None:
    _, words = crowd
    query = " ".join(words[150:153])
    ask = "select passage_id, score from memory_v1.lexical_passages(%s, 50, 'crowd')"
    before = conn.execute(ask, (query,)).fetchall()
    spaces = conn.execute("select * from memory_v1.refresh_words('crowd')").fetchall()
    assert [(row[0], row[1]) for row in spaces] == [("message", DOCUMENTS)]
    assert [row[1] for row in conn.execute(ask, (query,)).fetchall()] == pytest.approx(
        [row[1] for row in before], rel=1e-12
    )
