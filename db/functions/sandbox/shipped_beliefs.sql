-- taisce.shipped_beliefs()
-- Saved queries of the namespace examples that this version ships: what is believed.
-- Parameters are bound to $1 and so on, in order.
-- Returns: one row a query.   Runs as: invoker.   Since: 0.1

create or replace function taisce.shipped_beliefs()
returns table (name text, description text, parameters jsonb, query text)
language sql
immutable
parallel safe
as $func$
    values
    (
        'relation_current',
        'What an entity is related to now by a predicate.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "predicate", "type": "text",
             "description": "Predicate, as predicates are spelled."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select g.fact_id, g.subject, g.predicate, g.object_id, g.object, g.valid_from,
    g.valid_until, g.evidence_count, g.contradiction_group
from graph_edges_current as g
where g.subject_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
  and g.predicate = $2::text
order by g.valid_from desc nulls last, g.fact_id
limit $3::integer$query$
    ),
    (
        'attribute_current',
        'Values that hold now of an entity, of one predicate or, left out, of all.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "predicate", "type": "text", "default": "",
             "description": "Predicate; empty for all."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select f.fact_id, f.subject, f.predicate, f.value, f.statement, f.valid_from,
    f.valid_until
from facts_current as f
where f.subject_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
  and f.fact_kind = 'attribute'
  and ($2::text = '' or f.predicate = $2::text)
order by f.predicate, f.valid_from desc nulls last, f.fact_id
limit $3::integer$query$
    ),
    (
        'identity_as_of',
        'Which merges and splits of an entity had happened by an instant, newest first.',
        $json$[
            {"name": "entity_id", "type": "uuid",
             "description": "Entity, absorbed or surviving."},
            {"name": "at", "type": "timestamptz",
             "description": "Instant, with its zone."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select i.event_at, i.event, i.absorbed_id, i.absorbed, i.survivor_id, i.survivor
from identity_events as i
where i.event_at <= $2::timestamptz
  and (i.absorbed_id = $1::uuid or i.survivor_id = $1::uuid)
order by i.event_at desc, i.merge_id
limit $3::integer$query$
    ),
    (
        'entity_timeline',
        'Everything ever believed of an entity, in the order in which it held.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select f.valid_from, f.valid_until, f.predicate,
    coalesce(f.object, f.value, f.statement) as what, f.known_from, f.known_until, f.fact_id
from facts_history as f
where f.subject_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
order by f.valid_from nulls first, f.known_from, f.fact_id
limit $2::integer$query$
    ),
    (
        'explain',
        'Why a fact is believed: the words behind it, who said them and when.',
        $json$[
            {"name": "fact_id", "type": "uuid",
             "description": "Fact to explain."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select e.stance, c.quote, c.role, c.asserted_at, e.lineage, e.linked_at,
    c.observation_id, c.claim_id
from fact_evidence as e
join claims_history as c using (claim_id)
where e.fact_id = $1::uuid
  and c.claim_id = any (array(
    select w.claim_id from fact_evidence as w where w.fact_id = $1::uuid
))
order by e.stance desc, c.asserted_at, c.claim_id
limit $2::integer$query$
    ),
    (
        'changed_since',
        'What the memory learned, gave up or merged since an instant, newest first.',
        $json$[
            {"name": "at", "type": "timestamptz",
             "description": "Instant, with its zone."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select c.changed_at, c.kind, c.event, c.fact_id, c.claim_id, c.entity_id,
    c.observation_id
from changes as c
where c.changed_at > $1::timestamptz
order by c.changed_at desc, c.fact_id, c.claim_id, c.entity_id
limit $2::integer$query$
    )
$func$;
comment on function taisce.shipped_beliefs() is
'Saved queries of the namespace examples that this version ships: what is believed.';
revoke all on function taisce.shipped_beliefs() from public;
