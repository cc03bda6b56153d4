"""Calling the functions that write, by name, and looking at what they leave."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import psycopg
import pytest

Row = dict[str, Any]
Conn = psycopg.Connection[Any]

NOTHING = "00000000-0000-0000-0000-000000000000"
MOVES = "I live in Dublin. I live in Cork. I live in Galway. I live in Sligo."
CASTS = {
    "subject": "jsonb",
    "object": "jsonb",
    "absorbed": "jsonb",
    "survivor": "jsonb",
    "members": "jsonb",
    "evidence": "jsonb",
    "messages": "jsonb",
    "bundle": "jsonb",
    "valid_from": "timestamptz",
    "valid_until": "timestamptz",
    "occurred_at": "timestamptz",
    "retention_until": "timestamptz",
    "confidence": "float8",
    "importance": "float8",
    "level": "int4",
    "covered": "int4",
    "from_offset": "int8",
    "to_offset": "int8",
    "at_offset": "int8",
    "fact_id": "uuid",
    "entity_id": "uuid",
    "observation_id": "uuid",
    "merge_id": "uuid",
    "fact_ids": "uuid[]",
    "observation_ids": "uuid[]",
    "ids": "uuid[]",
}
TABLES = """
    select c.relname from pg_class as c
    where c.relnamespace = 'taisce'::regnamespace and c.relkind = 'r' and not c.relispartition
      and c.relname !~ '^ledger'
    order by 1
"""


class Writer:
    """A project to write to, by the functions of memory_v1."""

    def __init__(self, conn: Conn, project: str = "p", new: bool = True) -> None:
        self.conn = conn
        self.project = project
        if new:
            conn.execute("select memory_v1.create_project(%s)", [project])

    def do(self, function: str, **values: Any) -> Row:
        """Call a function that writes; returns its row."""
        made = {
            name: json.dumps(value) if CASTS.get(name) == "jsonb" else value
            for name, value in {**values, "project": self.project}.items()
        }
        given = ", ".join(f"{name} => %({name})s::{CASTS.get(name, 'text')}" for name in made)
        with self.conn.cursor() as cur:
            cur.execute(f"select * from memory_v1.{function}({given})".encode(), made)
            assert cur.description is not None
            names = [column.name for column in cur.description]
            [row] = cur.fetchall()
        return dict(zip(names, row, strict=True))

    def refused(self, code: str, function: str, **values: Any) -> str:
        """Call a function that must refuse and leave nothing; returns the detail."""
        before = self.dump()
        with pytest.raises(psycopg.Error) as caught:
            self.do(function, **values)
        assert caught.value.sqlstate == code, caught.value
        assert caught.value.diag.message_hint
        assert self.dump() == before
        return caught.value.diag.message_detail or ""

    def say(
        self, content: str, key: str | None = None, subject: str | None = "s1", role: str = "user"
    ) -> Row:
        """Observe one message."""
        said = [{"role": role, "content": content}]
        return self.do("observe", messages=said, idempotency_key=key, data_subject_id=subject)

    def believe(self, subject: Any, predicate: str | None, told: str, **more: Any) -> Row:
        """Assert a fact of one value; told is 'observation: quote', which is the statement too."""
        return self.do("assert_fact", **assertion(subject, predicate, told, **more))

    def rows(self, query: str, *values: Any) -> list[Any]:
        return self.conn.execute(query.encode(), values or None).fetchall()

    def value(self, query: str, *values: Any) -> Any:
        row = self.conn.execute(query.encode(), values or None).fetchone()
        return row[0] if row else None

    def dump(self, *without: str) -> dict[str, list[str]]:
        """Give every row of every table as text, but for the tables named."""
        return {
            name: sorted(row for (row,) in self.rows(f"select t::text from taisce.{name} as t"))
            for (name,) in self.rows(TABLES)
            if name not in without
        }

    def held(self, predicate: str = "lives_in") -> list[tuple[str, int | None, int | None]]:
        """List what is believed now of a predicate: (value, from year, to year)."""
        return self.rows(
            """
            select coalesce(f.object_value, o.canonical_name),
                case when isfinite(v.valid_from) then extract(year from v.valid_from)::int end,
                case when isfinite(v.valid_to) then extract(year from v.valid_to)::int end
            from taisce.fact_version as v
            join taisce.fact as f using (project_id, fact_id)
            left join taisce.entity as o
                on o.project_id = f.project_id and o.entity_id = f.object_entity_id
            where f.predicate = %s and v.known_to = 'infinity'
            order by v.valid_from, 1
            """,
            predicate,
        )

    def gaps(self) -> list[Any]:
        """List the versions after which the known time of their fact has a hole or an overlap."""
        return self.rows(
            """
            select * from (
                select v.fact_id, v.known_to, v.closed_cause, lead(v.known_from) over (
                    partition by v.project_id, v.fact_id order by v.known_from) as next
                from taisce.fact_version as v
            ) as n
            where n.known_to > n.next
               or n.known_to < n.next and n.closed_cause not in ('retracted', 'corrected')
               or n.next is null and n.known_to < 'infinity'
                and n.closed_cause not in ('retracted', 'corrected')
            """
        )

    def known_through(self) -> datetime:
        found: datetime = self.value("select max(last_stamp) from taisce.project_clock")
        return found


def assertion(subject: Any, predicate: str | None, told: str, **more: Any) -> Row:
    """Make the arguments of assert_fact; told is 'observation: quote'."""
    observation, quote = told.split(": ", 1)
    return {
        "subject": subject,
        "predicate": predicate,
        "statement": quote,
        "evidence": [{"observation": observation, "quote": quote}],
        "cardinality": "one",
        **more,
    }


def year(number: int) -> str:
    return f"{number}-01-01T00:00:00Z"


def lives(
    writer: Writer, where: str, begins: int | None, until: int | None = None, **more: Any
) -> Row:
    """Assert where the writer of MOVES lives, from one year until another."""
    return writer.believe(
        "I", "lives_in", f"t1: I live in {where}", **home(where, begins, until), **more
    )


def home(where: str, begins: int | None, until: int | None = None) -> Row:
    times = {"valid_from": begins and year(begins), "valid_until": until and year(until)}
    return {"object": where, **{name: value for name, value in times.items() if value}}
