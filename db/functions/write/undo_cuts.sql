-- taisce.undo_cuts(fact, gone)
-- Gives a fact the versions it would have had without versions that are gone: what they opened by
-- cutting it is removed, and what was believed before is believed again; a belief that they
-- corrected is reopened; an end that had to give way to them is as stated.
-- gone: versions that were removed already.
-- Returns: how many versions were removed.   Runs as: invoker.   Since: 0.1

create or replace function taisce.undo_cuts(fact taisce.fact, gone taisce.fact_version[])
returns bigint
language plpgsql
volatile
as $func$
declare
    v_cut taisce.fact_version;
    v_removed bigint := 0;
begin
    for v_cut in
        select v.*
        from taisce.fact_version as v
        where v.project_id = fact.project_id
          and v.fact_id = fact.fact_id
          and v.cause = 'superseded'
          and exists (
            select
            from unnest(undo_cuts.gone) as g
            where g.fact_id <> fact.fact_id
              and g.known_from = v.known_from
              and g.valid_from = v.valid_to
          )
          and exists (
            select
            from taisce.fact_version as b
            where b.project_id = fact.project_id
              and b.fact_id = fact.fact_id
              and b.known_to = v.known_from
          )
        order by v.known_from
    loop
        delete from taisce.fact_version as v
        where v.project_id = fact.project_id
          and v.fact_id = fact.fact_id
          and v.known_from = v_cut.known_from;
        update taisce.fact_version as v
        set known_to = v_cut.known_to,
            closed_cause = v_cut.closed_cause,
            closed_by = v_cut.closed_by,
            contested = v_cut.contested
        where v.project_id = fact.project_id
          and v.fact_id = fact.fact_id
          and v.known_to = v_cut.known_from;
        v_removed := v_removed + 1;
    end loop;

    -- Its start may be another's by now; then both are told, as a contradiction.
    update taisce.fact_version as v
    set known_to = 'infinity',
        closed_cause = null,
        closed_by = null,
        contested = fact.contradiction_group is not null
            or taisce.slot_is_taken(fact, v.valid_from, v.valid_from + interval '1 us')
    where v.project_id = fact.project_id
      and v.fact_id = fact.fact_id
      and v.closed_cause = 'corrected'
      and exists (
        select
        from unnest(undo_cuts.gone) as g
        where g.fact_id = fact.superseded_by
          and g.known_from = v.known_to
      )
      and not exists (
        select
        from taisce.fact_version as b
        where b.project_id = fact.project_id
          and b.fact_id = fact.fact_id
          and b.known_from >= v.known_to
      );
    if found then
        update taisce.fact as f
        set retracted_at = null,
            retraction_reason = null
        where f.project_id = fact.project_id
          and f.fact_id = fact.fact_id;
    end if;

    update taisce.fact_version as v
    set valid_to = fact.stated_until,
        replaced = false
    where v.project_id = fact.project_id
      and v.fact_id = fact.fact_id
      and v.replaced
      and exists (
        select
        from unnest(undo_cuts.gone) as g
        where g.slot
          and g.fact_id <> fact.fact_id
          and g.subject_entity_id = v.subject_entity_id
          and g.predicate = v.predicate
          and g.source_role = v.source_role
          and g.data_subject_id is not distinct from v.data_subject_id
          and g.valid_from = v.valid_to
      );
    return v_removed;
end
$func$;
comment on function taisce.undo_cuts(taisce.fact, taisce.fact_version[]) is
'Gives a fact the versions it would have had without versions that are gone.';
revoke all on function taisce.undo_cuts(taisce.fact, taisce.fact_version[]) from public;
