"""A project to load lines into, what is stored of it, and lines to load."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import psycopg
import pytest

from tests.support.writing import TABLES, Conn, Row

Line = dict[str, Any]


class Memory:
    """A project to load lines into, and what is stored of it."""

    def __init__(self, conn: Conn, project: str = "p") -> None:
        self.conn = conn
        self.project = project
        self.first_line = 1

    def load(self, lines: Iterable[Any]) -> Row:
        """Load lines in one transaction; returns the counts."""
        with self.conn.transaction(), self.conn.cursor() as cur:
            with cur.copy("copy memory_v1.load_stage (line, body) from stdin") as copy:
                for number, line in enumerate(lines, self.first_line):
                    copy.write_row((number, json.dumps(line)))
            cur.execute("select * from memory_v1.load(project => %s)", [self.project])
            assert cur.description is not None
            row = cur.fetchone()
            return dict(zip((column.name for column in cur.description), row or (), strict=True))

    def refused(self, lines: Iterable[Any], code: str = "TS008") -> str:
        """Load lines that must be refused; returns the detail. Nothing may be left."""
        before = self.dump()
        with pytest.raises(psycopg.Error) as caught:
            self.load(lines)
        assert caught.value.sqlstate == code, caught.value
        assert self.dump() == before
        return caught.value.diag.message_detail or ""

    def rows(self, query: str, *values: Any) -> list[Any]:
        return self.conn.execute(query, values or None).fetchall()

    def value(self, query: str, *values: Any) -> Any:
        row = self.conn.execute(query, values or None).fetchone()
        return row[0] if row else None

    def dump(self) -> dict[str, list[str]]:
        """Give every row of every table as text, as the owner sees them without row security."""
        return {
            name: sorted(row for (row,) in self.rows(f"select t::text from taisce.{name} as t"))
            for (name,) in self.rows(TABLES)
        }

    def versions(self, key: str) -> list[tuple[Any, ...]]:
        """List (from year, to year, believed now, replaced) of a fact's versions in known order."""
        return self.rows(
            """
            select case when isfinite(v.valid_from) then extract(year from v.valid_from)::int end,
                case when isfinite(v.valid_to) then extract(year from v.valid_to)::int end,
                v.known_to = 'infinity', v.replaced
            from taisce.fact_version as v
            join taisce.load_key as k on k.id = v.fact_id and k.kind = 'fact'
            where k.key = %s order by v.known_from
            """,
            key,
        )

    def group(self, key: str) -> Any:
        return self.value(
            "select f.contradiction_group from taisce.fact as f join taisce.load_key as k"
            " on k.id = f.fact_id where k.kind = 'fact' and k.key = %s",
            key,
        )

    def ends(self, key: str) -> tuple[Any, ...]:
        found: tuple[Any, ...] = self.rows(
            """
            select s.canonical_name, o.canonical_name from taisce.fact as f
            join taisce.load_key as k on k.id = f.fact_id and k.kind = 'fact'
            join taisce.entity as s on s.entity_id = f.subject_entity_id
            left join taisce.entity as o on o.entity_id = f.object_entity_id
            where k.key = %s
            """,
            key,
        )[0]
        return found


@pytest.fixture
def memory(conn: Conn) -> Memory:
    return Memory(conn)


def said(
    key: str, content: str, role: str = "user", subject: str | None = "s1", **more: Any
) -> Line:
    return {
        "type": "observation",
        "key": key,
        "data_subject_id": subject,
        "messages": [{"role": role, "content": content}],
        **more,
    }


def entity(name: str, key: str | None = None, **more: Any) -> Line:
    return {"type": "entity", "name": name, "key": key, **more}


def fact(key: str, subject: Any, predicate: str | None, told: str, **more: Any) -> Line:
    """Make a fact line; told is 'observation: quote'."""
    observation, quote = told.split(": ", 1)
    return {
        "type": "fact",
        "key": key,
        "subject": subject,
        "predicate": predicate,
        "statement": more.pop("statement", key),
        "evidence": [{"observation": observation, "quote": quote}],
        **more,
    }


def lives(key: str, place: str, since: int | None, until: int | None = None, **more: Any) -> Line:
    return fact(
        key,
        more.pop("subject", "Marta"),
        "lives_in",
        more.pop("told", "t1: Marta moved"),
        object=place,
        cardinality="one",
        valid_from=f"{since}-01-01T00:00:00Z" if since else None,
        valid_until=f"{until}-01-01T00:00:00Z" if until else None,
        **more,
    )


TOLD = said("t1", "Marta moved about, says Dr. Nuño to Bob.")


def outline(memory: Memory) -> list[Any]:
    """Give what a project holds, without ids and stamps."""
    number = memory.value("select project_id from taisce.project where name = %s", memory.project)
    queries = (
        "select canonical_name, entity_type, profile, status, identity_kind from taisce.entity"
        " where project_id = %s order by 1, 4",
        "select name_key, kind, e.canonical_name from taisce.entity_name as n"
        " join taisce.entity as e using (project_id, entity_id) where n.project_id = %s"
        " order by 1, 3",
        "select f.statement, s.canonical_name, o.canonical_name, f.object_value,"
        " v.valid_from::text, v.valid_to::text, v.live, v.replaced, v.slot, v.contested,"
        " v.cause, v.closed_cause,"
        " f.contradiction_group is null, f.retracted_at is null, f.superseded_by is null"
        " from taisce.fact as f join taisce.fact_version as v using (project_id, fact_id)"
        " join taisce.entity as s on s.project_id = f.project_id"
        " and s.entity_id = f.subject_entity_id"
        " left join taisce.entity as o on o.project_id = f.project_id"
        " and o.entity_id = f.object_entity_id"
        " where f.project_id = %s order by v.known_from, f.statement, v.valid_from, v.valid_to",
        "select e.canonical_name, m.ordinal, c.quote from taisce.entity_mention as m"
        " join taisce.entity as e using (project_id, entity_id)"
        " left join taisce.claim as c using (project_id, claim_id)"
        " where m.project_id = %s order by 1, 2, 3",
        "select kind, key from taisce.load_key where project_id = %s and kind <> 'retraction'"
        " order by 1, 2",
        "select stored, formed, parked from taisce.project_clock where project_id = %s",
        "select title, withdrawn_cause from taisce.report where project_id = %s",
    )
    return [memory.rows(query, number) for query in queries]
