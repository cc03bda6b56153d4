-- taisce.shipped_testimony()
-- Saved queries of the namespace examples that this version ships: what was said, and by whom.
-- Parameters are bound to $1 and so on, in order.
-- Returns: one row a query.   Runs as: invoker.   Since: 0.1

create or replace function taisce.shipped_testimony()
returns table (name text, description text, parameters jsonb, query text)
language sql
immutable
parallel safe
as $func$
    values
    (
        'claims_verbatim',
        'Claims whose quote holds these very words, in any case; best first. Words in '
        'another order or form are not found.',
        $json$[
            {"name": "words", "type": "text",
             "description": "Exact words."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select c.claim_id, c.quote, c.role, c.asserted_at, c.observation_id
from lexical_claims($1::text, 100) as c
where position(lower($1::text) in lower(c.quote)) > 0
order by c.score desc, c.claim_id
limit $2::integer$query$
    ),
    (
        'claims_about',
        'What is said where an entity is named, newest first: testimony, not belief.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select c.claim_id, c.claim_text, c.quote, c.role, c.asserted_at, c.lineage
from claims_current as c
where c.claim_id = any (array(
    select m.claim_id
    from entity_mentions as m
    where m.entity_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
))
order by c.asserted_at desc nulls last, c.claim_id
limit $2::integer$query$
    ),
    (
        'claims_as_of',
        'What had been said about an entity by an instant (taken in, where nobody says '
        'when it was said), whether or not it is still testimony now.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "at", "type": "timestamptz",
             "description": "Instant, with its zone."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select c.claim_id, c.claim_text, c.quote, c.role, c.asserted_at, c.ingested_at,
    c.is_current_testimony
from claims_history as c
where coalesce(c.asserted_at, c.ingested_at) <= $2::timestamptz
  and c.claim_id = any (array(
    select m.claim_id
    from entity_mentions as m
    where m.entity_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
))
order by coalesce(c.asserted_at, c.ingested_at) desc, c.claim_id
limit $3::integer$query$
    ),
    (
        'claims_hybrid',
        'Claims by words, those that also name what the question names first.',
        $json$[
            {"name": "question", "type": "text",
             "description": "A question or some words."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$with named as (
    select m.claim_id
    from entity_mentions as m
    where m.entity_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
)
select c.claim_id, c.claim_text, c.quote, c.role, c.score, n.claim_id is not null as named
from lexical_claims($1::text, 100) as c
left join (select distinct claim_id from named) as n on n.claim_id = c.claim_id
order by named desc, c.score desc, c.claim_id
limit $2::integer$query$
    ),
    (
        'passages_hybrid',
        'Messages by words, best first; by vectors too once there are some.',
        $json$[
            {"name": "question", "type": "text",
             "description": "A question or some words."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select p.passage_id, p.content, p.role, p.occurred_at, p.score
from lexical_passages($1::text, 100) as p
order by p.score desc, p.passage_id
limit $2::integer$query$
    ),
    (
        'passage_neighbors',
        'A message and those around it in the same observation, in order.',
        $json$[
            {"name": "passage_id", "type": "uuid",
             "description": "The message in the middle."},
            {"name": "around", "type": "integer", "default": "2",
             "description": "How many on either side."}
        ]$json$::jsonb,
        $query$select m.passage_id, m.ordinal, m.role, m.content, m.occurred_at
from messages as m
where m.observation_id = any (array(
    select n.observation_id from messages as n where n.passage_id = $1::uuid
))
  and m.ordinal between
    (select n.ordinal from messages as n where n.passage_id = $1::uuid) - $2::integer
    and (select n.ordinal from messages as n where n.passage_id = $1::uuid) + $2::integer
order by m.ordinal$query$
    ),
    (
        'sources_about',
        'Observations in which an entity is named, with how often, newest first.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$with named as (
    select m.observation_id, count(*) as mentions
    from entity_mentions as m
    where m.entity_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
    group by m.observation_id
)
select o.observation_id, o.title, o.kind, o.source_kind, o.source_ref, o.occurred_at, n.mentions
from observations as o
join named as n using (observation_id)
where o.observation_id = any (array(select observation_id from named))
order by o.occurred_at desc nulls last, o.observation_id
limit $2::integer$query$
    ),
    (
        'reports_about',
        'Reports that rest on a fact about an entity; compiled text, so look at '
        'compiled_at.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select r.report_id, r.title, r.summary, r.level, r.importance, r.compiled_at,
    r.through_offset
from community_reports as r
where r.fact_ids && array(
    select e.fact_id
    from facts_current as e
    where e.subject_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
)
order by r.importance desc nulls last, r.report_id
limit $2::integer$query$
    )
$func$;
comment on function taisce.shipped_testimony() is
'Saved queries of the namespace examples that this version ships: what was said, and by whom.';
revoke all on function taisce.shipped_testimony() from public;
