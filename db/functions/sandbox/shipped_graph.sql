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
from (
    select array_agg(a.entity_id) as ids from recall_anchors($1::text) as a having count(*) > 0
) as named
cross join lateral fact_walk(named.ids, 2) as w
order by w.hops, w.fact_id
limit $2::integer$query$
    ),
    (
        'graph_neighborhood',
        'Relations around an entity, in either direction, up to a depth.',
        $json$[
            {"name": "name", "type": "text",
             "description": "Spelling of a name, or words that hold names."},
            {"name": "depth", "type": "integer", "default": "1",
             "description": "How many relations away, 1 to 4."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select g.depth, g.subject, g.predicate, g.object, g.valid_from, g.valid_until,
    g.fact_id, g.capped
from recall_anchors($1::text) as a
cross join lateral graph_neighborhood(a.entity_id, max_depth => $2::integer) as g
order by g.depth, g.fact_id
limit $3::integer$query$
    ),
    (
        'graph_path',
        'The shortest ways from one entity to another, following relations in either '
        'direction.',
        $json$[
            {"name": "from_name", "type": "text",
             "description": "Name at the start."},
            {"name": "to_name", "type": "text",
             "description": "Name at the end."},
            {"name": "depth", "type": "integer", "default": "3",
             "description": "Most relations of a way, 1 to 4."},
            {"name": "k", "type": "integer", "default": "20",
             "description": "Most rows."}
        ]$json$::jsonb,
        $query$select p.length, p.entities, p.predicates, p.statements, p.fact_ids, p.capped
from recall_anchors($1::text) as a
cross join recall_anchors($2::text) as b
cross join lateral graph_path(a.entity_id, b.entity_id, max_depth => $3::integer) as p
where p.path > 0
order by p.length, p.fact_ids
limit $4::integer$query$
    )
$func$;
comment on function taisce.shipped_graph() is
'Saved queries of the namespace examples that this version ships: how things are connected.';
revoke all on function taisce.shipped_graph() from public;
