"""A memory with one observation to erase, whose every text holds a marker, and a dump of it all."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from tests.support.memories import fact, turn

MARK = "zqxmarker"
PERSON = f"person-{MARK}"

LINES: list[dict[str, Any]] = [
    {"type": "predicate", "predicate": "lives_in", "cardinality": "one"},
    turn("kept", "I live in Dublin. Acme is in Dublin. We like tea."),
    turn(
        f"key {MARK}",
        f"I moved to {MARK}ville. Acme is in Dublin, they call it {MARK}corp.",
        title=f"title {MARK}",
        source_ref=f"ref {MARK}",
        source_kind=f"kind {MARK}",
        lineage=f"lineage {MARK}",
    ),
    turn(f"other {MARK}", f"I am {MARK}.", data_subject_id=PERSON),
    {"type": "entity", "name": "Acme"},
    {
        "type": "entity",
        "key": f"entity {MARK}",
        "name": f"{MARK} Incorporated",
        "entity_type": f"type {MARK}",
        "aliases": [f"{MARK}corp", f"the old {MARK} of the third floor"],
        "profile": f"profile {MARK}",
        "source": f"key {MARK}",
    },
    {
        "type": "claim",
        "key": f"claim {MARK}",
        "observation": f"key {MARK}",
        "quote": f"they call it {MARK}corp",
        "claim_text": f"claimed {MARK}",
        "extractor_version": f"v {MARK}",
        "mentions": [f"{MARK}corp", "Acme"],
    },
    fact("home", {"speaker": "s1"}, "lives in Dublin", "kept", "I live in Dublin",
         predicate="lives_in", object="Dublin", valid_from="2026-01-01T00:00:00Z"),
    fact(f"moved {MARK}", {"speaker": "s1"}, f"lives in {MARK}ville", f"key {MARK}",
         f"I moved to {MARK}ville", predicate="lives_in", object=f"{MARK}ville",
         valid_from="2026-03-01T00:00:00Z"),
    fact("seat", "Acme", "is in Dublin", "kept", "Acme is in Dublin",
         predicate="in", object="Dublin"),
    fact("seat again", "Acme", "is in Dublin", f"key {MARK}", "Acme is in Dublin",
         predicate="in", object="Dublin"),
    fact(f"called {MARK}", "Acme", f"is called {MARK}", f"key {MARK}", f"call it {MARK}corp",
         predicate=f"other:{MARK}", value=f"value {MARK}"),
    fact(f"self {MARK}", {"speaker": PERSON}, f"is {MARK}", f"other {MARK}", f"I am {MARK}",
         value=MARK),
    {"type": "contradiction", "facts": ["seat", f"called {MARK}"]},
    {"type": "retract", "fact": f"called {MARK}", "reason": f"because {MARK}"},
    {"type": "entity", "name": "Beta"},
    {"type": "merge", "absorbed": f"{MARK} Incorporated", "survivor": "Beta"},
    {"type": "community", "key": "k", "members": ["Acme", f"{MARK}ville"]},
    {"type": "report", "community": "k", "title": f"about {MARK}", "summary": f"in short {MARK}",
     "facts": ["seat"], "sources": [f"key {MARK}"]},
    {"type": "segment", "data_subject_id": "s1", "level": 1, "from_offset": 1, "to_offset": 2,
     "summary": f"condensed {MARK}"},
    {"type": "segment", "data_subject_id": PERSON, "level": 1, "from_offset": 3, "to_offset": 3,
     "summary": f"condensed {MARK}"},
]  # fmt: skip

_MORE = """
with p as (select project_id as id from taisce.project where name = %(project)s),
g as (
    insert into taisce.embedding_generation (project_id, generation_id, space, model, dimensions,
        input_version, state, created_at)
    select p.id, nextval('taisce.embedding_generation_number'), 'fact', 'model', 2, '1', 'active',
        now()
    from p
    returning generation_id as id
)
insert into taisce.embedding (project_id, generation_id, item_id, log_offset, input_digest,
    embedding)
select p.id, g.id, i.item_id, 1, '\\x00', '[41732.5,0]'
from p, g, (
    select passage_id from taisce.message where content ~ %(mark)s
    union all select claim_id from taisce.claim where observation_id in (
        select observation_id from taisce.message where content ~ %(mark)s)
    union all select fact_id from taisce.fact where statement ~ %(mark)s
    union all select entity_id from taisce.entity_name where spelling ~ %(mark)s
    union all select report_id from taisce.report where title ~ %(mark)s
) as i (item_id)
on conflict do nothing
"""


def tell(conn: psycopg.Connection[Any], project: str = "p") -> dict[str, Any]:
    """Load the memory with feedback, vectors and a forgotten line; return ids by key."""
    with conn.transaction():
        for number, line in enumerate(LINES, 1):
            conn.execute(
                "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                [number, Jsonb(line)],
            )
        conn.execute("select * from memory_v1.load(%s)", [project])
        conn.execute(_MORE, {"project": project, "mark": MARK})
    ids = dict(
        conn.execute(
            "select k.key, k.id from taisce.load_key k join taisce.project p using (project_id)"
            " where p.name = %(p)s union all"
            " select o.idempotency_key, o.observation_id from taisce.observation o"
            " join taisce.project p using (project_id) where p.name = %(p)s",
            {"p": project},
        ).fetchall()
    )
    for key in ("seat", f"moved {MARK}"):
        conn.execute(
            "select * from memory_v1.report_feedback(fact_id => %s, kind => 'wrong', note => %s,"
            " project => %s)",
            [ids[key], f"note {MARK}", project],
        )
        conn.execute(
            "select * from memory_v1.report_feedback(bundle => %s, note => %s, project => %s)",
            [Jsonb({"facts": [{"fact_id": str(ids[key])}]}), f"note {MARK}", project],
        )
    conn.execute(
        "insert into memory_v1.load_stage (line, body) values (1, %s)", [Jsonb({"word": MARK})]
    )
    return ids


def dump(conn: psycopg.Connection[Any]) -> list[str]:
    """Write every row of both schemas, and of the planner's statistics, as text."""
    tables = conn.execute(
        "select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname in ('taisce', 'memory_v1') and c.relkind in ('r', 'p')"
        " and c.relname !~ '^(ledger|shipped)' union all values ('pg_catalog', 'pg_statistic'),"
        " ('pg_catalog', 'pg_statistic_ext_data') order by 1, 2"
    ).fetchall()
    return [
        f"{name}: {row}"
        for schema, name in tables
        for (row,) in conn.execute(
            sql.SQL("select t::text from {} as t").format(sql.Identifier(schema, name))
        )
    ]


def counts(conn: psycopg.Connection[Any]) -> dict[str, int]:
    """Count the rows of every table of projects."""
    found = {}
    for (name,) in conn.execute("select table_name from taisce.erasure_registry order by 1"):
        row = conn.execute(
            sql.SQL("select count(*) from {}").format(sql.Identifier("taisce", name))
        ).fetchone()
        assert row is not None
        found[name] = int(row[0])
    return found


def erase(
    conn: psycopg.Connection[Any], *ids: Any, dry_run: bool = False, project: str = "p"
) -> dict[str, int]:
    return dict(
        conn.execute(
            "select * from memory_v1.erase_observations(%s, %s, %s)", [list(ids), dry_run, project]
        ).fetchall()
    )


def erase_subject(
    conn: psycopg.Connection[Any], subject: str, dry_run: bool = False
) -> dict[str, int]:
    return dict(
        conn.execute("select * from memory_v1.erase_subject(%s, %s)", [subject, dry_run]).fetchall()
    )


def load(conn: psycopg.Connection[Any], lines: Iterable[Any]) -> None:
    with conn.transaction():
        for number, line in enumerate(lines, 1):
            conn.execute(
                "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                [number, Jsonb(line)],
            )
        conn.execute("select * from memory_v1.load('p')")


def told(conn: psycopg.Connection[Any], key: str) -> uuid.UUID:
    row = conn.execute(
        "select observation_id from taisce.observation where idempotency_key = %s", [key]
    ).fetchone()
    assert row is not None
    return uuid.UUID(str(row[0]))


def versions(conn: psycopg.Connection[Any], key: str) -> list[tuple[Any, ...]]:
    """List (from, to, believed now, replaced) of a fact in years, in the order of being known."""
    return conn.execute(
        """
        select case when isfinite(v.valid_from) then extract(year from v.valid_from)::int end,
            case when isfinite(v.valid_to) then extract(year from v.valid_to)::int end,
            v.known_to = 'infinity', v.replaced
        from taisce.fact_version as v
        join taisce.load_key as k on k.id = v.fact_id and k.kind = 'fact'
        where k.key = %s
        order by v.known_from
        """,
        [key],
    ).fetchall()


def year(number: int) -> str:
    return f"{number}-01-01T00:00:00Z"


def lives(key: str, place: str, source: str, since: int | None, **more: Any) -> Any:
    return fact(
        key,
        {"speaker": "s1"},
        f"lives in {place}",
        source,
        f"I live in {place}",
        predicate="lives_in",
        value=place,
        cardinality="one",
        **({"valid_from": year(since)} if since else {}),
        **more,
    )


def home(*places: str) -> list[Any]:
    return [turn(f"in {place}", f"I live in {place}.") for place in places]
