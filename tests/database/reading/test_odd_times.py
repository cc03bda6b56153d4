"""Years before our era and after 9999 are stored, answered and shown; no client falls over them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from taisce_pg import Memory
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.connection import open_connection, resolve_dsn
from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import fact, turn

EARLY, LATE = "0044-03-15 00:00:00+00 BC", "12000-01-01 00:00:00+00"


@pytest.fixture(scope="module")
def told(module_database: Database) -> tuple[str, dict[str, str]]:
    """Tell of something that held from 44 BC to the year 12000; give the ids."""
    with module_database.connect() as conn:
        load_lines(
            conn,
            "p",
            [
                turn("t1", "Caesar died in Rome.", occurred_at="2020-01-01T00:00:00Z"),
                fact("f1", "Caesar", "died in Rome", "t1", "Caesar died in Rome",
                     predicate="died_in", object="Rome", valid_from="2020-01-01T00:00:00Z",
                     valid_until="2090-01-01T00:00:00Z"),
            ],
        )  # fmt: skip
        for statement in (
            "update taisce.observation set occurred_at = %s, ingested_at = %s",
            "update taisce.message set occurred_at = %s",
            "update taisce.claim set asserted_at = %s, claim_valid_from = %s,"
            " claim_valid_until = %s, claim_valid_precision = 'instant'",
            "update taisce.fact_version set valid_from = %s, known_from = %s, valid_to = %s",
            "update taisce.fact set recorded_at = %s",
            "update taisce.fact_evidence set linked_at = %s",
            "update taisce.entity set first_seen_at = %s",
        ):
            given = [EARLY, EARLY, LATE][: statement.count("%s")]
            conn.execute(statement.encode(), given)
        row = conn.execute(
            "select f.fact_id::text, c.claim_id::text, m.passage_id::text,"
            " f.subject_entity_id::text"
            " from taisce.fact as f, taisce.claim as c, taisce.message as m"
        ).fetchone()
        assert row is not None
        names = ("fact", "claim", "passage", "entity")
        return module_database.uri(), dict(zip(names, row, strict=True))


COMMANDS = [
    "recall Caesar",
    "recall Caesar --as-of 2024-01-01T00:00:00Z",
    "facts Caesar",
    "testimony Caesar",
    "answer Caesar",
    "resolve Caesar",
    "graph {entity}",
    "records",
    "entities",
    "entities {entity}",
    "cite {fact}",
    "message {passage}",
    "context s1",
    "freshness",
    "explain Caesar",
    "why-not {fact} Caesar",
    "plan Caesar",
    "segments-due s1",
]


def test_every_command_shows_odd_years(told: tuple[str, dict[str, str]], capfd: Any) -> None:
    uri, ids = told
    failed = []
    for line in COMMANDS:
        words = [word.format(**ids) for word in line.split()]
        for more in ([], ["--json"]):
            code = run(cli, ["--dsn", uri, *words, "--project", "p", *more])
            said = capfd.readouterr()
            if code != 0 or not said.out:
                failed.append((line, more, code, said.err))
            if more and "{entity}" not in line:
                [json.loads(part) for part in said.out.splitlines()]
    assert failed == []


def test_the_client_shows_odd_years(told: tuple[str, dict[str, str]]) -> None:
    uri, ids = told
    with Memory(uri) as memory:
        bundle = memory.recall("Caesar", project="p")
        assert [str(fact.valid_from) for fact in bundle.facts] == ["0044-03-15T00:00:00+00:00 BC"]
        assert [str(fact.valid_until) for fact in bundle.facts] == ["12000-01-01T00:00:00+00:00"]
        assert "BC" in bundle.render()
        assert memory.list_records(project="p")
        assert memory.get_entity(ids["entity"], project="p")
        assert (
            memory.facts_as_of("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z", project="p")
            is not None
        )


def test_rows_of_odd_years_are_text(told: tuple[str, dict[str, str]]) -> None:
    with open_connection(resolve_dsn(told[0])) as conn:
        row = conn.execute(
            "select now(), %s::timestamptz, %s::timestamptz, 'infinity'::timestamptz,"
            " '4713-01-01 BC'::date, '20000-01-01'::timestamp, array[%s::timestamptz]",
            [EARLY, LATE, LATE],
        ).fetchone()
    assert row is not None
    assert isinstance(row[0], datetime)
    assert row[3] == "infinity"
    assert all(isinstance(value, str) for value in row[1:6])
    assert "BC" in row[1]
    assert row[6] == [row[2]]
