"""Questions with an embedder: one vector for a call, the right model only, words if it fails."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.client.questions import REMEMBERED
from taisce_pg.embed import EmbedderFailed
from taisce_pg.embed.fill import Filler
from tests.support.databases import Database
from tests.support.embedded_memory import small
from tests.support.embedders import Counting

QUESTION = "likes green tea"


@pytest.fixture(scope="module")
def uri(module_database: Database) -> str:
    with module_database.connect() as conn:
        small(conn)
        for space in ("message", "claim", "fact", "entity", "report"):
            Filler(conn, Counting()).fill(space)
    return module_database.uri()


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def memory(uri: str, embedder: Counting) -> Iterator[Memory]:
    with Memory(uri, project="demo", embedder=embedder) as made:
        yield made


def test_each_operation_embeds_its_text_once_and_answers_by_vectors(
    memory: Memory, embedder: Counting
) -> None:
    bundle = memory.recall(QUESTION)
    assert bundle.controls.embedding_model == "words"
    assert "embedder" not in bundle.degraded
    assert bundle.passages[0].similarity is not None
    found = memory.passage_search(QUESTION)
    assert found[0].searched == "both"
    assert "green tea" in found[0].quote
    assert memory.entity_candidates(QUESTION)[0].generation > 0
    assert memory.report_candidates(QUESTION) == ()
    assert embedder.asked == [QUESTION]
    memory.recall(f"{QUESTION}!")
    assert embedder.asked == [QUESTION, f"{QUESTION}!"]


def test_the_assured_operations_use_words_and_vectors(memory: Memory, embedder: Counting) -> None:
    testimony = memory.testimony_context(QUESTION)
    facts = memory.fact_context(QUESTION)
    both = memory.answer_context(QUESTION)
    for envelope in (testimony, facts, both.testimony, both.facts):
        assert envelope.searched == "both"
        assert envelope.degraded == ()
    assert embedder.asked == [QUESTION]


def test_the_asynchronous_client_does_the_same(uri: str, embedder: Counting) -> None:
    async def ask() -> None:
        async with AsyncMemory(uri, project="demo", embedder=embedder) as memory:
            bundle = await memory.recall(QUESTION)
            assert bundle.passages[0].similarity is not None
            assert (await memory.passage_search(QUESTION))[0].searched == "both"
            assert embedder.asked == [QUESTION]
            embedder.failure = EmbedderFailed("down")
            other = await memory.recall("another question")
            assert "embedder" in other.degraded
            embedder.failure = None
            embedder.delay = 5
            begun = time.monotonic()
            memory._questions.seconds = 0.2
            late = await memory.recall("a third question")
            assert "embedder" in late.degraded
            assert time.monotonic() - begun < 4

    asyncio.run(ask())


def test_only_so_many_questions_are_remembered_and_none_by_its_words(
    memory: Memory, embedder: Counting
) -> None:
    questions = memory._questions
    for number in range(REMEMBERED + 1):
        questions.asked_together([f"question {number}"], 5).result(5)
    assert questions.known("question 0") is None
    assert questions.known("question 1") is not None
    questions.asked_together(["question 0"], 5).result(5)
    assert questions.known("question 1") is not None, "used last, so kept"
    assert questions.known("question 2") is None
    assert "question" not in repr(questions._recent)


@pytest.mark.parametrize("broken", ["down", "late", "lying", "crashing", "empty"])
def test_words_answer_when_the_embedder_does_not(
    memory: Memory,
    embedder: Counting,
    broken: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory._questions.seconds = 0.3
    if broken == "down":
        embedder.failure = EmbedderFailed("down")
    elif broken == "crashing":
        embedder.failure = RuntimeError(f"cannot embed {QUESTION}")
    elif broken == "late":
        embedder.delay = 20
    else:
        wrong = [1.0] * 3 if broken == "lying" else []
        monkeypatch.setattr(embedder, "embed", lambda texts, **_: [wrong] if wrong else [])
    begun = time.monotonic()
    bundle = memory.recall(QUESTION)
    assert time.monotonic() - begun < 10
    assert "embedder" in bundle.degraded
    assert bundle.passages[0].why != "vectors"
    assert bundle.controls.embedding_model is None
    testimony = memory.testimony_context(QUESTION)
    assert "embedder" in testimony.degraded
    assert testimony.searched == "words"
    both = memory.answer_context(QUESTION)
    assert "embedder" in both.testimony.degraded
    assert "embedder" in both.facts.degraded
    assert "embedder" in bundle.render()
    assert memory.passage_search(QUESTION)[0].searched == "words"
    with pytest.raises(errors.Unavailable):
        memory.entity_candidates(QUESTION)
    assert "answered by words" in caplog.text
    assert QUESTION not in caplog.text
    embedder.failure, embedder.delay = None, 0
    monkeypatch.undo()
    assert "embedder" not in memory.recall(QUESTION).degraded


def test_no_text_goes_to_a_model_that_is_not_the_active_one(uri: str) -> None:
    for other in (Counting("other"), Counting("words", 8)):
        with Memory(uri, project="demo", embedder=other) as memory:
            assert "embedder" in memory.recall(QUESTION).degraded
            assert "embedder" in memory.fact_context(QUESTION).degraded
        assert other.asked == []


def test_a_project_without_vectors_is_asked_by_words_and_is_not_degraded(
    database: Database, embedder: Counting
) -> None:
    with database.connect() as conn:
        small(conn)
    with Memory(database.uri(), project="demo", embedder=embedder) as memory:
        assert "embedder" not in memory.recall(QUESTION).degraded
        assert memory.fact_context(QUESTION).degraded == ()
        assert memory.passage_search(QUESTION)[0].searched == "words"
    assert embedder.asked == []


def test_a_model_beside_the_one_activated_last_is_used_too(
    database: Database, embedder: Counting
) -> None:
    with database.connect() as conn:
        small(conn)
        for model in (Counting(), Counting("newer", 16)):
            Filler(conn, model).fill("message")
    for model in (embedder, Counting("newer", 16)):
        with Memory(database.uri(), project="demo", embedder=model) as memory:
            assert memory.passage_search(QUESTION)[0].searched == "both"
        assert model.asked == [QUESTION]


def test_spaces_of_different_models_do_not_meet(database: Database) -> None:
    ours, theirs = Counting(), Counting("theirs", 16)
    with database.connect() as conn:
        small(conn)
        Filler(conn, ours).fill("message")
        Filler(conn, theirs).fill("claim")
    ours.asked.clear()
    with Memory(database.uri(), project="demo", embedder=ours) as memory:
        testimony = memory.testimony_context(QUESTION)
        assert testimony.passages
        assert testimony.degraded
        assert "vectors" not in memory.fact_context(QUESTION).degraded


def test_a_vector_of_the_callers_own_is_passed_on(memory: Memory, embedder: Counting) -> None:
    vector = embedder.embed([QUESTION])[0]
    embedder.asked.clear()
    found = memory.passage_search(QUESTION, query_embedding=vector, embedding_model="words")
    assert found[0].searched == "both"
    with pytest.raises(errors.EmbeddingMismatch):
        memory.passage_search(QUESTION, query_embedding=vector, embedding_model="other")
    with pytest.raises(errors.InvalidArgument):
        memory.passage_search(QUESTION, embedding_model="words")
    assert embedder.asked == []


@pytest.mark.parametrize("question", ["", "   ", "x" * 9000])
def test_a_question_that_is_none_is_refused_without_being_sent(
    memory: Memory, embedder: Counting, question: str
) -> None:
    with pytest.raises(errors.InvalidQuestion):
        memory.recall(question)
    with pytest.raises(errors.TaisceError):
        memory.recall("fine", project="nowhere")
    assert embedder.asked == []


def test_the_environment_chooses_the_embedder_of_the_command_line(
    uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    chosen = {
        "TAISCE_EMBEDDER": "http",
        "TAISCE_EMBEDDER_URL": "http://127.0.0.1:9/v1",
        "TAISCE_EMBEDDER_MODEL": "words",
    }
    ask = ["--dsn", uri, "recall", QUESTION, "--project", "demo", "--json"]
    done = CliRunner().invoke(cli, ask, env=chosen)
    assert done.exit_code == 0, done.output
    assert '"embedder"' in done.stdout
    assert "cannot be reached" in caplog.text
    done = CliRunner().invoke(cli, ask, env={"TAISCE_EMBEDDER": "nonsense"})
    assert "no embedder 'nonsense'" in str(done.exception)


def test_passages_are_printed_with_how_they_were_found(uri: str) -> None:
    ask = ["--dsn", uri, "passages", QUESTION, "--project", "demo", "--max-rows", "2"]
    done = CliRunner().invoke(cli, ask)
    assert "green tea" in done.stdout
    done = CliRunner().invoke(cli, [*ask, "--json"])
    assert '"searched": "words"' in done.stdout


def test_a_model_that_is_being_read_is_given_more_time(memory: Memory, embedder: Counting) -> None:
    questions = memory._questions
    assert questions.embedder is embedder
    assert questions.limit(30) == 5
    assert questions.limit(4) == 2
    embedder.loaded = False  # type: ignore[attr-defined]
    assert questions.limit(60) == 20
    assert questions.limit(30) == 15
