-- memory_v1.facts_at(valid_from_max, valid_to_min, known_from_max, known_to_min, project, max_rows)
-- The time filter by itself: versions with valid_from <= valid_from_max, valid_to >= valid_to_min,
-- known_from <= known_from_max and known_to >= known_to_min, open ends counting as infinite.
-- At an instant t: valid_from_max t, valid_to_min t + 1 microsecond; left out, an instant bounds
-- nothing, except that known_to_min defaults to what is believed now.
-- Versions are read in the order of the key until enough are found, so that a usual instant costs
-- what it returns; one that few versions meet costs the whole project.
-- Returns: 0 to max_rows (0 to 1000) rows by fact id.
-- Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.timed_fact') is null then
        create type memory_v1.timed_fact as (
            fact_id uuid,
            kind text,
            subject_id uuid,
            predicate text,
            object_id uuid,
            value text,
            statement text,
            source_role text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz
        );
        comment on type memory_v1.timed_fact is 'A version of a fact with both its clocks.';
    end if;
end
$do$;

create or replace function memory_v1.facts_at(
    valid_from_max timestamptz default 'infinity',
    valid_to_min timestamptz default '-infinity',
    known_from_max timestamptz default 'infinity',
    known_to_min timestamptz default 'infinity',
    project text default null,
    max_rows integer default 200
)
returns setof memory_v1.timed_fact
language plpgsql
stable
parallel safe
security definer
rows 200
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_most constant integer := 1000;
    v_rows constant integer := coalesce(facts_at.max_rows, 200);
    v_project_id bigint;
begin
    if v_rows not between 0 and v_most then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('max_rows must be between 0 and %s, not %s', v_most, v_rows),
            hint = 'Narrow the instants and ask again.';
    end if;
    v_project_id := taisce.resolve_project(facts_at.project, 'read');
    return query
    select
        v.fact_id,
        f.kind,
        v.subject_entity_id,
        v.predicate::text,
        v.object_entity_id,
        f.object_value,
        f.statement,
        v.source_role::text,
        nullif(v.valid_from, '-infinity'),
        nullif(v.valid_to, 'infinity'),
        nullif(v.known_from, '-infinity'),
        nullif(v.known_to, 'infinity')
    from (
        select w.*
        from taisce.fact_version as w
        where w.project_id = v_project_id
          and w.valid_from <= coalesce(facts_at.valid_from_max, 'infinity')
          and w.valid_to >= coalesce(facts_at.valid_to_min, '-infinity')
          and w.known_from <= coalesce(facts_at.known_from_max, 'infinity')
          and w.known_to >= coalesce(facts_at.known_to_min, 'infinity')
          and w.retention_until > statement_timestamp()
        order by w.fact_id, w.known_from
        limit v_rows
    ) as v
    cross join lateral (
        select i.kind, i.object_value, i.statement
        from taisce.fact as i
        where i.project_id = v_project_id
          and i.fact_id between v.fact_id and v.fact_id
        order by i.fact_id
        limit 1
    ) as f
    order by v.fact_id, v.known_from;
end
$func$;
comment on function memory_v1.facts_at(
    timestamptz, timestamptz, timestamptz, timestamptz, text, integer
) is 'The time filter by itself: versions of facts within four instants on two clocks.';
revoke all on function memory_v1.facts_at(
    timestamptz, timestamptz, timestamptz, timestamptz, text, integer
) from public;
grant execute on function memory_v1.facts_at(
    timestamptz, timestamptz, timestamptz, timestamptz, text, integer
) to taisce_reader, taisce_analyst;
