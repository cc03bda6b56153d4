-- taisce.place_version(project_id, fact_id, stamp, on_conflict, cause, caused_by)
-- Opens a version of a stored fact with the window it states. Where its predicate holds one value
-- at a time, the version it starts inside is cut at its start; any other overlap within its role
-- and subject is refused, stored as a contradiction, or avoided by ending before it; and an
-- overlapping other value of another role or subject is a contradiction. The clock must be held.
-- on_conflict: refuse, contradict or truncate.
-- Returns: one row: the fact it replaced, its contradiction group, and why nothing was stored:
-- overlap, or stamp if that does not follow the version it would replace (nulls otherwise).
-- Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.placement') is null then
        create type taisce.placement as (
            superseded uuid, contradiction_group uuid, fault text
        );
    end if;
end
$do$;

create or replace function taisce.place_version(
    project_id bigint,
    fact_id uuid,
    stamp timestamptz,
    on_conflict text default 'refuse',
    cause text default 'asserted',
    caused_by uuid default null
)
returns taisce.placement
language plpgsql
volatile
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_fact taisce.fact;
    v_slot boolean;
    v_until timestamptz;
    v_entered taisce.fact_version;
    v_ahead timestamptz;
    v_rivals uuid[] := '{}';
    v_placed taisce.placement;
begin
    select f.*
    into strict v_fact
    from taisce.fact as f
    where f.project_id = place_version.project_id
      and f.fact_id between place_version.fact_id and place_version.fact_id
    order by f.fact_id
    limit 1;
    v_slot := v_fact.cardinality = 'one' and v_fact.predicate is not null;
    v_until := v_fact.stated_until;

    if v_slot and v_fact.contradiction_group is null then
        select v.*
        into v_entered
        from taisce.fact_version as v
        where v.project_id = place_version.project_id
          and v.subject_entity_id = v_fact.subject_entity_id
          and v.predicate = v_fact.predicate
          and v.source_role = v_fact.source_role
          and coalesce(v.data_subject_id, '') = coalesce(v_fact.data_subject_id, '')
          and v.slot
          and not v.contested
          and v.known_to = 'infinity'
          and v.valid_from < v_fact.stated_from
        order by v.valid_from desc
        limit 1;
        if v_entered.valid_to <= v_fact.stated_from then
            v_entered := null;
        end if;

        select v.valid_from
        into v_ahead
        from taisce.fact_version as v
        where v.project_id = place_version.project_id
          and v.subject_entity_id = v_fact.subject_entity_id
          and v.predicate = v_fact.predicate
          and v.source_role = v_fact.source_role
          and coalesce(v.data_subject_id, '') = coalesce(v_fact.data_subject_id, '')
          and v.slot
          and not v.contested
          and v.known_to = 'infinity'
          and v.valid_from >= v_fact.stated_from
          and v.valid_from < v_until
        order by v.valid_from
        limit 1;

        if v_ahead is not null then
            if place_version.on_conflict = 'contradict' then
                select array_agg(v.fact_id)
                into v_rivals
                from taisce.fact_version as v
                where v.project_id = place_version.project_id
                  and v.subject_entity_id = v_fact.subject_entity_id
                  and v.predicate = v_fact.predicate
                  and v.source_role = v_fact.source_role
                  and coalesce(v.data_subject_id, '') = coalesce(v_fact.data_subject_id, '')
                  and v.slot
                  and not v.contested
                  and v.known_to = 'infinity'
                  and v.valid_from >= v_fact.stated_from
                  and v.valid_from < v_until;
                v_rivals := v_rivals || v_entered.fact_id;
                v_rivals := array_remove(v_rivals, null);
                v_entered := null;
            elsif place_version.on_conflict = 'truncate' and v_ahead > v_fact.stated_from then
                v_until := v_ahead;
            else
                v_placed.fault := 'overlap';
                return v_placed;
            end if;
        end if;

        if v_entered.fact_id is not null then
            if v_entered.known_from >= place_version.stamp then
                v_placed.fault := 'stamp';
                return v_placed;
            end if;
            perform taisce.cut_version(
                v_entered, v_fact.stated_from, place_version.stamp, place_version.fact_id,
                place_version.caused_by);
            v_placed.superseded := v_entered.fact_id;
        end if;
    end if;

    insert into taisce.fact_version (
        project_id, fact_id, known_from, valid_from, valid_to, live, replaced, slot, contested,
        subject_entity_id, object_entity_id, predicate, source_role, data_subject_id,
        retention_until, cause, caused_by
    )
    values (
        place_version.project_id, place_version.fact_id, place_version.stamp, v_fact.stated_from,
        v_until, v_until > pg_catalog.clock_timestamp(), v_until < v_fact.stated_until, v_slot,
        v_fact.contradiction_group is not null or cardinality(v_rivals) > 0,
        v_fact.subject_entity_id, v_fact.object_entity_id, v_fact.predicate, v_fact.source_role,
        v_fact.data_subject_id, v_fact.retention_until, place_version.cause,
        place_version.caused_by
    );

    if v_slot then
        v_rivals := v_rivals || taisce.rivals_elsewhere(v_fact, v_until);
        if cardinality(v_rivals) > 0 then
            v_placed.contradiction_group := taisce.join_contradiction(
                place_version.project_id, v_rivals || place_version.fact_id);
        end if;
    end if;
    return v_placed;
end
$func$;
comment on function taisce.place_version(bigint, uuid, timestamptz, text, text, uuid) is
'Opens a version of a fact by the rules of cardinality one.';
revoke all on function taisce.place_version(bigint, uuid, timestamptz, text, text, uuid)
from public;
