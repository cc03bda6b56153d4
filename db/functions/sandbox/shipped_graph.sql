-- taisce.shipped_graph()
-- Saved queries of the namespace examples that this version ships: how things are connected.
-- Parameters are bound to $1 and so on, in order.
-- Returns: one row a query.   Runs as: invoker.   Since: 0.1

create or replace function taisce.shipped_graph()
returns table (name text, description text, parameters jsonb, query text)
language sql
immutable
parallel safe
as $func$
    values
    (
        'multi_hop_context',
        'Facts up to two steps from what a question names, with the way to each.',
        $json$[
            {"name": "question", "type": "text",
             "description": "A question that names something."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select w.hops, w.anchored_on, w.predicate, w.statement, w.path, w.via, w.valid_from,
    w.valid_until, w.fact_id
from fact_walk(array(select a.entity_id from recall_anchors($1::text) as a), 2) as w
order by w.hops, w.fact_id
limit $2::integer$query$
    ),
    (
        'graph_neighborhood',
        'Relations that meet an entity, in either direction, with what is at the other '
        'end.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$with here as (
    select a.entity_id from recall_anchors($1::text) as a
)
select g.fact_id, g.subject, g.predicate, g.object, 'out' as direction, g.object_id as other_id
from graph_edges_current as g
where g.subject_id = any (array(select entity_id from here))
union all
select g.fact_id, g.subject, g.predicate, g.object, 'in', g.subject_id
from graph_edges_current as g
where g.object_id = any (array(select entity_id from here))
order by direction desc, fact_id
limit $2::integer$query$
    ),
    (
        'graph_path',
        'Ways from one entity to another over one or two relations, in either '
        'direction.',
        $json$[
            {"name": "from_name", "type": "text",
             "description": "Name at the start."},
            {"name": "to_name", "type": "text",
             "description": "Name at the end."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$with one as (
    select e.fact_id, e.subject_id, e.object_id, e.subject, e.object, e.predicate
    from graph_edges_current as e
    where e.subject_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
       or e.object_id = any (array(select a.entity_id from recall_anchors($1::text) as a))
),
two as (
    select e.fact_id, e.subject_id, e.object_id, e.subject, e.object, e.predicate
    from graph_edges_current as e
    where e.subject_id = any (array(select a.entity_id from recall_anchors($2::text) as a))
       or e.object_id = any (array(select a.entity_id from recall_anchors($2::text) as a))
)
select 1 as length, o.subject || ' ' || o.predicate || ' ' || o.object as first_step,
    null as second_step, o.fact_id as first_fact, null::uuid as second_fact
from one as o
join two as t on t.fact_id = o.fact_id
union all
select 2, o.subject || ' ' || o.predicate || ' ' || o.object,
    t.subject || ' ' || t.predicate || ' ' || t.object, o.fact_id, t.fact_id
from one as o
join two as t on t.fact_id <> o.fact_id
    and (t.subject_id = o.object_id or t.object_id = o.object_id
        or t.subject_id = o.subject_id or t.object_id = o.subject_id)
order by length, first_fact, second_fact
limit $3::integer$query$
    )
$func$;
comment on function taisce.shipped_graph() is
'Saved queries of the namespace examples that this version ships: how things are connected.';
revoke all on function taisce.shipped_graph() from public;
