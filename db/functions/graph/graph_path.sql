-- requires: graph/find_paths.sql
-- memory_v1.graph_path(from_id, to_id, max_depth, predicates, valid_at, believed_at, max_paths,
--     max_edges, project)
-- How two entities hang together: routes of relations between them, followed in both directions,
-- shortest first, none visiting an entity twice. Both ends are expanded in turn from their own
-- index entries, at most max_edges (100, 1 to 500) of one entity and ten times that a level. All
-- roles. valid_at and believed_at: both, for a past state, or neither, for what holds now.
-- Returns: up to max_paths (3, 1 to 10) rows by length, then by the facts along the route; capped:
-- relations were left unread, so other or shorter routes may exist. Nothing found but relations
-- left unread is one row of path 0. max_depth 4 (1 to 6).
-- Raises: TS003, TS004, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.graph_route') is null then
        create type memory_v1.graph_route as (
            path integer,
            length integer,
            entity_ids uuid[],
            entities text[],
            fact_ids uuid[],
            predicates text[],
            statements text[],
            capped boolean
        );
        comment on type memory_v1.graph_route is 'A route of relations between two entities.';
    end if;
end
$do$;

create or replace function memory_v1.graph_path(
    from_id uuid,
    to_id uuid,
    max_depth integer default 4,
    predicates text[] default null,
    valid_at timestamptz default null,
    believed_at timestamptz default null,
    max_paths integer default 3,
    max_edges integer default 100,
    project text default null
)
returns setof memory_v1.graph_route
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 3
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
    v_ends uuid[];
    v_side integer;
    v_visited_from uuid[];
    v_visited_to uuid[];
    v_next uuid[];
    v_from uuid[];
    v_to uuid[];
    v_x uuid[] := '{}';
    v_y uuid[] := '{}';
    v_facts uuid[] := '{}';
    v_new_x uuid[];
    v_new_y uuid[];
    v_new_facts uuid[];
    v_capped boolean := false;
    v_found taisce.graph_route_facts[];
    v_over boolean;
begin
    perform taisce.check_range(graph_path.max_depth, 'max_depth', 1, 6);
    perform taisce.check_range(graph_path.max_paths, 'max_paths', 1, 10);
    perform taisce.check_range(graph_path.max_edges, 'max_edges', 1, 500);
    perform taisce.check_graph(
        graph_path.predicates, graph_path.valid_at, graph_path.believed_at);
    v_project_id := taisce.resolve_project(graph_path.project, 'read');
    v_ends := taisce.graph_ends(v_project_id, array[graph_path.from_id, graph_path.to_id]);
    if cardinality(v_ends) < 2 then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'from_id and to_id lead to one entity',
            hint = 'graph_neighborhood shows what is around it.';
    end if;
    v_scope := taisce.time_scope(
        v_project_id, graph_path.valid_at, graph_path.believed_at,
        taisce.setting_interval('clock_skew'));
    v_from := v_ends[1:1];
    v_to := v_ends[2:2];
    v_visited_from := v_from;
    v_visited_to := v_to;

    for v_length in 1 .. graph_path.max_depth loop
        -- The side with fewer entities to expand; one that has none left has read all it can reach.
        v_side := case
            when cardinality(v_from) = 0 or cardinality(v_to) = 0 then 0
            when cardinality(v_from) <= cardinality(v_to) then 1
            else 2
        end;
        if v_side > 0 then
            select
                array_agg(e.entity_id order by e.place, e.fact_id)
                    filter (where e.number <= graph_path.max_edges
                        and e.total <= 10 * graph_path.max_edges),
                array_agg(e.other_id order by e.place, e.fact_id)
                    filter (where e.number <= graph_path.max_edges
                        and e.total <= 10 * graph_path.max_edges),
                array_agg(e.fact_id order by e.place, e.fact_id)
                    filter (where e.number <= graph_path.max_edges
                        and e.total <= 10 * graph_path.max_edges),
                coalesce(bool_or(e.number > graph_path.max_edges
                    or e.total > 10 * graph_path.max_edges), false)
            into v_new_x, v_new_y, v_new_facts, v_over
            from (
                select
                    g.*,
                    row_number() over (partition by g.place order by g.fact_id) as number,
                    row_number() over (order by g.place, g.fact_id) as total
                from taisce.graph_edges(
                    v_project_id, case v_side when 1 then v_from else v_to end, '{}',
                    graph_path.predicates, v_scope, graph_path.max_edges + 1,
                    10 * graph_path.max_edges + 1) as g
            ) as e;
            v_capped := v_capped or v_over;
            v_x := v_x || coalesce(v_new_x, '{}');
            v_y := v_y || coalesce(v_new_y, '{}');
            v_facts := v_facts || coalesce(v_new_facts, '{}');
            v_next := array(
                select n.entity_id
                from (
                    select i.entity_id, min(i.place) as place
                    from unnest(v_new_y) with ordinality as i (entity_id, place)
                    where i.entity_id <> all (
                        case v_side when 1 then v_visited_from else v_visited_to end)
                    group by i.entity_id
                ) as n
                order by n.place
            );
            if v_side = 1 then
                v_from := v_next;
                v_visited_from := v_visited_from || v_next;
            else
                v_to := v_next;
                v_visited_to := v_visited_to || v_next;
            end if;
        end if;
        select p.routes, p.over
        into v_found, v_over
        from taisce.find_paths(
            v_x, v_y, v_facts, v_ends[1], v_ends[2], v_length, graph_path.max_paths) as p;
        exit when cardinality(v_found) >= graph_path.max_paths or v_over;
    end loop;
    v_capped := v_capped or v_over;

    if cardinality(v_found) = 0 then
        if v_capped then
            return next row(0, null, '{}', '{}', '{}', '{}', '{}', true)::memory_v1.graph_route;
        end if;
        return;
    end if;
    return query
    select
        r.place::integer,
        cardinality(r.fact_ids),
        r.entity_ids,
        array(
            select i.canonical_name
            from unnest(r.entity_ids) with ordinality as n (entity_id, place)
            cross join lateral (
                select taisce.known_as(
                    e.canonical_name, e.name_until, e.project_id, e.entity_id,
                    statement_timestamp()) as canonical_name
                from taisce.entity as e
                where e.project_id = v_project_id
                  and e.entity_id between n.entity_id and n.entity_id
                order by e.entity_id
                limit 1
            ) as i
            order by n.place
        ),
        r.fact_ids,
        f.predicates,
        f.statements,
        v_capped
    from unnest(v_found) with ordinality as r (entity_ids, fact_ids, place)
    cross join lateral (
        select
            array_agg(i.predicate::text order by n.place) as predicates,
            array_agg(i.statement order by n.place) as statements
        from unnest(r.fact_ids) with ordinality as n (fact_id, place)
        cross join lateral (
            select j.predicate, j.statement
            from taisce.fact as j
            where j.project_id = v_project_id
              and j.fact_id between n.fact_id and n.fact_id
            order by j.fact_id
            limit 1
        ) as i
    ) as f
    order by r.place;
end
$func$;
comment on function memory_v1.graph_path(
    uuid, uuid, integer, text[], timestamptz, timestamptz, integer, integer, text
) is 'How two entities hang together: routes of relations, shortest first.';
revoke all on function memory_v1.graph_path(
    uuid, uuid, integer, text[], timestamptz, timestamptz, integer, integer, text
) from public;
grant execute on function memory_v1.graph_path(
    uuid, uuid, integer, text[], timestamptz, timestamptz, integer, integer, text
) to taisce_reader, taisce_analyst;
