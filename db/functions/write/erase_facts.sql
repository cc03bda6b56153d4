-- taisce.erase_facts(project_id, fact_ids, observation_ids)
-- Removes facts that nothing supports any more with all their versions, and undoes what they, or a
-- belief that only erased observations reopened, did to the times of others. What is left of a
-- contradiction group of one contradicts nothing. fact_ids: those to remove. observation_ids: what
-- is being erased; its evidence is gone already.
-- Returns: counts of rows by table.   Runs as: invoker.   Since: 0.1

create or replace function taisce.erase_facts(
    project_id bigint,
    fact_ids uuid[],
    observation_ids uuid[]
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := erase_facts.project_id;
    v_at constant timestamptz := pg_catalog.clock_timestamp();
    v_groups uuid[];
    v_gone taisce.fact_version[];
    v_reopened taisce.fact_version[];
    v_touched uuid[];
    v_fact taisce.fact;
    v_facts bigint;
    v_versions bigint;
begin
    v_groups := array(
        select distinct f.contradiction_group
        from taisce.fact as f
        where f.project_id = v_project_id
          and f.fact_id = any (erase_facts.fact_ids)
          and f.contradiction_group is not null
    );
    with gone as (
        delete from taisce.fact_version as v
        where v.project_id = v_project_id
          and v.fact_id = any (erase_facts.fact_ids)
        returning v as version, v.slot or v.cause = 'corrected' as cuts
    )
    select array_agg(g.version) filter (where g.cuts),
        count(*)
    into v_gone, v_versions
    from gone as g;
    delete from taisce.fact as f
    where f.project_id = v_project_id
      and f.fact_id = any (erase_facts.fact_ids);
    get diagnostics v_facts = row_count;

    -- A retracted fact that was told again in what goes, and not since.
    with gone as (
        delete from taisce.fact_version as v
        where v.project_id = v_project_id
          and v.caused_by = any (erase_facts.observation_ids)
          and v.cause = 'reopened'
          and not exists (
            select
            from taisce.fact_evidence as e
            where e.project_id = v_project_id
              and e.fact_id = v.fact_id
              and e.stance = 'supports'
              and e.linked_at >= v.known_from
          )
        returning v as version
    )
    select array_agg(g.version), count(*) + v_versions
    into v_reopened, v_versions
    from gone as g;
    update taisce.fact as f
    set retracted_at = b.known_to
    from (
        select r.fact_id, max(v.known_to) as known_to
        from unnest(v_reopened) as r
        join taisce.fact_version as v
            on v.project_id = v_project_id
            and v.fact_id = r.fact_id
            and v.known_to <= r.known_from
            and v.closed_cause = 'retracted'
        group by r.fact_id
    ) as b
    where f.project_id = v_project_id
      and f.fact_id = b.fact_id;
    v_gone := coalesce(v_gone, '{}') || coalesce(v_reopened, '{}');

    -- One by one, since two that stand alone now may overlap.
    for v_fact in
        select f.*
        from unnest(v_groups) as g (contradiction_group)
        join taisce.fact as f
            on f.project_id = v_project_id and f.contradiction_group = g.contradiction_group
        where (
            select count(*)
            from taisce.fact as o
            where o.project_id = v_project_id
              and o.contradiction_group = g.contradiction_group
        ) = 1
    loop
        perform taisce.split_groups(v_project_id, jsonb_build_object(v_fact.fact_id, null));
    end loop;

    v_touched := taisce.versions_undone(v_project_id, v_gone, erase_facts.observation_ids);
    for v_fact in
        select f.*
        from taisce.fact as f
        where f.project_id = v_project_id
          and f.fact_id = any (v_touched)
        order by f.fact_id
    loop
        v_versions := v_versions + taisce.undo_cuts(v_fact, v_gone);
    end loop;
    for v_fact in
        select f.*
        from taisce.fact as f
        where f.project_id = v_project_id
          and f.fact_id = any (v_touched)
        order by f.fact_id
    loop
        perform taisce.settle_fact(v_fact);
    end loop;
    perform taisce.withdraw_reports(v_project_id, v_touched, 'erased', v_at);
    perform taisce.rename_causes(v_project_id, erase_facts.observation_ids);
    return jsonb_build_object('fact', v_facts, 'fact_version', v_versions);
end
$func$;
comment on function taisce.erase_facts(bigint, uuid[], uuid[]) is
'Removes facts that nothing supports any more and undoes what they did to others.';
revoke all on function taisce.erase_facts(bigint, uuid[], uuid[]) from public;
