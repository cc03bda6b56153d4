-- requires: graph/graph_edges.sql
-- memory_v1.graph_neighborhood(entity_id, max_depth, predicates, valid_at, believed_at, max_edges,
--     project)
-- The relations around an entity, followed in both directions, breadth first: each at its smallest
-- depth, with the route that leads to it, which visits no entity twice. All roles. valid_at and
-- believed_at: both, for a past state, or neither, for what holds now.
-- Returns: 0 to max_edges (100, 1 to 500) rows by depth, then by the entity expanded, as met, then
-- by fact; capped: there was more. max_depth 2 (1 to 4).
-- Raises: TS003, TS004, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.graph_edge') is null then
        create type memory_v1.graph_edge as (
            depth integer,
            fact_id uuid,
            subject_id uuid,
            subject text,
            predicate text,
            object_id uuid,
            object text,
            statement text,
            source_role text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz,
            route uuid[],
            capped boolean
        );
        comment on type memory_v1.graph_edge is 'A relation near an entity, with the route to it.';
        create type taisce.graph_step as (
            depth integer,
            edge taisce.graph_entry,
            route uuid[]
        );
    end if;
end
$do$;

create or replace function memory_v1.graph_neighborhood(
    entity_id uuid,
    max_depth integer default 2,
    predicates text[] default null,
    valid_at timestamptz default null,
    believed_at timestamptz default null,
    max_edges integer default 100,
    project text default null
)
returns setof memory_v1.graph_edge
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 100
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_project_id bigint;
    v_scope taisce.time_scope;
    v_frontier uuid[];
    v_routes jsonb;
    v_visited uuid[];
    v_seen uuid[] := '{}';
    v_steps taisce.graph_step[] := '{}';
    v_found taisce.graph_step[];
    v_left integer;
    v_capped boolean := false;
begin
    perform taisce.check_range(graph_neighborhood.max_depth, 'max_depth', 1, 4);
    perform taisce.check_range(graph_neighborhood.max_edges, 'max_edges', 1, 500);
    perform taisce.check_graph(
        graph_neighborhood.predicates, graph_neighborhood.valid_at,
        graph_neighborhood.believed_at);
    v_project_id := taisce.resolve_project(graph_neighborhood.project, 'read');
    v_frontier := taisce.graph_ends(v_project_id, array[graph_neighborhood.entity_id]);
    v_scope := taisce.time_scope(
        v_project_id, graph_neighborhood.valid_at, graph_neighborhood.believed_at,
        taisce.setting_interval('clock_skew'));
    v_visited := v_frontier;
    v_routes := jsonb_build_object(v_frontier[1]::text, jsonb_build_array(v_frontier[1]));

    for v_depth in 1 .. graph_neighborhood.max_depth loop
        v_left := graph_neighborhood.max_edges - cardinality(v_seen);
        -- A relation between two entities of this depth is met twice.
        v_found := array(
            select row(v_depth, row(d.place, d.entity_id, d.other_id, d.fact_id, d.direction,
                d.predicate, d.source_role, d.valid_from, d.valid_to, d.known_from,
                d.known_to)::taisce.graph_entry, d.route || d.other_id)::taisce.graph_step
            from (
                select distinct on (g.fact_id) g.*, r.route
                from taisce.graph_edges(
                    v_project_id, v_frontier, v_seen, graph_neighborhood.predicates, v_scope,
                    graph_neighborhood.max_edges + 1, 2 * (v_left + 1)) as g
                cross join lateral (
                    select array(
                        select i.id::uuid
                        from jsonb_array_elements_text(v_routes -> g.entity_id::text)
                            with ordinality as i (id, place)
                        order by i.place
                    ) as route
                ) as r
                where g.other_id <> all (r.route)
                order by g.fact_id, g.place
            ) as d
            order by d.place, d.fact_id
            limit v_left + 1
        );
        if cardinality(v_found) > v_left then
            v_capped := true;
            v_found := v_found[:v_left];
        end if;
        v_steps := v_steps || v_found;
        exit when v_capped;
        v_seen := v_seen || array(select (f.edge).fact_id from unnest(v_found) as f);
        select
            array_agg(n.other_id order by n.place),
            v_routes || coalesce(jsonb_object_agg(n.other_id, n.route), '{}')
        into v_frontier, v_routes
        from (
            select distinct on ((f.edge).other_id)
                (f.edge).other_id, to_jsonb(f.route) as route, f.place
            from unnest(v_found) with ordinality as f (depth, edge, route, place)
            where (f.edge).other_id <> all (v_visited)
            order by (f.edge).other_id, f.place
        ) as n;
        exit when v_frontier is null;
        v_visited := v_visited || v_frontier;
    end loop;

    return query
    select
        s.depth,
        f.fact_id,
        f.subject_entity_id,
        a.canonical_name,
        f.predicate::text,
        f.object_entity_id,
        b.canonical_name,
        f.statement,
        f.source_role,
        nullif((s.edge).valid_from, '-infinity'),
        nullif((s.edge).valid_to, 'infinity'),
        nullif((s.edge).known_from, '-infinity'),
        nullif((s.edge).known_to, 'infinity'),
        s.route,
        v_capped
    from unnest(v_steps) with ordinality as s (depth, edge, route, place)
    cross join lateral (
        select i.*
        from taisce.fact as i
        where i.project_id = v_project_id
          and i.fact_id between (s.edge).fact_id and (s.edge).fact_id
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id between f.subject_entity_id and f.subject_entity_id
        order by i.entity_id
        limit 1
    ) as a
    cross join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id between f.object_entity_id and f.object_entity_id
        order by i.entity_id
        limit 1
    ) as b
    order by s.place;
end
$func$;
comment on function memory_v1.graph_neighborhood(
    uuid, integer, text[], timestamptz, timestamptz, integer, text
) is 'The relations around an entity, breadth first, with the routes that lead to them.';
revoke all on function memory_v1.graph_neighborhood(
    uuid, integer, text[], timestamptz, timestamptz, integer, text
) from public;
grant execute on function memory_v1.graph_neighborhood(
    uuid, integer, text[], timestamptz, timestamptz, integer, text
) to taisce_reader, taisce_analyst;
