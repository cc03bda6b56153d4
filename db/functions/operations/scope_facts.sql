-- requires: recall/walk.sql
-- requires: operations/operation_types.sql
-- taisce.scope_facts(project_id, anchor_ids, hops, roles, subject, predicate, scope, neighbours)
-- What lies around entities: the walk of recall from them, the facts it reached in its order, and
-- the further entities those lead to, first met first; anchors and neighbours together are at most
-- twenty. Without neighbours wanted, the facts of the entities themselves.
-- Sorting and joins are as in recall, so that both may share the plans of the walk.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

create or replace function taisce.scope_facts(
    project_id bigint,
    anchor_ids uuid[],
    hops integer,
    roles text[],
    subject text,
    predicate text,
    scope taisce.time_scope,
    out fact_ids uuid[],
    out neighbour_ids uuid[],
    out near integer,
    out cut boolean,
    out neighbours_cut boolean
)
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = on
set enable_mergejoin = on
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $func$
declare
    v_most constant integer := 20;
    v_walk taisce.walk_result;
    v_all uuid[];
begin
    fact_ids := '{}';
    neighbour_ids := '{}';
    near := 0;
    cut := false;
    neighbours_cut := false;
    if cardinality(scope_facts.anchor_ids) = 0 then
        return;
    end if;
    v_walk := taisce.walk(
        scope_facts.project_id, scope_facts.anchor_ids, greatest(scope_facts.hops, 1),
        scope_facts.roles, scope_facts.subject, scope_facts.predicate, scope_facts.scope);
    cut := coalesce(v_walk.more, false) or cardinality(v_walk.cuts) > 0;
    cut := coalesce(cut, false);
    fact_ids := array(
        select f.fact_id
        from unnest(v_walk.facts) with ordinality as f (
            fact_id, hops, anchor, subject_id, predicate, object_id, valid_from, valid_to,
            known_from, known_to, source_role, first_fact, middle, far, first_predicate, place
        )
        order by f.place
    );
    if scope_facts.hops > 0 then
        select
            array_agg(n.entity_id order by n.place),
            coalesce(count(*) filter (where n.hops = 1 and n.number <= v_most), 0)
        into v_all, near
        from (
            select
                e.entity_id, e.place, e.hops,
                row_number() over (order by e.place)
                    + cardinality(scope_facts.anchor_ids) as number
            from (
                select o.entity_id, min(2 * f.place + o.side) as place, min(f.hops) as hops
                from unnest(v_walk.facts) with ordinality as f (
                    fact_id, hops, anchor, subject_id, predicate, object_id, valid_from, valid_to,
                    known_from, known_to, source_role, first_fact, middle, far, first_predicate,
                    place
                )
                cross join lateral (values (f.subject_id, 0), (f.object_id, 1))
                    as o (entity_id, side)
                where o.entity_id is not null
                  and o.entity_id <> all (scope_facts.anchor_ids)
                group by o.entity_id
            ) as e
        ) as n;
        v_all := coalesce(v_all, '{}');
        neighbour_ids := v_all[:greatest(v_most - cardinality(scope_facts.anchor_ids), 0)];
        neighbours_cut := cut or cardinality(v_all) > cardinality(neighbour_ids);
    end if;
end
$func$;
comment on function taisce.scope_facts(
    bigint, uuid[], integer, text[], text, text, taisce.time_scope
) is 'The facts around entities, and the further entities those lead to, as the walk meets them.';
revoke all on function taisce.scope_facts(
    bigint, uuid[], integer, text[], text, text, taisce.time_scope
) from public;
