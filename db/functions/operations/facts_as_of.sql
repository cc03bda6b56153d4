-- requires: time/time_scope.sql
-- memory_v1.facts_as_of(valid_at, believed_at, max_rows, identity_regime, project)
-- The audit read: what the memory believed at one instant about another, all roles. Both clocks are
-- half open. identity_regime as_of: names and ends as they stood at believed_at, merges since then
-- taken back.
-- Returns: 0 to max_rows (200, at most 1000) rows by kind and id; truncated says that there are
-- more.
-- Raises: TS003, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.believed_fact') is null then
        create type memory_v1.believed_fact as (
            fact_kind text,
            fact_id uuid,
            subject text,
            subject_id uuid,
            predicate text,
            object text,
            object_id uuid,
            value text,
            statement text,
            source_role text,
            support text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz,
            valid_at timestamptz,
            believed_at timestamptz,
            identity_regime text,
            truncated boolean
        );
        comment on type memory_v1.believed_fact is
        'A fact as the memory believed it at one instant about another.';
    end if;
end
$do$;

create or replace function memory_v1.facts_as_of(
    valid_at timestamptz,
    believed_at timestamptz,
    max_rows integer default 200,
    identity_regime text default 'current',
    project text default null
)
returns setof memory_v1.believed_fact
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 200
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
as $func$
declare
    v_rows constant integer := coalesce(facts_as_of.max_rows, 200);
    v_regime constant text := coalesce(facts_as_of.identity_regime, 'current');
    v_project_id bigint;
    v_scope taisce.time_scope;
begin
    perform taisce.check_range(v_rows, 'max_rows', 0, 1000);
    if v_regime not in ('current', 'as_of')
        or facts_as_of.valid_at is null or not isfinite(facts_as_of.valid_at)
        or facts_as_of.believed_at is null or not isfinite(facts_as_of.believed_at)
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = case
                when v_regime not in ('current', 'as_of')
                    then 'identity_regime must be current or as_of'
                else 'valid_at and believed_at must be finite instants'
            end,
            hint = 'Give both clocks.';
    end if;
    v_project_id := taisce.resolve_project(facts_as_of.project, 'read');
    v_scope := taisce.time_scope(
        v_project_id, facts_as_of.valid_at, facts_as_of.believed_at, '0');
    return query
    with found as materialized (
        select i.*, row_number() over () as place
        from (
            (
                select v.*
                from taisce.fact_version as v
                where v.project_id = v_project_id
                  and v.object_entity_id is null
                  and v.known_from <= v_scope.known_from_max
                  and v.known_to >= v_scope.known_to_min
                  and v.valid_from <= v_scope.valid_from_max
                  and v.valid_to >= v_scope.valid_to_min
                  and v.retention_until > v_scope.read_at
                order by v.fact_id, v.known_from
                limit v_rows + 1
            )
            union all
            (
                select v.*
                from taisce.fact_version as v
                where v.project_id = v_project_id
                  and v.object_entity_id is not null
                  and v.known_from <= v_scope.known_from_max
                  and v.known_to >= v_scope.known_to_min
                  and v.valid_from <= v_scope.valid_from_max
                  and v.valid_to >= v_scope.valid_to_min
                  and v.retention_until > v_scope.read_at
                order by v.fact_id, v.known_from
                limit v_rows + 1
            )
        ) as i
        limit v_rows + 1
    )
    select
        f.kind,
        f.fact_id,
        s.canonical_name,
        s.entity_id,
        f.predicate::text,
        o.canonical_name,
        o.entity_id,
        f.object_value,
        f.statement,
        f.source_role,
        f.support,
        nullif(v.valid_from, '-infinity'),
        nullif(v.valid_to, 'infinity'),
        nullif(v.known_from, '-infinity'),
        nullif(v.known_to, 'infinity'),
        facts_as_of.valid_at,
        facts_as_of.believed_at,
        v_regime,
        (select count(*) from found) > v_rows
    from found as v
    cross join lateral (
        select i.*
        from taisce.fact as i
        where i.project_id = v_project_id
          and i.fact_id between v.fact_id and v.fact_id
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select
            case
                when v_regime = 'current' then f.subject_entity_id
                else taisce.end_at(
                    v_project_id, f.fact_id, f.subject_entity_id, 'subjects', facts_as_of.believed_at)
            end as subject_id,
            case
                when v_regime = 'current' then f.object_entity_id
                else taisce.end_at(
                    v_project_id, f.fact_id, f.object_entity_id, 'objects', facts_as_of.believed_at)
            end as object_id
        offset 0
    ) as ends
    cross join lateral (
        select i.entity_id, taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id between ends.subject_id and ends.subject_id
        order by i.entity_id
        limit 1
    ) as s
    left join lateral (
        select i.entity_id, taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id between ends.object_id and ends.object_id
        order by i.entity_id
        limit 1
    ) as o on true
    where v.place <= v_rows
    order by v.place;
end
$func$;
comment on function memory_v1.facts_as_of(timestamptz, timestamptz, integer, text, text) is
'The audit read: what the memory believed at one instant about another.';
revoke all on function memory_v1.facts_as_of(timestamptz, timestamptz, integer, text, text)
from public;
grant execute on function memory_v1.facts_as_of(timestamptz, timestamptz, integer, text, text)
to taisce_reader, taisce_analyst;
