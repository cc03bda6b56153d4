"""What may be kept no longer is in no answer from that instant on, before any job runs."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.support import erasures
from tests.support.contract import Function, arguments, call, functions
from tests.support.erasures import MARK
from tests.support.memories import fact, turn
from tests.support.retention import LATER, wait_for_it
from tests.support.told import Ids

Connection = psycopg.Connection[Any]

# They hold the question's own words, not the memory's.
OWN_WORDS = ("recall_terms", "explain_recall", "why_not")


def lines(until: str) -> list[dict[str, Any]]:
    """Return a memory of which one turn is kept until an instant."""
    return [
        turn("kept", "Acme is in Dublin."),
        turn(
            "passing",
            f"Acme makes {MARK} things. Acme is in Dublin.",
            retention_until=until,
            title=MARK,
        ),
        {"type": "entity", "key": "acme", "name": "Acme"},
        {"type": "entity", "name": "Acme", "aliases": [f"{MARK}corp"], "profile": MARK,
         "source": "passing"},
        fact("seat", "Acme", "is in Dublin", "kept", "Acme is in Dublin",
             predicate="in", object="Dublin"),
        fact("seat2", "Acme", "is in Dublin", "passing", "Acme is in Dublin",
             predicate="in", object="Dublin"),
        fact("made", "Acme", f"makes {MARK} things", "passing", f"Acme makes {MARK} things",
             predicate="makes", value=MARK),
        {"type": "claim", "key": "said", "observation": "passing", "quote": f"{MARK} things",
         "claim_text": f"{MARK} things", "mentions": ["Acme"]},
        {"type": "contradiction", "facts": ["seat", "made"]},
        {"type": "community", "key": "k", "members": ["Acme"]},
        {"type": "report", "community": "k", "title": MARK, "summary": MARK, "facts": ["made"],
         "sources": ["passing"]},
        {"type": "segment", "data_subject_id": "s1", "level": 1, "from_offset": 1,
         "to_offset": 2, "summary": MARK},
    ]  # fmt: skip


def load(conn: Connection, said: list[dict[str, Any]]) -> None:
    with conn.transaction():
        for number, line in enumerate(said, 1):
            conn.execute(
                "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                [number, Jsonb(line)],
            )
        conn.execute("select * from memory_v1.load('p')")


def about(conn: Connection) -> Ids:
    """Return ids of what passes."""
    row = conn.execute(
        """
        select (select id from taisce.load_key where key = 'acme'),
            (select id from taisce.load_key where key = 'seat'),
            (select id from taisce.load_key where key = 'made'),
            m.observation_id, (select id from taisce.load_key where key = 'said'), m.passage_id,
            (select contradiction_group from taisce.fact where predicate = 'makes')
        from taisce.message as m where m.content ~ %s
        """,
        [MARK],
    ).fetchone()
    assert row is not None
    entity, kept, passing, observation, claim, passage, group = row
    return Ids("p", entity, entity, passing, kept, observation, claim, passage, group)


def reads(conn: Connection) -> list[Function]:
    return [one for one in functions(conn) if one.volatility != "v"]


def showing(conn: Connection, ids: Ids) -> set[str]:
    """Name the reads and views that show a word of what passes."""
    shown = set()
    for function in reads(conn):
        values = arguments(function, ids, "p")
        for name in ("question", "query", "name"):
            if name in values:
                values[name] = f"Acme {MARK} things" if name != "name" else "Acme"
        if "data_subject_id" in values:
            values["data_subject_id"] = "s1"
        if "claim_ids" in values:
            values["claim_ids"] = [ids.claim]
        rows = call(conn, function, values).rows.replace(str(values.get("question")), "")
        rows = rows.replace(str(values.get("query")), "")
        if MARK in rows and function.name not in OWN_WORDS:
            shown.add(function.name)
    conn.execute("select set_config('taisce.project', 'p', false)")
    for (view,) in conn.execute(
        "select c.relname from pg_class c where c.relkind = 'v'"
        " and c.relnamespace = 'memory_v1'::regnamespace"
    ).fetchall():
        rows = conn.execute(f"select v::text from memory_v1.{view} as v".encode()).fetchall()
        if any(MARK in text for (text,) in rows):
            shown.add(view)
    return shown


def test_it_is_in_no_read_from_that_instant_on(conn: Connection) -> None:
    load(conn, lines(LATER))
    ids = about(conn)
    before = showing(conn, ids)
    assert {"recall", "list_records", "messages", "facts_current"} <= before
    wait_for_it(conn)
    assert showing(conn, ids) == set()
    row = conn.execute("select memory_v1.recall('Acme', project => 'p')").fetchone()
    assert row is not None
    [found] = row[0]["facts"]
    assert (found["statement"], len(found["evidence"])) == ("is in Dublin", 1)
    assert found["contradicts"] == []


@pytest.mark.parametrize(
    "query",
    [
        "resolve_citation(fact_id => %(fact)s, project => 'p')",
        "record_history(fact_id => %(fact)s, project => 'p')",
        "message_window(passage_id => %(passage)s, project => 'p')",
        "retract_fact(fact_id => %(fact)s, project => 'p')",
        "mark_formed(observation_id => %(observation)s, project => 'p')",
        "release_content(observation_id => %(observation)s, project => 'p')",
    ],
)
def test_its_ids_are_unknown(conn: Connection, query: str) -> None:
    load(conn, lines("2020-01-01T00:00:00Z"))
    ids = about(conn)
    given = {"fact": ids.fact, "passage": ids.passage, "observation": ids.observation}
    with pytest.raises(psycopg.Error) as caught:
        conn.execute(f"select * from memory_v1.{query}".encode(), given)
    assert caught.value.sqlstate == "TS004"


def test_expiry_frees_it_in_batches(conn: Connection) -> None:
    said = [turn(f"t{n}", f"Word {MARK} {n}.", retention_until=f"20{n:02}-01-01T00:00:00Z")
            for n in range(10, 15)]  # fmt: skip
    load(
        conn,
        [
            *lines("2020-01-01T00:00:00Z"),
            *said,
            turn("later", "x", retention_until="2090-01-01T00:00:00Z"),
        ],
    )
    call = "select * from memory_v1.expire(max_observations => %s, dry_run => %s, project => 'p')"
    planned = dict(conn.execute(call.encode(), [4, True]).fetchall())
    done = dict(conn.execute(call.encode(), [4, False]).fetchall())
    assert planned == done
    assert done["observation"] == 4
    left = conn.execute(
        "select array_agg(idempotency_key order by log_offset) from taisce.observation"
        " where not erased"
    ).fetchone()
    assert left == (["kept", "passing", "t14", "later"],)
    assert dict(conn.execute(call.encode(), [4, False]).fetchall())["observation"] == 2
    assert dict(conn.execute(call.encode(), [4, False]).fetchall())["observation"] == 0
    assert not any(MARK in row for row in erasures.dump(conn))
    assert conn.execute("select statement from taisce.fact").fetchall() == [("is in Dublin",)]


def test_expiry_of_another_project_is_untouched(conn: Connection) -> None:
    load(conn, lines("2020-01-01T00:00:00Z"))
    conn.execute("select memory_v1.create_project('q')")
    conn.execute("select * from memory_v1.expire(project => 'q')")
    assert any(MARK in row for row in erasures.dump(conn))
    with pytest.raises(psycopg.Error) as caught:
        conn.execute("select * from memory_v1.expire(project => %s)", [uuid.uuid4().hex])
    assert caught.value.sqlstate == "TS003"
