-- taisce.find_paths(x, y, facts, from_id, to_id, max_length, most)
-- Routes between two entities over the relations given (x[i] and y[i] are the ends of facts[i]), by
-- length, then by the facts along them; no entity twice. A search of 50,000 steps without an end is
-- broken off, and `over` says so.
-- Returns: one row.   Runs as: invoker, reads no table.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.graph_route_facts') is null then
        create type taisce.graph_route_facts as (entity_ids uuid[], fact_ids uuid[]);
    end if;
end
$do$;

create or replace function taisce.find_paths(
    x uuid[],
    y uuid[],
    facts uuid[],
    from_id uuid,
    to_id uuid,
    max_length integer,
    most integer,
    out routes taisce.graph_route_facts[],
    out over boolean
)
language plpgsql
immutable
parallel safe
as $func$
#variable_conflict use_variable
declare
    v_patience constant integer := 50000;
    v_nodes uuid[];
    v_first integer[];
    v_to integer[];
    v_fact uuid[];
    v_distance integer[];
    v_front integer[];
    v_next integer[];
    v_start integer;
    v_target integer;
    v_node integer;
    v_other integer;
    v_level integer := 0;
    v_depth integer;
    v_at integer[];
    v_route integer[];
    v_steps integer := 0;
begin
    routes := '{}';
    over := false;
    select array_agg(n.id order by n.id)
    into v_nodes
    from (select i.id from unnest(x) as i (id) union select i.id from unnest(y) as i (id)) as n;
    v_start := array_position(v_nodes, from_id);
    v_target := array_position(v_nodes, to_id);
    if v_start is null or v_target is null then
        return;
    end if;
    -- Every relation from both of its ends, entity by entity in fact order.
    with node as materialized (
        select n.id, n.place::integer as place
        from unnest(v_nodes) with ordinality as n (id, place)
    ),
    way as materialized (
        select distinct a.place as near, b.place as far, w.fact_id
        from (
            select i.x, i.y, i.fact_id from unnest(x, y, facts) as i (x, y, fact_id)
            union all
            select i.y, i.x, i.fact_id from unnest(x, y, facts) as i (x, y, fact_id)
        ) as w (x, y, fact_id)
        join node as a on a.id = w.x
        join node as b on b.id = w.y
    )
    select
        array_agg(w.far order by w.near, w.fact_id),
        array_agg(w.fact_id order by w.near, w.fact_id),
        (
            select array_agg(1 + (select count(*) from way as c where c.near < n.place)::integer
                order by n.place)
            from node as n
        )
    into v_to, v_fact, v_first
    from way as w;
    v_first := v_first || (cardinality(v_to) + 1);

    -- How far each entity is from the end, so that no step is taken in vain.
    v_distance := array_fill(null::integer, array[cardinality(v_nodes)]);
    v_distance[v_target] := 0;
    v_front := array[v_target];
    while cardinality(v_front) > 0 and v_level < max_length loop
        v_level := v_level + 1;
        v_next := '{}';
        foreach v_node in array v_front loop
            for i in v_first[v_node] .. v_first[v_node + 1] - 1 loop
                v_other := v_to[i];
                if v_distance[v_other] is null then
                    v_distance[v_other] := v_level;
                    v_next := array_append(v_next, v_other);
                end if;
            end loop;
        end loop;
        v_front := v_next;
    end loop;
    if v_distance[v_start] is null then
        return;
    end if;

    for v_length in v_distance[v_start] .. max_length loop
        v_depth := 1;
        v_route := array[v_start];
        v_at := array[v_first[v_start] - 1];
        while v_depth > 0 loop
            v_steps := v_steps + 1;
            if v_steps > v_patience then
                over := true;
                return;
            end if;
            v_at[v_depth] := v_at[v_depth] + 1;
            if v_at[v_depth] >= v_first[v_route[v_depth] + 1] then
                v_depth := v_depth - 1;
                continue;
            end if;
            v_other := v_to[v_at[v_depth]];
            if v_distance[v_other] is null or v_distance[v_other] > v_length - v_depth
                or v_other = any (v_route[:v_depth])
                or (v_other = v_target) <> (v_depth = v_length)
            then
                continue;
            end if;
            if v_other = v_target then
                routes := array_append(routes, row(
                    array(
                        select v_nodes[r.node]
                        from unnest(v_route[:v_depth] || v_other) with ordinality as r (node, place)
                        order by r.place
                    ),
                    array(
                        select v_fact[r.at]
                        from unnest(v_at[:v_depth]) with ordinality as r (at, place)
                        order by r.place
                    ))::taisce.graph_route_facts);
                if cardinality(routes) = most then
                    return;
                end if;
            else
                v_depth := v_depth + 1;
                v_route[v_depth] := v_other;
                v_at[v_depth] := v_first[v_other] - 1;
            end if;
        end loop;
    end loop;
end
$func$;
comment on function taisce.find_paths(uuid[], uuid[], uuid[], uuid, uuid, integer, integer) is
'Routes between two entities over relations given, shortest first.';
revoke all on function taisce.find_paths(uuid[], uuid[], uuid[], uuid, uuid, integer, integer)
from public;
