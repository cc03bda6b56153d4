-- taisce.slot_is_taken(fact, valid_from, valid_to)
-- Whether another fact holds the one value of its predicate, role and subject in a window.
-- Returns: one boolean.   Runs as: invoker.   Since: 0.1

create or replace function taisce.slot_is_taken(
    fact taisce.fact,
    valid_from timestamptz,
    valid_to timestamptz
)
returns boolean
language plpgsql
stable
as $func$
begin
    if fact.cardinality = 'many' or fact.predicate is null then
        return false;
    end if;
    return (
        select true
        from taisce.fact_version as v
        where v.project_id = fact.project_id
          and v.subject_entity_id = fact.subject_entity_id
          and v.predicate = fact.predicate
          and v.source_role = fact.source_role
          and coalesce(v.data_subject_id, '') = coalesce(fact.data_subject_id, '')
          and v.slot
          and not v.contested
          and v.known_to = 'infinity'
          and v.valid_from < slot_is_taken.valid_to
          and v.valid_to > slot_is_taken.valid_from
          and v.fact_id <> fact.fact_id
        order by v.valid_from
        limit 1
    ) is not null;
end
$func$;
comment on function taisce.slot_is_taken(taisce.fact, timestamptz, timestamptz) is
'Whether another fact holds the one value of its predicate somewhere in a window.';
revoke all on function taisce.slot_is_taken(taisce.fact, timestamptz, timestamptz) from public;
