"""The reads that look into a memory: the page about them, the commands, and what they cost."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import jsonschema
import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors, schema
from taisce_pg.cli.main import COMMANDS, cli
from taisce_pg.client.inspection import INSPECTION
from taisce_pg.load.apply import load_lines
from tests.support.buffers import buffers, use_project
from tests.support.databases import Database
from tests.support.pages import fenced, run_command, run_python
from tests.support.sizes import size

PAGE = Path(__file__).parents[3] / "docs" / "inspecting.md"
MANY = size(10_000, 100_000)
EMPTY = {"segments_due"}
"""What has nothing to say about so short a memory."""


@pytest.fixture(scope="module")
def ann(module_database: Database) -> Database:
    with module_database.connect() as conn:
        load_lines(conn, "ann", fenced(PAGE, "ndjson")[0].splitlines(), "ann.ndjson")
    return module_database


@pytest.fixture
def memory(ann: Database) -> Iterator[Memory]:
    with Memory(ann.uri(), project="ann") as opened:
        yield opened


def test_the_examples_of_the_page_print_what_it_says(ann: Database) -> None:
    run_python(PAGE, ann.uri())


def test_the_commands_of_the_page_run(ann: Database) -> None:
    for line in fenced(PAGE, "sh")[0].splitlines():
        assert run_command(ann.uri(), line)


def test_the_timeline_of_a_fact_is_drawn_whole(ann: Database, memory: Memory) -> None:
    marta = memory.recall("Where does Marta work?", as_of="2024-04-01T00:00:00Z").facts[0]
    asked = f"taisce-pg records --history {marta.fact_id} --timeline --project ann"
    title, axis, first, second = run_command(ann.uri(), asked).splitlines()
    assert title == "Marta works at Acme."
    assert axis.split()[2:] == ["2024-03-01", "2024-06-01"]
    assert "▶" in first
    assert second.endswith("superseded")
    rows = json.loads(run_command(ann.uri(), f"{asked} --json"))
    assert rows == [one.to_dict() for one in memory.record_history(marta.fact_id)]
    for wrong in ("--timeline", f"--timeline --history {marta.fact_id} --max-rows 1"):
        done = CliRunner().invoke(cli, ["--dsn", ann.uri(), "records", *wrong.split()])
        assert done.exit_code == 2
        assert "give --history ID" in done.output


def test_the_example_at_the_end_of_each_help_runs(ann: Database, memory: Memory) -> None:
    fact = memory.list_records()[0].fact_id
    ids = {
        "cite": fact,
        "records": fact,
        "why-not": fact,
        "message": memory.resolve_citation(fact).evidence[0].passage_id,
        "entities": memory.list_entities()[0].entity_id,
    }
    for operation in INSPECTION:
        line = operation.example.replace(" --project demo", "") + " --project ann"
        found = re.search(r"taisce-pg (\S+)", line)
        assert found is not None
        if operation.command:
            assert operation.command in COMMANDS
        line = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", str(ids.get(found[1])), line)
        assert run_command(ann.uri(), line)


def test_a_citation_shows_its_quote_and_what_became_of_it(ann: Database, memory: Memory) -> None:
    [acme] = [one for one in memory.list_records() if one.status == "validity_closed"]
    text = run_command(ann.uri(), f"taisce-pg cite {acme.fact_id} --project ann")
    assert "validity_closed" in text
    assert "replaced by" in text
    assert "News: Marta works at Acme now." in text
    assert "byte for byte" in text
    said = json.loads(run_command(ann.uri(), f"taisce-pg cite {acme.fact_id} --project ann --json"))
    assert said["contract"] == "citation/v1"
    history = run_command(ann.uri(), f"taisce-pg records --history {acme.fact_id} --project ann")
    assert "superseded" in history
    shown = run_command(ann.uri(), f"taisce-pg why-not {acme.fact_id} Marta --project ann")
    assert shown.startswith("time: ")
    block = run_command(ann.uri(), "taisce-pg context ann --project ann --render")
    assert block.startswith("<memory untrusted>\n")


def test_answers_fit_their_schemas_and_no_field_is_outside_the_model(memory: Memory) -> None:
    fact = memory.list_records()[0].fact_id
    answers = [
        memory.context("ann"),
        memory.resolve_citation(fact),
        memory.get_entity(memory.list_entities()[0].entity_id),
        memory.freshness(),
    ]
    for answer in answers:
        name = answer.contract
        jsonschema.Draft202012Validator(schema(name)).validate(answer.to_dict())
        assert answer.model_extra == {}
    rows = [
        *memory.list_records(),
        *memory.list_entities(),
        *memory.record_history(fact),
        *memory.explain_recall("Marta"),
        memory.why_not(fact, "Marta"),
        memory.resolve_citation(fact).evidence[0],
        memory.context("ann").turns[0],
    ]
    assert all(row.model_extra == {} for row in rows)


def test_a_context_renders_with_its_oldest_items_left_out_first(memory: Memory) -> None:
    whole = memory.context("ann").render()
    assert whole.index("Acme") < whole.index("Babel")
    cut = memory.context("ann").render(len(whole) - 1)
    assert len(cut) < len(whole)
    assert "Left out for want of room: 1 item." in cut
    assert "Acme" not in cut
    assert "Babel" in cut
    with pytest.raises(errors.InvalidArgument):
        memory.context("ann").render(10)


def test_both_clients_refuse_alike_and_before_asking_what_is_no_id(
    ann: Database, memory: Memory
) -> None:
    async def ask(fact: UUID | str) -> None:
        async with AsyncMemory(ann.uri(), project="ann") as same:
            assert await same.ready()
            assert len(await same.list_records()) == 3
            assert await same.recall_plan("Marta")
            await same.resolve_citation(fact)

    for fact, error in ((uuid4(), errors.NotFound), ("x", errors.InvalidArgument)):
        with pytest.raises(error):
            memory.resolve_citation(fact)
        with pytest.raises(error):
            asyncio.run(ask(fact))


def everything(memory: Any, do: Callable[[Any], Any]) -> dict[str, Any]:
    """Call every method that looks into a memory; the answers without the instant of reading."""
    fact = do(memory.list_records())[0].fact_id
    passage = do(memory.resolve_citation(fact)).evidence[0].passage_id
    made = {
        "context": do(memory.context("ann", max_characters=4000)),
        "segments_due": do(memory.segments_due("ann", max_rows=5)),
        "resolve_citation": do(memory.resolve_citation(fact, max_rows=1)),
        "message_window": do(memory.message_window(passage, byte_limit=8)),
        "list_records": do(memory.list_records(data_subject_id="ann", max_rows=2)),
        "record_history": do(memory.record_history(fact, max_rows=1)),
        "list_entities": do(memory.list_entities(max_rows=3)),
        "get_entity": do(memory.get_entity(do(memory.list_entities())[0].entity_id)),
        "freshness": do(memory.freshness()),
        "ready": do(memory.ready()),
        "explain_recall": do(memory.explain_recall("Where does Marta work?", hops=2)),
        "why_not": do(memory.why_not(fact, "Where does Marta work?")),
        "recall_plan": do(memory.recall_plan("Marta")),
    }
    shown = {
        name: [one.to_dict() if hasattr(one, "to_dict") else one for one in answer]
        if isinstance(answer, (list, tuple))
        else answer.to_dict()
        if hasattr(answer, "to_dict")
        else answer
        for name, answer in made.items()
    }
    return {name: re.sub(r"'read_at': '[^']*'", "", str(answer)) for name, answer in shown.items()}


def test_every_read_gives_the_same_by_both_clients(ann: Database, memory: Memory) -> None:
    blocking = everything(memory, lambda done: done)
    with asyncio.Runner() as runner:
        opened = runner.run(AsyncMemory(ann.uri(), project="ann").open())
        same = everything(opened, runner.run)
        runner.run(opened.close())
    assert same.keys() == {one.name for one in INSPECTION} | {"ready"}
    for answers in (blocking, same):
        assert "Index" in answers.pop("recall_plan")
    assert same == blocking
    assert all(blocking[name] not in ("[]", "()", "None") for name in blocking.keys() - EMPTY)


def test_ready_is_false_where_nothing_answers(empty_database: Database) -> None:
    with Memory(empty_database.uri()) as bare:
        assert bare.ready() is False
    assert bare.ready() is False


def test_the_page_names_every_function() -> None:
    for operation in INSPECTION:
        assert f"`{operation.name}`" in PAGE.read_text("utf-8")


@pytest.fixture(scope="module")
def large(module_database: Database) -> Iterator[psycopg.Connection[Any]]:
    """Insert very many facts of two people about one entity, and one fact with much behind it."""
    with module_database.connect() as conn:
        project = {"p": use_project(conn, "large"), "n": MANY}
        conn.execute("set taisce.project = 'large'")
        conn.execute("discard plans")
        with conn.transaction():
            conn.execute(
                """
                insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name,
                    first_seen_at)
                select %(p)s, taisce.make_fact_id(n, '00000000-0000-8000-8000-0000000000e1'),
                    'named', 'E' || n, now()
                from generate_series(1, %(n)s) as n
                """,
                project,
            )
            conn.execute(
                """
                insert into taisce.observation (project_id, observation_id, log_offset, kind,
                    source_role, data_subject_id, ingested_at, lineage, message_count, characters,
                    formed_at)
                values (%(p)s, '00000000-0000-8000-8000-0000000000f1', 1, 'turn', 'user', 'many',
                    now(), '', 1, 10, now())
                """,
                project,
            )
            conn.execute(
                """
                insert into taisce.message (project_id, observation_id, ordinal, passage_id,
                    log_offset, role, content, characters, octets, content_digest)
                values (%(p)s, '00000000-0000-8000-8000-0000000000f1', 0,
                    '00000000-0000-8000-8000-0000000000f1', 1, 'user', repeat('0123456789', 6000),
                    60000, 60000, sha256(convert_to(repeat('0123456789', 6000), 'UTF8')))
                """,
                project,
            )
            conn.execute(
                """
                insert into taisce.claim (project_id, claim_id, observation_id, ordinal, byte_start,
                    byte_end, quote, claim_text, role, log_offset, ingested_at)
                select %(p)s, taisce.make_fact_id(n, '00000000-0000-8000-8000-0000000000c1'),
                    '00000000-0000-8000-8000-0000000000f1', 0, 10 * n, 10 * n + 10, '0123456789',
                    '', 'user', 1, now()
                from generate_series(0, 4999) as n
                """,
                project,
            )
            conn.execute(
                """
                insert into taisce.fact (project_id, fact_id, content_key, kind, subject_entity_id,
                    predicate, object_value, statement, source_role, data_subject_id, cardinality,
                    recorded_at)
                select %(p)s, taisce.make_fact_id(n, '00000000-0000-8000-8000-0000000000fa'),
                    gen_random_uuid(), 'attribute',
                    taisce.make_fact_id(1, '00000000-0000-8000-8000-0000000000e1'), 'p',
                    n::text, 'statement ' || n, 'user',
                    case when n <= 10 then 'few' else 'many' end, 'many', now()
                from generate_series(1, %(n)s) as n
                """,
                project,
            )
            conn.execute(
                """
                insert into taisce.fact_version (project_id, fact_id, known_from, known_to,
                    valid_from, valid_to, live, subject_entity_id, predicate, source_role,
                    data_subject_id, closed_cause)
                select f.project_id, f.fact_id, '2020-01-01Z'::timestamptz + n * interval '1 min',
                    case when n = k.last then 'infinity'
                        else '2020-01-01Z'::timestamptz + (n + 1) * interval '1 min' end,
                    '-infinity', 'infinity', n = k.last, f.subject_entity_id, 'p', 'user',
                    f.data_subject_id, case when n < k.last then 'reopened' end
                from taisce.fact as f
                cross join lateral (
                    select case when f.statement = 'statement 1' then 5000 else 1 end as last
                ) as k
                cross join lateral generate_series(1, k.last) as n
                where f.project_id = %(p)s
                """,
                project,
            )
            conn.execute(
                """
                insert into taisce.fact_evidence (project_id, fact_id, stance, log_offset, ordinal,
                    byte_start, claim_id, observation_id, role, linked_at)
                select %(p)s, taisce.make_fact_id(1, '00000000-0000-8000-8000-0000000000fa'),
                    'supports', 1, 0, c.byte_start, c.claim_id, c.observation_id, 'user', now()
                from taisce.claim as c
                where c.project_id = %(p)s
                """,
                project,
            )
        yield conn


FACT = "'00000000-0001-8000-8000-0000000000fa'"


@pytest.mark.parametrize(
    ("statement", "most"),
    [
        ("select * from memory_v1.list_records(max_rows => 20)", 400),
        ("select * from memory_v1.list_records('many', max_rows => 20)", 400),
        ("select * from memory_v1.list_records('few', max_rows => 20)", 250),
        ("select * from memory_v1.list_records('nobody', max_rows => 20)", 60),
        ("select * from memory_v1.list_entities(max_rows => 20)", 100),
        (f"select memory_v1.resolve_citation({FACT}, max_rows => 2)", 150),
        (f"select * from memory_v1.record_history({FACT}, max_rows => 5)", 60),
        (
            f"select memory_v1.message_window({FACT.replace('0001', '0000').replace('fa', 'f1')})",
            60,
        ),
        ("select memory_v1.get_entity('00000000-0001-8000-8000-0000000000e1')", 2500),
        ("select memory_v1.freshness()", 40),
        ("select memory_v1.context('many')", 100),
        ("select memory_v1.explain_recall('E1', surfaces => '{facts}')", 200),
        (f"select memory_v1.why_not({FACT}, 'E1', surfaces => '{{facts}}')", 250),
        ("select memory_v1.explain_recall('E1')", 800),
    ],
)
def test_what_a_read_touches_follows_what_it_returns(
    large: psycopg.Connection[Any], statement: Any, most: int
) -> None:
    touched = []
    for _ in range(2):
        touched.append(buffers(large, statement))
        # The same with statistics as without.
        large.execute("analyze taisce.fact, taisce.fact_version, taisce.fact_evidence")
    print(f"buffers {touched}: {statement}")
    assert max(touched) <= most
