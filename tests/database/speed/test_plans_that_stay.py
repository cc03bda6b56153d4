"""Plans made while a memory was small are those it is read by when it is large.

A pooled connection may have planned all its reads when the tables held a few rows, where every
index costs the same. No ANALYZE comes between, so nothing plans them anew: they must have
been right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.bench import probe
from taisce_pg.load.apply import load_lines
from taisce_pg.resources import db_root
from tests.support.databases import Database

PROJECT = "grown"
FEW, MANY = 30, 3_000
CALLS = 7
Connection = psycopg.Connection[Any]

READS = {
    "recall": "select memory_v1.recall(%(hub)s)",
    "recall, facts": "select memory_v1.recall(%(hub)s, surfaces => '{facts}')",
    "recall, two hops": "select memory_v1.recall(%(hub)s, hops => 2, surfaces => '{facts}')",
    "recall, a subject": (
        "select memory_v1.recall(%(hub)s, data_subject_id => 's', surfaces => '{facts}')"
    ),
    "recall, as of": "select memory_v1.recall(%(hub)s, as_of => '2020-01-05Z')",
    "recall, known": "select memory_v1.recall(%(hub)s, as_known_at => %(known)s)",
    "recall, nothing known": "select memory_v1.recall('What of Nobody Here?')",
    "silent, known early": "select memory_v1.recall(%(hub)s, as_known_at => '2019-01-01Z')",
    "silent, role": "select memory_v1.recall(%(hub)s, source_roles => '{tool}')",
    "silent, subject": "select memory_v1.recall(%(hub)s, data_subject_id => 'nobody')",
    "silent, role of a subject": (
        "select memory_v1.recall(%(hub)s, data_subject_id => 's', source_roles => '{tool}')"
    ),
    "anchors": "select * from memory_v1.recall_anchors(%(hub)s)",
    "anchors, a subject": "select * from memory_v1.recall_anchors(%(hub)s, data_subject_id => 's')",
    "explain_recall": "select memory_v1.explain_recall(%(hub)s)",
    "why_not": "select memory_v1.why_not(%(fact)s, %(hub)s)",
    "fact_walk": "select * from memory_v1.fact_walk(array[%(id)s::uuid], 2)",
    "facts_at": "select * from memory_v1.facts_at()",
    "facts_at, a time": "select * from memory_v1.facts_at('2020-01-05Z', '2020-01-05Z')",
    "fact_context": "select * from memory_v1.fact_context(%(words)s)",
    "fact_context, a hub": (
        "select * from memory_v1.fact_context(%(words)s, entity_ids => array[%(id)s::uuid])"
    ),
    "testimony_context": "select * from memory_v1.testimony_context(%(words)s)",
    "testimony_context, a hub": (
        "select * from memory_v1.testimony_context(%(words)s, entity_ids => array[%(id)s::uuid])"
    ),
    "answer_context": "select memory_v1.answer_context(%(words)s)",
    "passage_search": "select * from memory_v1.passage_search(%(words)s)",
    "lexical_facts": "select * from memory_v1.lexical_facts(%(words)s)",
    "lexical_claims": "select * from memory_v1.lexical_claims(%(words)s)",
    "resolve_entity": "select * from memory_v1.resolve_entity('Great Hub')",
    "graph_neighborhood": "select * from memory_v1.graph_neighborhood(%(id)s)",
    "graph_path": "select * from memory_v1.graph_path(%(id)s, %(other)s)",
    "get_entity": "select memory_v1.get_entity(%(id)s)",
    "list_entities": "select * from memory_v1.list_entities()",
    "list_records": "select * from memory_v1.list_records()",
    "resolve_citation": "select memory_v1.resolve_citation(%(fact)s)",
    "message_window": "select * from memory_v1.message_window(%(passage)s)",
    "context": "select memory_v1.context('s')",
    "freshness": "select memory_v1.freshness()",
}


ROOMS = (
    "context", "evidence", "graph", "inspect", "names", "operations", "recall", "search", "time",
    "vectors",
)  # fmt: skip
# Searches by vectors choose their index by what a search is narrowed to.
ANY_INDEX = {"nearest_vectors.sql.j2"}

WRITES = {
    "observe": (
        "select memory_v1.observe("
        """jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'It is ' || %(n)s)),"""
        " idempotency_key => %(n)s, project => %(p)s)"
    ),
    "assert_fact": (
        "select memory_v1.assert_fact(to_jsonb('Great Hub'::text), 'stands at', value => %(n)s,"
        " statement => %(n)s, cardinality => 'one', project => %(p)s, valid_from => %(at)s,"
        """ evidence => jsonb_build_array(jsonb_build_object('observation', %(n)s::text,"""
        """ 'quote', 'It is ' || %(n)s)))"""
    ),
    "assert_fact, superseding": (
        "select memory_v1.assert_fact(to_jsonb('Great Hub'::text), 'stands at',"
        " value => %(n)s || ' and on', statement => %(n)s, cardinality => 'one',"
        " project => %(p)s, valid_from => %(later)s,"
        """ evidence => jsonb_build_array(jsonb_build_object('observation', %(n)s::text,"""
        """ 'quote', 'It is ' || %(n)s)))"""
    ),
    "correct_fact": (
        "select memory_v1.correct_fact(%(fact)s, to_jsonb('Great Hub'::text),"
        " 'stands at', cardinality => 'one', valid_from => %(later)s,"
        " value => %(n)s || ' or so', statement => %(n)s,"
        """ evidence => jsonb_build_array(jsonb_build_object('observation', %(n)s::text,"""
        """ 'quote', 'It is ' || %(n)s)), project => %(p)s)"""
    ),
    "retract_fact": "select memory_v1.retract_fact(%(fact)s, project => %(p)s)",
}


def _lines(first: int, number: int) -> Iterator[bytes]:
    for i in range(first, first + number):
        near = ("Great Hub", "Great Hub", "Small Hub", f"Person {i % 997}")[i % 4]
        far = "Great Hub" if i % 8 == 2 else f"Person {i * 7 % 397}"
        subject, thing = (near, far) if i % 3 else (far, near)
        one = i % 10 == 0
        predicate = f"holds {i % 90}" if one else f"knows {i % 23}"
        quote = f"{subject} {predicate} {thing}"
        yield _line(
            type="observation",
            key=f"t{i}",
            kind="turn",
            data_subject_id=f"s{i % 50 or ''}",
            messages=[{"role": "user", "content": f"Note {i} taken down: {quote}. No more."}],
        )
        yield _line(
            type="fact",
            key=f"f{i}",
            subject=subject,
            predicate=predicate,
            object=thing,
            statement=quote,
            valid_from=f"2020-01-{1 + i // 1440:02}T{i // 60 % 24:02}:{i % 60:02}:00Z",
            evidence=[{"observation": f"t{i}", "ordinal": 0, "quote": quote}],
            **({"cardinality": "one"} if one else {}),
        )


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def _add(conn: Connection, first: int, number: int) -> None:
    # In a transaction, so that no vacuum follows.
    with conn.transaction():
        load_lines(conn, PROJECT, list(_lines(first, number)), "lines")


def _write(conn: Connection, numbers: range) -> dict[str, int]:
    """Run each of WRITES once a number, and return the fewest buffers it read."""
    read: dict[str, int] = {}
    for number in numbers:
        at = f"2021-01-01 00:{number:02}"
        values: dict[str, Any] = {"n": str(number), "p": PROJECT, "at": f"{at}:00Z"}
        values["later"] = f"{at}:30Z"
        for name, query in WRITES.items():
            if name in ("correct_fact", "retract_fact"):
                row = conn.execute(
                    "select fact_id from taisce.fact where predicate = 'stands at'"
                    " and stated_from = %(later)s and retracted_at is null",
                    values,
                ).fetchone()
                assert row is not None
                values["fact"] = row[0]
            row = conn.execute(
                f"explain (analyze, buffers, timing off, format json) {query}".encode(), values
            ).fetchone()
            assert row is not None
            plan = row[0][0]["Plan"]
            buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
            read[name] = min(read.get(name, buffers), buffers)
    return read


@pytest.fixture(scope="module")
def grown(module_database: Database) -> Iterator[tuple[Connection, Connection, dict[str, Any]]]:
    """Give a connection that planned its reads in a small memory, a new one, and values."""
    with module_database.connect() as conn, module_database.connect() as old:
        tables = conn.execute(
            "select c.oid::regclass::text from pg_class as c where c.relkind = 'r'"
            " and c.relnamespace = 'taisce'::regnamespace"
        ).fetchall()
        for (name,) in tables:
            conn.execute(f"alter table {name} set (autovacuum_enabled = off)".encode())
        conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
        _add(conn, 0, FEW)
        values: dict[str, Any] = {
            "hub": "What of Great Hub?",
            "words": "note taken down about Great Hub and Person 5",
        }
        row = conn.execute(
            "select (select entity_id from taisce.entity where canonical_name = 'Great Hub'),"
            " (select entity_id from taisce.entity where canonical_name = 'Small Hub'),"
            " (select fact_id from taisce.fact limit 1),"
            " (select passage_id from taisce.message limit 1), now()"
        ).fetchone()
        assert row is not None
        values.update(zip(("id", "other", "fact", "passage", "known"), row, strict=True))
        for one in (old, conn):
            probe.plain(one)
            one.execute("select set_config('taisce.project', %s, false)", [PROJECT])
        for query in READS.values():
            for _ in range(CALLS):
                old.execute(query.encode(), values).fetchall()
        _write(old, range(CALLS))
        _add(conn, FEW, MANY)
        with module_database.connect() as new:
            probe.plain(new)
            new.execute("select set_config('taisce.project', %s, false)", [PROJECT])
            yield old, new, values


@pytest.mark.parametrize("name", READS)
def test_a_plan_made_for_few_rows_reads_no_more_of_many(
    grown: tuple[Connection, Connection, dict[str, Any]], name: str
) -> None:
    old, new, values = grown
    for _ in range(CALLS):
        rows = new.execute(READS[name].encode(), values).fetchall()
    assert rows
    fresh = probe.count(new, READS[name], values)
    kept = probe.count(old, READS[name], values)
    assert kept.buffers <= fresh.buffers * 1.05 + 20, fresh
    assert kept.rows <= fresh.rows * 1.05 + 60, fresh


def test_a_write_that_was_planned_for_few_rows_reads_no_more_of_many(
    grown: tuple[Connection, Connection, dict[str, Any]],
) -> None:
    old, new, _ = grown
    fresh = _write(new, range(10, 18))
    kept = _write(old, range(20, 26))
    assert set(kept) == set(WRITES)
    assert {n: read for n, read in kept.items() if read > fresh[n] * 1.1 + 30} == {}, fresh


def _selects(text: str) -> Iterator[str]:
    """Yield each select in parentheses, without what stands in parentheses inside it."""
    opened: list[int] = []
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            inside = text[opened.pop() + 1 : at]
            while inside != (flat := re.sub(r"\([^()]*\)", "", inside)):
                inside = flat
            if re.match(r"\s*select\b", inside):
                yield inside


def _ordered(select: str) -> list[str]:
    """Return the columns that a select is ordered by; an expression counts as one."""
    order = re.search(r"\border by\s+(.*?)\s+(?:limit|offset)\b", select, re.DOTALL)
    return [re.split(r"\s", part.strip())[0] for part in order[1].split(",")] if order else []


def _equal(select: str, alias: str) -> list[str]:
    """Return the columns that one value is asked of: an order by them chooses no index."""
    return re.findall(rf"\b({alias}\.\w+) = ", select)


def test_what_reads_a_part_of_a_project_asks_for_the_order_of_an_index() -> None:
    free = [
        (path.name, " ".join(select.split())[:80])
        for room in ROOMS
        for path in sorted((db_root() / "functions" / room).glob("*.sql*"))
        if path.name not in ANY_INDEX
        for select in _selects(path.read_text())
        if (table := re.search(r"\bfrom\s+taisce\.\w+ as (\w+)\s", select))
        and f"{table[1]}.project_id" in select
        and re.search(r"\blimit\b", select)
        and not (set(_ordered(select)) - set(_equal(select, table[1])))
    ]
    assert free == []
