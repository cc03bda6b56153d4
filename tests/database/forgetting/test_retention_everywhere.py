"""What `expire` takes away was in no read already: no function and no view changes its answer.

Asked are every function that reads and every view, about what stays and about what passes, by the
words of both, before `expire` and after. What expired turns did to other facts is apart: see
test_retention_effects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.contract import Function, arguments, call, functions
from tests.support.databases import Database
from tests.support.memories import fact, turn
from tests.support.retention import LATER, pass_by
from tests.support.told import Ids
from tests.support.vectors import SPACES, embed, fill, follow, literal

Connection = psycopg.Connection[Any]

# Knowledge moved on; instants of the asking itself.
STAMPS = re.compile(
    r'"(evaluated_at|read_at|known_through|compiled_at|continuation)": ("[^"]*"|null)(, )?'
)
# Said in the docs to change when expire() runs: whether an alias is the name of what lost its own,
# and that facts stand in a contradiction of which no other side is left.
AFTER = re.compile(r'"(kind": "(canonical|alias)|contradiction_group": ("[^"]*"|null))"?(, )?')
# Views of facts leave out a name whose source has passed, whoever else spells it.
NAMES = re.compile(r'"(subject|object|entity)": ("[^"]*"|null)(, )?')
SAID_TO_CHANGE = {
    "contradiction_members": "the last side of a contradiction is none any more",
    "export_lines": "that a fact is contested goes with the last other side",
    "generations": "counts the vectors that are stored",
}


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def told() -> list[dict[str, Any]]:
    """Return a memory of two people, of which one turn is kept until an instant.

    From it alone: Zorg, Zorgy, the second name Kvark of Acme, its profile, a fact, a claim. With
    another turn: that Acme is in Dublin, and the name Dublin.
    """
    said = "Zorg of Kvark lives in Dublin. Acme is in Dublin. I met Marta."
    return [
        turn("kept", "Acme is in Dublin. I like Marta."),
        turn("passing", said, retention_until=LATER, title="zorgtitle"),
        turn("third", "Marta works at Acme.", data_subject_id="s2"),
        {"type": "entity", "key": "acme", "name": "Acme", "entity_type": "firm"},
        {"type": "entity", "name": "Acme", "aliases": ["Kvark"], "source": "passing"},
        {"type": "entity", "name": "Acme", "profile": "zorgish", "source": "passing"},
        {"type": "entity", "key": "zorg", "name": "Zorg", "aliases": ["Zorgy"],
         "entity_type": "zorgtype", "source": "passing"},
        {"type": "entity", "key": "dublin", "name": "Dublin", "source": "passing"},
        {"type": "entity", "key": "twin", "name": "Zorgtwin", "source": "passing"},
        {"type": "entity", "name": "Zorgtwin", "aliases": ["Twinny"], "source": "kept"},
        {"type": "entity", "key": "marta", "name": "Marta"},
        fact("seat", {"key": "acme"}, "is in it", "kept", "Acme is in Dublin", predicate="in",
             object={"key": "dublin"}),
        fact("seat", {"key": "acme"}, "is in it", "passing", "Acme is in Dublin",
             predicate="in", object={"key": "dublin"}),
        fact("home", {"key": "zorg"}, "lives there", "passing", "Zorg of Kvark lives in Dublin",
             predicate="lives_in", object={"key": "dublin"}),
        fact("fan", {"key": "acme"}, "is for it", "kept", "I like Marta", predicate="likes",
             object={"key": "zorg"}),
        fact("pair", {"key": "twin"}, "has one", "kept", "I like Marta", predicate="has",
             value="one"),
        fact("work", {"key": "marta"}, "works there", "third", "Marta works at Acme",
             predicate="works_at", object={"key": "acme"}),
        {"type": "claim", "key": "said", "observation": "passing", "quote": "Zorg of Kvark",
         "claim_text": "Zorg is of Kvark", "mentions": [{"key": "zorg"}, {"key": "acme"}]},
        {"type": "contradiction", "facts": ["seat", "home"]},
        {"type": "community", "key": "k", "members": [{"key": "acme"}, {"key": "zorg"}]},
        {"type": "report", "community": "k", "title": "about", "summary": "zorgsummary",
         "facts": ["home"]},
        {"type": "segment", "data_subject_id": "s1", "level": 1, "from_offset": 1,
         "to_offset": 2, "summary": "zorgsegment"},
    ]  # fmt: skip


def ids_about(conn: Connection, fact_key: str, entity_key: str, offset: int) -> Ids:
    row = conn.execute(
        """
        select (select id from taisce.load_key where key = %s),
            (select id from taisce.load_key where key = 'dublin'),
            (select id from taisce.load_key where key = %s),
            (select id from taisce.load_key where key = 'seat'), m.observation_id,
            (select claim_id from taisce.claim c where c.observation_id = m.observation_id
                order by byte_start limit 1),
            m.passage_id, (select max(contradiction_group::text)::uuid from taisce.fact)
        from taisce.message as m where m.log_offset = %s
        """,
        [entity_key, fact_key, offset],
    ).fetchone()
    assert row is not None
    return Ids("p", *row)


WORDS = ["Zorg", "Zorgy lives Kvark", "Acme in Dublin", "zorgish Twinny Marta", "eras"]


def asked(function: Function, ids: Ids, words: str) -> dict[str, Any]:
    values = arguments(function, ids, "p")
    for name in ("question", "query", "name", "pattern"):
        if name in values:
            values[name] = f"%{words}%" if name == "pattern" else words
    if "data_subject_id" in values:
        values["data_subject_id"] = "s1"
    if "query_embedding" in values:
        values["query_embedding"] = literal(embed(words))
        values["embedding_model"] = "toy"
    return values


def answers(conn: Connection, about: list[Ids]) -> dict[tuple[str, ...], str]:
    """Ask everything; the answers by function, what it was about and the words."""
    made: dict[tuple[str, ...], str] = {}
    for function in functions(conn):
        if function.volatility == "v" or function.name in SAID_TO_CHANGE:
            continue
        asked_already = set()
        for place, ids in enumerate(about):
            for words in WORDS:
                values = asked(function, ids, words)
                if str(values) in asked_already:
                    continue
                asked_already.add(str(values))
                got = call(conn, function, values)
                assert not (got.code or "").startswith("XX"), (function.name, got)
                said = AFTER.sub("", STAMPS.sub("", got.rows)) or str(got.error)
                made[function.name, str(place), words] = "\n".join(sorted(said.split("\n")))
    conn.execute("select set_config('taisce.project', 'p', false)")
    for (view,) in conn.execute(
        "select c.relname from pg_class c where c.relkind = 'v'"
        " and c.relnamespace = 'memory_v1'::regnamespace"
    ).fetchall():
        rows = conn.execute(f"select to_jsonb(v)::text from memory_v1.{view} as v".encode())
        made[view, "", ""] = "\n".join(
            sorted(NAMES.sub("", AFTER.sub("", STAMPS.sub("", text))) for (text,) in rows)
        )
    return made


def test_expire_changes_no_answer(conn: Connection) -> None:
    load_lines(conn, "p", [json.dumps(line) for line in told()])
    made = [fill(conn, "p", space) for space in SPACES]
    about = [ids_about(conn, "work", "acme", 1), ids_about(conn, "home", "zorg", 2),
             ids_about(conn, "pair", "twin", 3)]  # fmt: skip
    before = answers(conn, about)
    pass_by(conn)
    for generation in made:
        follow(conn, "p", generation)
    passed = answers(conn, about)
    moved = {name for (name, *_), text in passed.items() if text != before[name, *_]}
    assert {"recall", "fact_context", "lexical_facts", "entities", "messages"} <= moved
    conn.execute("select * from memory_v1.expire(project => 'p')")
    for generation in made:
        follow(conn, "p", generation)
    expired = answers(conn, about)
    differing = {key: (passed[key], expired[key]) for key in passed if passed[key] != expired[key]}
    assert differing == {}
