-- taisce.rivals_elsewhere(fact, until)
-- Facts of another role or subject that hold another value at a time which this one covers: they
-- contradict, since across roles and subjects nothing replaces anything.
-- Returns: fact ids, empty if there are none.   Runs as: invoker.   Since: 0.1

create or replace function taisce.rivals_elsewhere(fact taisce.fact, until timestamptz)
returns uuid[]
language plpgsql
volatile
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_first taisce.fact_version;
    v_last taisce.fact_version;
begin
    -- Most facts have their predicate to themselves: both ends of the index tell.
    select v.*
    into v_first
    from taisce.fact_version as v
    where v.project_id = fact.project_id
      and v.subject_entity_id = fact.subject_entity_id
      and v.predicate = fact.predicate
      and v.slot
      and v.known_to = 'infinity'
    order by v.source_role, coalesce(v.data_subject_id, '')
    limit 1;
    select v.*
    into v_last
    from taisce.fact_version as v
    where v.project_id = fact.project_id
      and v.subject_entity_id = fact.subject_entity_id
      and v.predicate = fact.predicate
      and v.slot
      and v.known_to = 'infinity'
    order by v.source_role desc, coalesce(v.data_subject_id, '') desc
    limit 1;
    if (v_first.source_role, v_first.data_subject_id)
        is not distinct from (v_last.source_role, v_last.data_subject_id)
    then
        if v_first.source_role = fact.source_role
            and v_first.data_subject_id is not distinct from fact.data_subject_id
        then
            return '{}';
        end if;
    end if;

    return array(
        select v.fact_id
        from taisce.fact_version as v
        where v.project_id = fact.project_id
          and v.subject_entity_id between fact.subject_entity_id and fact.subject_entity_id
          and v.predicate between fact.predicate and fact.predicate
          and v.slot
          and v.known_to = 'infinity'
          and v.valid_from < rivals_elsewhere.until
          and v.valid_to > fact.stated_from
          and (v.source_role <> fact.source_role
            or v.data_subject_id is distinct from fact.data_subject_id)
          and (v.object_entity_id is distinct from fact.object_entity_id
            or fact.object_value is distinct from (
                select f.object_value
                from taisce.fact as f
                where f.project_id = fact.project_id
                  and f.fact_id between v.fact_id and v.fact_id
                order by f.fact_id
                limit 1
            ))
        order by v.subject_entity_id, v.predicate
    );
end
$func$;
comment on function taisce.rivals_elsewhere(taisce.fact, timestamptz) is
'Facts of another role or subject that hold another value at the same time.';
revoke all on function taisce.rivals_elsewhere(taisce.fact, timestamptz) from public;
