-- requires: recall/walk.sql
-- memory_v1.fact_walk(entity_ids, hops, project, source_roles, data_subject_id, predicate, ...)
-- The walk of recall by itself: facts reached from entities in one or two hops, each entity and
-- direction cut to 64 in fact order, with the route that reached them.
-- Returns: 0 to max_rows (at most 200) rows by hops, predicate, fact id. route: ids of the entities
-- from the anchor to the far end; path: their names; via: the predicates along it.
-- Raises: TS002, TS003, TS004, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.walked_fact') is null then
        create type memory_v1.walked_fact as (
            fact_id uuid,
            kind text,
            hops integer,
            anchored_on text,
            subject_id uuid,
            predicate text,
            object_id uuid,
            value text,
            statement text,
            source_role text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz,
            route uuid[],
            path text[],
            via text[]
        );
        comment on type memory_v1.walked_fact is 'A fact reached by a walk, with its route.';
    end if;
end
$do$;

create or replace function memory_v1.fact_walk(
    entity_ids uuid[],
    hops integer default 1,
    project text default null,
    source_roles text[] default null,
    data_subject_id text default null,
    predicate text default null,
    as_of timestamptz default null,
    as_known_at timestamptz default null,
    max_rows integer default 200
)
returns setof memory_v1.walked_fact
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 40
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_most constant integer := 200;
    v_rows constant integer := coalesce(fact_walk.max_rows, v_most);
    v_project_id bigint;
    v_ids uuid[];
    v_walk taisce.walk_result;
    v_names text[];
begin
    if v_rows not between 0 and v_most then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('max_rows must be between 0 and %s, not %s', v_most, v_rows),
            hint = 'Narrow the walk by a predicate, a role or a data subject.';
    end if;
    perform taisce.check_recall_controls(
        fact_walk.data_subject_id, 1, 1, fact_walk.source_roles, null, fact_walk.as_of,
        fact_walk.as_known_at, 1, false, null);
    v_project_id := taisce.resolve_project(fact_walk.project, 'read');
    v_ids := taisce.checked_entities(v_project_id, fact_walk.entity_ids, 256);
    v_walk := taisce.walk(
        v_project_id,
        v_ids,
        least(greatest(coalesce(fact_walk.hops, 1), 1), 2),
        coalesce(
            fact_walk.source_roles,
            taisce.default_roles(v_project_id)),
        fact_walk.data_subject_id,
        fact_walk.predicate,
        taisce.time_scope(
            v_project_id, fact_walk.as_of, fact_walk.as_known_at,
            taisce.setting_interval('clock_skew')),
        v_rows);
    v_names := array(
        select (
            select taisce.known_as(
                i.canonical_name, i.name_until, i.project_id, i.entity_id, statement_timestamp())
            from taisce.entity as i
            where i.project_id = v_project_id
              and i.entity_id between a.entity_id and a.entity_id
            order by i.entity_id
            limit 1
        )
        from unnest(v_ids) with ordinality as a (entity_id, place)
        order by a.place
    );
    return query
    select
        w.fact_id,
        f.kind,
        w.hops::integer,
        v_names[w.anchor],
        w.subject_id,
        w.predicate,
        w.object_id,
        f.object_value,
        f.statement,
        w.source_role,
        nullif(w.valid_from, '-infinity'),
        nullif(w.valid_to, 'infinity'),
        nullif(w.known_from, '-infinity'),
        nullif(w.known_to, 'infinity'),
        r.route,
        array_remove(array[v_names[w.anchor], m.canonical_name, x.canonical_name], null),
        case
            when w.hops = 1 then array[coalesce(w.predicate, '')]
            else array[coalesce(w.first_predicate, ''), coalesce(w.predicate, '')]
        end
    from unnest(v_walk.facts) with ordinality as w (
        fact_id, hops, anchor, subject_id, predicate, object_id, valid_from, valid_to, known_from,
        known_to, source_role, first_fact, middle, far, first_predicate, place
    )
    cross join lateral (
        select i.kind, i.object_value, i.statement
        from taisce.fact as i
        where i.project_id = v_project_id
          and i.fact_id between w.fact_id and w.fact_id
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select array_remove(
            array[
                v_ids[w.anchor],
                w.middle,
                case
                    when w.hops = 2 then w.far
                    else nullif(
                        case
                            when w.subject_id = v_ids[w.anchor] then w.object_id
                            else w.subject_id
                        end,
                        v_ids[w.anchor])
                end
            ],
            null) as route
        -- Kept apart, or the look-ups below could not use the key.
        offset 0
    ) as r
    left join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id between r.route[2] and r.route[2]
        order by i.entity_id
        limit 1
    ) as m on true
    left join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id between r.route[3] and r.route[3]
        order by i.entity_id
        limit 1
    ) as x on true
    order by w.place;
end
$func$;
comment on function memory_v1.fact_walk(
    uuid[], integer, text, text[], text, text, timestamptz, timestamptz, integer
) is 'Facts reached from entities in one or two hops, each direction cut to 64, with their routes.';
revoke all on function memory_v1.fact_walk(
    uuid[], integer, text, text[], text, text, timestamptz, timestamptz, integer
) from public;
grant execute on function memory_v1.fact_walk(
    uuid[], integer, text, text[], text, text, timestamptz, timestamptz, integer
) to taisce_reader, taisce_analyst;
