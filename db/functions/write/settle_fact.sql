-- taisce.settle_fact(fact)
-- Lets a fact that holds longer again end where the next value of its slot starts, from when that
-- was known, and says by what it is superseded now. Where another value holds at its very start,
-- the two contradict each other.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.settle_fact(fact taisce.fact)
returns void
language plpgsql
volatile
as $func$
declare
    v_own taisce.fact_version;
    v_next taisce.fact_version;
    v_first taisce.fact_version;
    v_rivals uuid[];
begin
    select v.*
    into v_own
    from taisce.fact_version as v
    where v.project_id = fact.project_id
      and v.fact_id = fact.fact_id
      and v.known_to = 'infinity';

    if v_own.slot and fact.contradiction_group is null then
        select array_agg(v.fact_id)
        into v_rivals
        from taisce.fact_version as v
        where v.project_id = fact.project_id
          and v.subject_entity_id = v_own.subject_entity_id
          and v.predicate = v_own.predicate
          and v.source_role = v_own.source_role
          and coalesce(v.data_subject_id, '') = coalesce(v_own.data_subject_id, '')
          and v.slot
          and not v.contested
          and v.known_to = 'infinity'
          and v.valid_from <= v_own.valid_from
          and v.valid_to > v_own.valid_from
          and v.fact_id <> fact.fact_id;
        if v_rivals is not null then
            perform taisce.join_contradiction(fact.project_id, v_rivals || fact.fact_id);
        else
            select v.*
            into v_next
            from taisce.fact_version as v
            where v.project_id = fact.project_id
              and v.subject_entity_id = v_own.subject_entity_id
              and v.predicate = v_own.predicate
              and v.source_role = v_own.source_role
              and coalesce(v.data_subject_id, '') = coalesce(v_own.data_subject_id, '')
              and v.slot
              and not v.contested
              and v.known_to = 'infinity'
              and v.valid_from > v_own.valid_from
              and v.valid_from <= v_own.valid_to
              and v.fact_id <> fact.fact_id
            order by v.valid_from
            limit 1;
        end if;
    end if;

    if v_next.valid_from < v_own.valid_to then
        select v.*
        into v_first
        from taisce.fact_version as v
        where v.project_id = fact.project_id
          and v.fact_id = v_next.fact_id
        order by v.known_from
        limit 1;
        if v_first.known_from > v_own.known_from then
            perform taisce.cut_version(
                v_own, v_next.valid_from, v_first.known_from, v_next.fact_id, v_first.caused_by);
            return;
        end if;
        update taisce.fact_version as v
        set valid_to = v_next.valid_from,
            replaced = true
        where v.project_id = fact.project_id
          and v.fact_id = fact.fact_id
          and v.known_to = 'infinity';
    end if;

    update taisce.fact_version as v
    set live = v.valid_to > pg_catalog.clock_timestamp()
    where v.project_id = fact.project_id
      and v.fact_id = fact.fact_id
      and v.known_to = 'infinity'
      and v.live <> (v.valid_to > pg_catalog.clock_timestamp());
    -- What was corrected by something that stands is not believed, and stays superseded.
    update taisce.fact as f
    set superseded_by = case when v_own.cause = 'superseded' then v_next.fact_id end,
        supersession_source = case when v_own.cause = 'superseded' then v_own.caused_by end
    where f.project_id = fact.project_id
      and f.fact_id = fact.fact_id
      and f.superseded_by is distinct from v_next.fact_id
      and not exists (
        select
        from taisce.fact as s
        where s.project_id = fact.project_id
          and s.fact_id = f.superseded_by
      );
end
$func$;
comment on function taisce.settle_fact(taisce.fact) is
'Lets a fact that holds longer again end where the next value of its slot starts.';
revoke all on function taisce.settle_fact(taisce.fact) from public;
