-- requires: operations/operation_types.sql
-- memory_v1.resolve_entity(name, entity_type, project), memory_v1.resolve_entity_envelope(...)
-- All entities that a name leads to, by canonical name or declared alias, compared after
-- normalising: no fuzzy match and never a guess. fact_count: current facts naming the entity, of
-- all roles.
-- Returns: 0 to 256 rows, canonical before alias, then by name and id; the envelope with a reason
-- and names to try where there is none.
-- Raises: TS003, TS005; TS010 over 256.   Runs as: owner, bound to the caller's projects.
-- Since: 0.1

create or replace function taisce.candidates_of(
    project_id bigint,
    name text,
    entity_type text,
    evaluated_at timestamptz
)
returns setof memory_v1.entity_candidate
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_most constant integer := 256;
    v_skew constant interval := taisce.setting_interval('clock_skew');
    v_name constant text := taisce.normalize_name(candidates_of.name);
    v_count integer;
begin
    return query
    select
        e.entity_id,
        e.canonical_name,
        e.entity_type,
        n.kind,
        n.spelling,
        s.facts + o.facts,
        false,
        candidates_of.evaluated_at,
        0,
        null::text
    from (
        select i.entity_id, i.kind, i.spelling, i.normalized_name
        from taisce.entity_name as i
        where i.project_id = candidates_of.project_id
          and i.name_key = taisce.name_key(v_name)
          and i.normalized_name = v_name
          and case
            when i.kept_until > candidates_of.evaluated_at then true
            else taisce.name_is_kept(
                candidates_of.project_id, i.entity_id, i.normalized_name,
                candidates_of.evaluated_at)
          end
    ) as n
    cross join lateral (
        select
            i.entity_id,
            i.status,
            k.name as canonical_name,
            case when k.name = i.canonical_name then i.entity_type end as entity_type
        from taisce.entity as i
        cross join lateral (
            select case
                when i.name_until > candidates_of.evaluated_at then i.canonical_name
                else taisce.shown_name(
                    candidates_of.project_id, i.entity_id, candidates_of.evaluated_at)
            end as name
        ) as k
        where i.project_id = candidates_of.project_id
          and i.entity_id between n.entity_id and n.entity_id
        order by i.entity_id
        limit 1
    ) as e
    cross join lateral (
        select count(*) as facts
        from taisce.fact_version as v
        where v.project_id = candidates_of.project_id
          and v.subject_entity_id = e.entity_id
          and v.live
          and v.valid_from <= candidates_of.evaluated_at + v_skew
          and v.valid_to > candidates_of.evaluated_at
            + case when v.replaced then v_skew else '0' end
          and v.retention_until > candidates_of.evaluated_at
    ) as s
    cross join lateral (
        select count(*) as facts
        from taisce.fact_version as v
        where v.project_id = candidates_of.project_id
          and v.object_entity_id = e.entity_id
          and v.subject_entity_id <> e.entity_id
          and v.live
          and v.valid_from <= candidates_of.evaluated_at + v_skew
          and v.valid_to > candidates_of.evaluated_at
            + case when v.replaced then v_skew else '0' end
          and v.retention_until > candidates_of.evaluated_at
    ) as o
    where e.status = 'active'
      and (candidates_of.entity_type is null or e.entity_type = candidates_of.entity_type)
    order by n.kind desc, e.canonical_name collate "C", e.entity_id
    limit v_most + 1;
    get diagnostics v_count = row_count;
    if v_count > v_most then
        raise exception using
            errcode = 'TS010',
            message = 'limit_exceeded',
            detail = format('the name leads to more than %s entities', v_most),
            hint = 'Give entity_type, or a fuller name.';
    end if;
end
$func$;
comment on function taisce.candidates_of(bigint, text, text, timestamptz) is
'All entities that a name leads to; TS010 over 256.';
revoke all on function taisce.candidates_of(bigint, text, text, timestamptz) from public;

create or replace function taisce.check_name(name text, entity_type text)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if coalesce(octet_length(check_name.name), 0) not between 1 and 4096
        or taisce.normalize_name(check_name.name) = ''
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('name must be 1 to 4096 bytes and not blank, not %s bytes',
                coalesce(octet_length(check_name.name), 0)),
            hint = 'Give one name, as it may be written.';
    end if;
    perform taisce.check_label(check_name.entity_type, 'entity_type', 1024);
end
$func$;
comment on function taisce.check_name(text, text) is 'Refuses a blank or long name with TS005.';
revoke all on function taisce.check_name(text, text) from public;

create or replace function memory_v1.resolve_entity(
    name text,
    entity_type text default null,
    project text default null
)
returns setof memory_v1.entity_candidate
language plpgsql
stable
parallel safe
security definer
rows 2
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
as $func$
begin
    perform taisce.check_name(resolve_entity.name, resolve_entity.entity_type);
    return query
    select c.*
    from taisce.candidates_of(
        taisce.resolve_project(resolve_entity.project, 'read'), resolve_entity.name,
        resolve_entity.entity_type, statement_timestamp()) as c;
end
$func$;
comment on function memory_v1.resolve_entity(text, text, text) is
'All entities that a name leads to, by canonical name or alias: exact, never a guess.';
revoke all on function memory_v1.resolve_entity(text, text, text) from public;
grant execute on function memory_v1.resolve_entity(text, text, text)
to taisce_reader, taisce_analyst;

create or replace function memory_v1.resolve_entity_envelope(
    name text,
    entity_type text default null,
    project text default null
)
returns jsonb
language plpgsql
stable
parallel safe
security definer
cost 1000
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
as $func$
declare
    v_project_id bigint;
    v_answer taisce.operation_answer;
begin
    perform taisce.check_name(
        resolve_entity_envelope.name, resolve_entity_envelope.entity_type);
    v_project_id := taisce.resolve_project(resolve_entity_envelope.project, 'read');
    v_answer.asked.mode := 'current';
    v_answer.asked.identity_regime := 'current';
    v_answer.asked.evaluated_at := statement_timestamp();
    v_answer.anchor_ids := '{}';
    v_answer.neighbour_ids := '{}';
    v_answer.scope_truncated := false;
    v_answer.degraded := '{}';
    v_answer.dropped := 0;
    v_answer.truncated := false;
    v_answer.exact := true;
    v_answer.facts := '{}';
    v_answer.testimony := '{}';
    v_answer.entities := coalesce((
        select jsonb_agg(
            to_jsonb(c) - array['truncated', 'evaluated_at', 'dropped', 'continuation',
                'ordinality']
            || jsonb_build_object('asked_id', null, 'part', 'candidate')
            order by c.ordinality)
        from taisce.candidates_of(
            v_project_id, resolve_entity_envelope.name, resolve_entity_envelope.entity_type,
            (v_answer.asked).evaluated_at) with ordinality as c
    ), '[]');
    v_answer.total := jsonb_array_length(v_answer.entities);
    if v_answer.total = 0 then
        v_answer.negative := taisce.negative('unknown_entity', 'name', taisce.suggest_names(
            v_project_id,
            '"' || left(translate(resolve_entity_envelope.name, U&'"\201C\201D\201E\00AB\00BB', ''),
                1024) || '"',
            '{}'));
    end if;
    return taisce.operation_envelope(v_project_id, v_answer, 'resolve_entity', 'entity');
end
$func$;
comment on function memory_v1.resolve_entity_envelope(text, text, text) is
'All entities that a name leads to, as one envelope/v1.';
revoke all on function memory_v1.resolve_entity_envelope(text, text, text) from public;
grant execute on function memory_v1.resolve_entity_envelope(text, text, text) to taisce_reader;
