"""Many questions and their vectors: each answer is by the vector of its own question."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.client.models import Bundle
from taisce_pg.embed.fill import Filler
from tests.support.databases import Database
from tests.support.embedded_memory import small
from tests.support.embedders import Counting, vector_of

QUESTIONS = ["likes green tea", "It rained on day 3", "Marta likes Acme", "day 7 of the trip"]
NEW = ["the trip of day 9", "tea and Acme"]


@pytest.fixture(scope="module")
def uri(module_database: Database) -> str:
    with module_database.connect() as conn:
        small(conn)
        for space in ("message", "entity"):
            Filler(conn, Counting()).fill(space)
    return module_database.uri()


def plain(bundle: Any) -> dict[str, Any]:
    assert isinstance(bundle, Bundle)
    made = bundle.to_dict()
    made["freshness"].pop("read_at")
    return made


def ask_blocking(dsn: str, lists: list[list[str]], **options: Any) -> list[Any]:
    with Memory(dsn, project="demo", embedder_seconds=20, **options) as memory:
        return [memory.recall_many(one) for one in lists]


def ask_awaiting(dsn: str, lists: list[list[str]], **options: Any) -> list[Any]:
    async def ask() -> list[Any]:
        async with AsyncMemory(dsn, project="demo", embedder_seconds=20, **options) as memory:
            return [await memory.recall_many(one) for one in lists]

    return asyncio.run(ask())


def replace(conn: psycopg.Connection[Any]) -> None:
    """Put another model in the place of the one that made the vectors."""
    for space in ("message", "claim", "fact"):
        Filler(conn, Counting("newer", 16)).fill(space)
    conn.execute(
        "select memory_v1.retire_generation(generation_id)"
        " from memory_v1.generations() where model = 'words' and state = 'active'"
    )


Ask = Callable[..., list[Any]]
both_clients = pytest.mark.parametrize("ask", [ask_blocking, ask_awaiting])


@both_clients
def test_each_question_is_asked_with_its_own_vector(uri: str, ask: Ask) -> None:
    embedder = Counting()
    # New ones together; those known by now the other way round; some of either.
    lists = [QUESTIONS, QUESTIONS[::-1], [QUESTIONS[2], NEW[0], QUESTIONS[0], NEW[1]]]
    with Memory(uri, project="demo") as memory:
        wanted = {
            question: plain(
                memory.recall(
                    question, query_embedding=vector_of(question), embedding_model="words"
                )
            )
            for question in QUESTIONS + NEW
        }
    assert len({str(one["passages"]) for one in wanted.values()}) == len(wanted)
    for questions, answers in zip(lists, ask(uri, lists, embedder=embedder), strict=True):
        assert [plain(one) for one in answers] == [wanted[one] for one in questions]
    assert embedder.asked == QUESTIONS + NEW


@both_clients
def test_a_model_that_goes_in_between_costs_no_answer(database: Database, ask: Ask) -> None:
    embedder = Counting()
    with database.connect() as conn:
        small(conn)
        Filler(conn, Counting()).fill("message")
        embedder.before = lambda: replace(conn)
        questions = ["", QUESTIONS[0], "with \0", QUESTIONS[1], QUESTIONS[2]]
        [answers] = ask(database.uri(), [questions], embedder=embedder)
    with Memory(database.uri(), project="demo") as memory:
        by_words = {one: plain(memory.recall(one)) for one in QUESTIONS}
    assert [type(answers[n]) for n in (0, 2)] == [errors.InvalidQuestion] * 2
    for n in (1, 3, 4):
        told = plain(answers[n])
        assert "passages_words_only" in told["degraded"]
        for part in ("anchors", "facts", "passages", "reach"):
            assert told[part] == by_words[questions[n]][part]
    assert embedder.asked == QUESTIONS[:3], "what is refused is not sent"


@pytest.mark.parametrize("operation", ["passage_search", "testimony_context", "fact_context"])
def test_a_search_whose_model_went_in_between_is_by_words(
    database: Database, operation: str
) -> None:
    embedder = Counting()
    with database.connect() as conn:
        small(conn)
        for space in ("message", "claim", "fact"):
            Filler(conn, Counting()).fill(space)
        embedder.before = lambda: replace(conn)
        with Memory(database.uri(), project="demo", embedder=embedder) as memory:
            found = getattr(memory, operation)(QUESTIONS[0])
        assert embedder.asked == [QUESTIONS[0]]
    if operation == "passage_search":
        assert {one.searched for one in found} == {"words"}
    else:
        assert found.searched == "words"
        assert "embedder" in found.degraded


@both_clients
def test_an_embedder_that_is_late_costs_no_answer_but_says_so(uri: str, ask: Ask) -> None:
    embedder = Counting()
    embedder.before = lambda: time.sleep(1.5)
    [answers] = ask(uri, [[*QUESTIONS, ""]], embedder=embedder, deadline=2.0)
    for question, one in zip(QUESTIONS, answers, strict=False):
        assert plain(one)["controls"]["embedding_model"] is None
        assert "embedder" in one.degraded, question
    assert isinstance(answers[4], errors.InvalidQuestion)
