"""Two memories in one database that look alike: a leak between them shows at once.

Both have a Marta, an Acme and the same data subject; every text of one holds its marker.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

SUBJECT = "somebody"
QUOTE = "Marta works at Acme"
MARKERS = {"north": "qnorthq", "south": "qsouthq", "asleep": "qasleepq"}


@dataclass(frozen=True)
class Ids:
    """Ids of rows of one project, one of each kind."""

    project: str
    entity: uuid.UUID
    other_entity: uuid.UUID
    fact: uuid.UUID
    other_fact: uuid.UUID
    observation: uuid.UUID
    claim: uuid.UUID
    passage: uuid.UUID
    group: uuid.UUID
    generation: int = 0

    @property
    def words(self) -> list[str]:
        """Return texts by which rows of the project can be known."""
        return [MARKERS[self.project]] if self.project in MARKERS else []

    def all(self) -> list[str]:
        """Return every id as text."""
        return [
            str(one)
            for one in (
                self.entity,
                self.other_entity,
                self.fact,
                self.other_fact,
                self.observation,
                self.claim,
                self.passage,
                self.group,
            )
        ]


def lines(marker: str) -> list[dict[str, Any]]:
    """Return a small memory whose every text holds the marker."""
    said = [
        {"role": "user", "content": f"{marker}: {QUOTE}. Acme is in {marker}."},
        {"role": "tool", "content": f"{marker} says that Marta left."},
    ]

    def evidence(quote: str, ordinal: int = 0) -> list[dict[str, Any]]:
        return [{"observation": "o1", "ordinal": ordinal, "quote": quote}]

    return [
        {"type": "predicate", "predicate": "works_at", "description": marker},
        {
            "type": "observation",
            "key": "o1",
            "data_subject_id": SUBJECT,
            "title": marker,
            "source_ref": marker,
            "messages": said,
        },
        {
            "type": "entity",
            "key": "marta",
            "name": "Marta",
            "entity_type": f"person {marker}",
            "aliases": [f"Marta {marker}"],
            "profile": marker,
        },
        {"type": "entity", "key": "acme", "name": "Acme", "aliases": [f"Acme {marker}"]},
        {
            "type": "claim",
            "key": "c1",
            "observation": "o1",
            "quote": QUOTE,
            "claim_text": f"{QUOTE} ({marker})",
            "mentions": ["Marta", "Acme"],
        },
        {
            "type": "fact",
            "key": "f1",
            "subject": {"key": "marta"},
            "predicate": "works_at",
            "object": {"key": "acme"},
            "statement": f"{marker}: Marta works at Acme",
            "evidence": evidence(QUOTE),
        },
        {
            "type": "fact",
            "key": "f2",
            "subject": {"key": "acme"},
            "predicate": "located_in",
            "object": f"City {marker}",
            "statement": f"{marker}: Acme is there",
            "evidence": evidence(f"Acme is in {marker}"),
        },
        {
            "type": "fact",
            "key": "f3",
            "subject": {"key": "marta"},
            "predicate": "left",
            "value": marker,
            "statement": f"{marker}: Marta left",
            "evidence": evidence("Marta left", 1),
        },
        {"type": "contradiction", "facts": ["f1", "f2"]},
    ]


# What is not loaded above, one row a table: made by the owner of the rows, with the marker in it.
_MORE = """
with p as (select project_id as id from taisce.project where name = %(project)s),
o as (
    select observation_id as id, log_offset from taisce.observation
    where project_id = (table p)
),
f as (
    select fact_id as id from taisce.fact
    where project_id = (table p) and predicate = 'works_at'
),
community as (
    insert into taisce.community (project_id, community_id, level, created_at)
    select p.id, gen_random_uuid(), 0, now() from p
    returning community_id as id
),
member as (
    insert into taisce.community_member (project_id, community_id, entity_id)
    select e.project_id, community.id, e.entity_id
    from community, taisce.entity as e where e.project_id = (table p)
),
report as (
    insert into taisce.report (
        project_id, report_id, community_id, title, summary, compiled_at, through_offset)
    select p.id, gen_random_uuid(), community.id, 'Marta ' || %(marker)s, 'Acme ' || %(marker)s,
        now(), 1
    from p, community
    returning report_id as id
),
report_fact as (
    insert into taisce.report_fact (project_id, report_id, fact_id)
    select p.id, report.id, f.id from p, report, f
),
report_source as (
    insert into taisce.report_source (project_id, report_id, observation_id)
    select p.id, report.id, o.id from p, report, o
),
segment as (
    insert into taisce.segment (project_id, segment_id, data_subject_id, level, from_offset,
        to_offset, covered, summary, characters, created_at)
    select p.id, gen_random_uuid(), %(subject)s, 1, o.log_offset, o.log_offset, 1,
        %(marker)s || ' condensed', 20, now()
    from p, o
),
query as (
    insert into taisce.saved_query (project_id, namespace, name, version, sql, description,
        status, origin, author, created_at)
    select p.id, 'ours', 'all', 1, 'select ' || quote_literal(%(marker)s), %(marker)s, 'active',
        'test', 'test', now()
    from p
),
feedback as (
    insert into taisce.feedback (project_id, feedback_id, fact_id, kind, note, reported_by,
        reported_at)
    select p.id, gen_random_uuid(), f.id, 'wrong', %(marker)s, 'test', now() from p, f
),
merge as (
    insert into taisce.entity_merge (project_id, merge_id, absorbed, survivor, merged_at,
        merged_by, snapshot)
    select p.id, gen_random_uuid(), gen_random_uuid(), e.entity_id, now(), %(marker)s, '{}'
    from p, taisce.entity as e where e.project_id = p.id and e.canonical_name = 'Marta'
),
audited as (
    insert into taisce.audit_entry (project_id, entry_id, operation, role, outcome, at)
    select p.id, nextval('taisce.audit_number'), %(marker)s, 'test', 'ok', now() from p
)
select 1
"""


_VECTORS = """
with p as (select project_id as id from taisce.project where name = %(project)s),
generation as (
    insert into taisce.embedding_generation (project_id, generation_id, space, model, dimensions,
        input_version, state, through_offset, created_at)
    select p.id, nextval('taisce.embedding_generation_number'), s.space, %(marker)s, 3, '1',
        'active', 1, now()
    from p, unnest(array['message', 'claim', 'fact', 'entity', 'report']) as s (space)
    returning generation_id as id, space
)
insert into taisce.embedding (project_id, generation_id, item_id, log_offset, role,
    data_subject_id, input_digest, embedding)
select p.id, g.id, i.item_id, i.log_offset, i.role, i.data_subject_id, i.input_digest, '[1,0,0]'
from p, generation as g, taisce.embedding_items(p.id, g.space, array(
    select passage_id from taisce.message where project_id = p.id
    union all select claim_id from taisce.claim where project_id = p.id
    union all select fact_id from taisce.fact where project_id = p.id
    union all select entity_id from taisce.entity where project_id = p.id
    union all select report_id from taisce.report where project_id = p.id
)) as i
"""


def tell(conn: psycopg.Connection[Any], project: str) -> Ids:
    """Make a project and load its memory, as the role that `conn` has; return ids of its rows.

    The caller must see the tables to read the ids: a superuser.
    """
    with conn.transaction():
        conn.execute("select memory_v1.create_project(%s)", [project])
        for number, line in enumerate(lines(MARKERS[project]), 1):
            conn.execute(
                "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                [number, Jsonb(line)],
            )
        conn.execute("select * from memory_v1.load(%s)", [project])
        told = {"project": project, "marker": MARKERS[project], "subject": SUBJECT}
        conn.execute(_MORE, told)
        conn.execute(_VECTORS, told)
    row = conn.execute(
        """
        select
            (select e.entity_id from taisce.entity as e
             where e.project_id = p.project_id and e.canonical_name = 'Marta'),
            (select e.entity_id from taisce.entity as e
             where e.project_id = p.project_id and e.canonical_name = 'Acme'),
            (select f.fact_id from taisce.fact as f
             where f.project_id = p.project_id and f.predicate = 'works_at'),
            (select f.fact_id from taisce.fact as f
             where f.project_id = p.project_id and f.predicate = 'located_in'),
            o.observation_id,
            (select c.claim_id from taisce.claim as c
             where c.project_id = p.project_id and c.quote = %s limit 1),
            (select m.passage_id from taisce.message as m
             where m.project_id = p.project_id and m.ordinal = 0),
            (select f.contradiction_group from taisce.fact as f
             where f.project_id = p.project_id and f.predicate = 'works_at'),
            (select g.generation_id from taisce.embedding_generation as g
             where g.project_id = p.project_id and g.space = 'fact')
        from taisce.project as p
        join taisce.observation as o using (project_id)
        where p.name = %s
        """,
        [QUOTE, project],
    ).fetchone()
    assert row is not None
    assert None not in row, "the memory is not as it was told"
    return Ids(project, *row)


def fingerprint(conn: psycopg.Connection[Any], project: str) -> str:
    """Return a digest of every row of a project; the caller must be a superuser."""
    tables = conn.execute(
        """
        select c.oid::regclass::text
        from pg_class as c
        join pg_attribute as a on a.attrelid = c.oid and a.attname = 'project_id'
        where c.relnamespace = 'taisce'::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition
        order by 1
        """
    ).fetchall()
    rows = sql.SQL(" union all ").join(
        sql.SQL("select {} || t::text as line from {} as t where t.project_id = p.id").format(
            sql.Literal(name), sql.SQL(name)
        )
        for (name,) in tables
    )
    found = conn.execute(
        sql.SQL(
            "select md5(string_agg(r.line, chr(10) order by r.line)) "
            "from (select project_id as id from taisce.project where name = %s) as p "
            "cross join lateral ({}) as r"
        ).format(rows),
        [project],
    ).fetchone()
    assert found is not None
    assert found[0] is not None
    return str(found[0])
