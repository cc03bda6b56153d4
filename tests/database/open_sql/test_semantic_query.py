"""Semantic calls in open SQL: literals are embedded once, and the text runs as it was written."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.client.questions import Questions
from taisce_pg.embed.port import EmbedderFailed
from taisce_pg.sandbox.execute import Analyst, AsyncAnalyst
from taisce_pg.sandbox.session import Query
from tests.support import vectors
from tests.support.analysts import Stage, build
from tests.support.databases import Database
from tests.support.sandbox import label, read_table

SPACES = {
    "semantic_claims": ("claim", "claim_id"),
    "semantic_passages": ("message", "passage_id"),
    "semantic_facts": ("fact", "fact_id"),
    "semantic_entities": ("entity", "entity_id"),
}


class Toy:
    """An embedder that counts what it is asked, waits, or fails."""

    input_version = "1"
    revision = ""

    def __init__(self, model: str = "toy", dimensions: int = 8) -> None:
        self.model = model
        self.dimensions: int | None = dimensions
        self.asked: list[str] = []
        self.calls = 0
        self.failure: Exception | None = None
        self.pause = 0.0

    def embed(
        self, texts: Sequence[str], *, seconds: float | None = None, question: bool = False
    ) -> list[list[float]]:
        assert question
        self.asked.extend(texts)
        self.calls += 1
        time.sleep(self.pause)
        if self.failure is not None:
            raise self.failure
        return [vectors.embed(text, self.dimensions or 8, self.model) for text in texts]


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    made = build(module_database)
    boss = module_database.logins[1]  # Who loaded north administers it.
    uri = module_database.uri(user=boss, password=boss)
    with psycopg.connect(uri, autocommit=True) as conn:
        for space, _ in SPACES.values():
            vectors.fill(conn, "north", space)
    return made


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def memory(stage: Stage, toy: Toy) -> Iterator[Memory]:
    with Memory(stage.database.uri(), analyst_dsn=stage.uri, embedder=toy) as made:
        yield made


def known(stage: Stage, function: str, text: str, k: int) -> list[Any]:
    """Return what plain SQL gives for the vector itself."""
    with psycopg.connect(stage.uri, autocommit=True) as conn:
        vector = vectors.literal(vectors.embed(text))
        return [
            str(row[0])
            for row in conn.execute(
                f"select {SPACES[function][1]} from memory_v1.{function}("
                "k => %s, query_embedding => %s, embedding_model => 'toy', project => 'north')",
                [k, vector],
            ).fetchall()
        ]


@pytest.mark.parametrize("function", SPACES)
def test_a_text_gives_what_its_vector_gives(
    stage: Stage, memory: Memory, toy: Toy, function: str
) -> None:
    key = SPACES[function][1]
    found = memory.query(f"select {key}, score from {function}('who works where?', 5)")
    assert [row[0] for row in found.rows] == known(stage, function, "who works where?", 5)
    assert found.rows
    assert toy.asked == ["who works where?"]
    assert found.functions == (function,)
    again = memory.query(f"select {key} from memory_v1.{function}(query => 'who works where?')")
    assert len(again.rows) >= len(found.rows)
    assert toy.asked == ["who works where?"], "a text is embedded once"


@pytest.mark.parametrize(
    "text",
    [
        "select f.statement, s.score from semantic_facts('jobs', k => 3) s "
        "join facts_current f using (fact_id) order by s.score desc",
        "with near as materialized (select * from semantic_claims('jobs')) "
        "select c.quote from claims_current c where c.claim_id in (select claim_id from near)",
        "select (select max(score) from semantic_passages('jobs')), "
        "exists (select from semantic_entities('Marta'))",
        "select e.canonical_name, s.n from entities e cross join lateral "
        "(select count(*) as n from semantic_facts('jobs', 100) x "
        "where x.subject_id = e.entity_id) s",
        "select * from semantic_facts('jobs') union all select * from semantic_facts('cats')",
        "select (semantic_facts('it''s a \"job\" \\ é')).statement",
        "select s.* from rows from (semantic_entities('jobs')) with ordinality as s",
        "select statement from semantic_facts('jobs'::text, project => 'north', "
        "source_roles => array['user'], approximate => false)",
    ],
)
def test_a_call_may_stand_anywhere_a_table_may(memory: Memory, text: str) -> None:
    memory.query(text)


@pytest.mark.parametrize(
    "line",
    [line for line in read_table("legitimate.jsonl") if "semantic_" in line["sql"]],
    ids=label,
)
def test_ordinary_semantic_sql_runs(memory: Memory, toy: Toy, line: dict[str, Any]) -> None:
    memory.query(line["sql"])
    assert toy.asked


def test_every_text_is_embedded_once(memory: Memory, toy: Toy) -> None:
    memory.query(
        "select * from semantic_facts('one') a, semantic_facts('two') b "
        "where a.fact_id = b.fact_id and exists (select from semantic_claims('one'))"
    )
    assert sorted(toy.asked) == ["one", "two"]
    assert toy.calls == 1, "all texts of a query go to the embedder together"
    memory.query("select from semantic_facts('two') a, semantic_facts('three') b limit 1")
    assert toy.asked[2:] == ["three"]


def test_a_parameter_is_a_text_too(stage: Stage, memory: Memory, toy: Toy) -> None:
    found = memory.query("select fact_id from semantic_facts($1, 3)", ["where?"])
    assert [row[0] for row in found.rows] == known(stage, "semantic_facts", "where?", 3)
    for argument in ("$1::text", "cast($1 as text)", "query => $1::text"):
        cast = memory.query(f"select fact_id from semantic_facts({argument}, k => 3)", ["where?"])
        assert cast.rows == found.rows
    assert toy.asked == ["where?"]


def test_a_column_is_refused(memory: Memory) -> None:
    with pytest.raises(errors.QueryRejected, match="semantic_facts") as refused:
        memory.query("select * from entities e, semantic_facts(e.canonical_name) s")
    assert "literal" in str(refused.value.hint)


def test_without_an_embedder_the_error_says_so(stage: Stage) -> None:
    text = "select * from semantic_facts('x')"
    for questions in (None, Questions("none", 5.0)):
        analyst = Analyst(stage.uri, questions)
        with pytest.raises(errors.Unavailable) as told:
            analyst.run(Query(text))
        assert "no embedder" in str(told.value.detail)
        assert "lexical_" in str(told.value.hint)
        assert analyst.run(Query("select 1")).rows == ((1,),)
        assert analyst.explain(Query(text)).error is None, "a plan needs no vector"
        analyst.close()


def test_without_vectors_or_with_those_of_another_model(stage: Stage) -> None:
    boss = stage.database.logins[1]
    uri = stage.database.uri(user=boss, password=boss)
    with psycopg.connect(uri, autocommit=True) as conn:
        conn.execute("select memory_v1.create_project('bare')")
        conn.execute("select memory_v1.grant_project('bare', %s, 'read')", [stage.login])
    toy, other, longer = Toy(), Toy("other"), Toy(dimensions=9)
    with Memory(stage.database.uri(), analyst_dsn=stage.uri, embedder=toy) as memory:
        for call, project in (
            ("semantic_facts('x')", "bare"),
            ("semantic_facts('x', project => 'bare')", "north"),
        ):
            with pytest.raises(errors.Unavailable) as told:
                memory.query(f"select * from {call}", project=project)
            assert "no vectors of any fact" in str(told.value.detail)
    for embedder in (other, longer):
        with (
            Memory(stage.database.uri(), analyst_dsn=stage.uri, embedder=embedder) as memory,
            pytest.raises(errors.EmbeddingMismatch),
        ):
            memory.query("select * from semantic_facts('x')", project="north")
    with psycopg.connect(uri, autocommit=True) as conn:
        conn.execute("select memory_v1.revoke_project('bare', %s)", [stage.login])
    assert toy.asked == other.asked == longer.asked == [], "nothing was sent out for nothing"


def test_an_embedder_that_fails_or_is_late(stage: Stage, toy: Toy) -> None:
    memory = Memory(stage.database.uri(), analyst_dsn=stage.uri, embedder=toy, embedder_seconds=0.3)
    with memory:
        toy.failure = EmbedderFailed("the embedder is down")
        with pytest.raises(errors.Unavailable, match="unavailable") as told:
            memory.query("select * from semantic_facts('x')")
        assert told.value.detail == "the embedder is down"
        toy.failure, toy.pause = None, 2.0
        with pytest.raises(errors.Unavailable) as told:
            memory.query("select * from semantic_facts('y')")
        assert "in time" in str(told.value.detail)
        toy.pause = 0.0
        assert memory.query("select * from semantic_facts('z')").rows
        assert memory.query("select 1").rows == ((1,),)


def test_nothing_of_it_is_left_for_the_next_query(memory: Memory) -> None:
    memory.query("select * from semantic_facts('mine')")
    found = memory.query(
        "select count(*) from semantic_facts(query_embedding => '[1,0,0,0,0,0,0,0]'::vector, "
        "embedding_model => 'toy')"
    )
    assert found.rows[0][0] > 0


def test_the_asynchronous_client_does_the_same(stage: Stage, toy: Toy) -> None:
    async def main() -> None:
        uri = stage.database.uri()
        async with AsyncMemory(uri, analyst_dsn=stage.uri, embedder=toy) as memory:
            found = await memory.query("select fact_id from semantic_facts('who?', 4)")
            assert [row[0] for row in found.rows] == known(stage, "semantic_facts", "who?", 4)
            toy.failure = EmbedderFailed("the embedder is down")
            with pytest.raises(errors.Unavailable):
                await memory.query("select * from semantic_facts('x')")
            toy.failure, toy.pause = None, 5.0
            task = asyncio.ensure_future(memory.query("select * from semantic_facts('slow')"))
            await asyncio.sleep(0.3)
            started = time.monotonic()
            task.cancel()
            await asyncio.wait({task}, timeout=3)
            assert task.cancelled()
            assert time.monotonic() - started < 3
        analyst = AsyncAnalyst(stage.uri)
        with pytest.raises(errors.Unavailable):
            await analyst.run(Query("select * from semantic_facts('x')"))
        await analyst.close()

    asyncio.run(main())


def test_the_command_needs_an_embedder(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("TAISCE_ANALYST_DSN", stage.uri)
    monkeypatch.setenv("TAISCE_EMBEDDER", "none")
    command = ["--dsn", stage.database.uri(), "query", "select * from semantic_facts('x')"]
    assert run(cli, command) == 1
    assert "no embedder" in capsys.readouterr().err
