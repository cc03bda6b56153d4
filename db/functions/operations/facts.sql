-- requires: operations/operation_types.sql
-- memory_v1.facts(fact_ids, project)
-- Facts that are kept, by id, with the fields of fact_context: all roles, whatever became of them.
-- One that does not hold now is shown with its last version.
-- Returns: one row an id (1 to 100), in the order given.
-- Raises: TS003, TS005; TS004 if any id is unknown, erased or expired.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.facts(fact_ids uuid[], project text default null)
returns setof memory_v1.fact_item
language plpgsql
stable
parallel safe
security definer
cost 1000
rows 10
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
    v_asked taisce.asked_time;
    v_page taisce.pooled[];
begin
    perform taisce.check_ids(facts.fact_ids, 'fact_ids', 100);
    v_project_id := taisce.resolve_project(facts.project, 'read');
    v_asked := taisce.ask_time(v_project_id, taisce.check_time(null, null));
    v_page := array(
        select row(g.fact_id, null, null, null, null, 'kept')::taisce.pooled
        from unnest(facts.fact_ids) with ordinality as g (fact_id, place)
        cross join lateral (
            select
            from taisce.fact as f
            where f.project_id = v_project_id
              and f.fact_id between g.fact_id and g.fact_id
              and f.retention_until > statement_timestamp()
            order by f.fact_id
            limit 1
        ) as f
        order by g.place
    );
    if cardinality(v_page) < cardinality(facts.fact_ids) then
        perform taisce.not_found();
    end if;
    return query
    select
        i.fact_kind, i.fact_id, i.label, i.subject, i.subject_id, i.predicate, i.object,
        i.object_id, i.value, i.statement, i.valid_from, i.valid_until, i.known_from,
        i.known_until, i.evidence_count, i.contradict_count, i.contradiction, i.support,
        i.source_role, i.hops, i.score, i.evidence, i.evidence_totals,
        false, v_asked.evaluated_at, 0, null::text
    from unnest(taisce.fact_items(
        v_project_id, v_page, array['user', 'assistant', 'system', 'tool', 'document'], null,
        v_asked, 3, true)) as i;
end
$func$;
comment on function memory_v1.facts(uuid[], text) is
'Facts that are kept, by id, with their evidence, whatever became of them.';
revoke all on function memory_v1.facts(uuid[], text) from public;
grant execute on function memory_v1.facts(uuid[], text) to taisce_reader, taisce_analyst;
