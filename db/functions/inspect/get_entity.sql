-- memory_v1.get_entity(entity_id, project)
-- An entity: canonical name, spellings, speaker binding, merges it took part in, and how many
-- current facts name it. The id of a merged entity leads to its survivor.
-- Returns: one jsonb, contract entity/v1. asked_id: the id given; names, merges: at most 100 each,
-- canonical first, newest first (names_more, merges_more say that there are others); facts: counts
-- up to 1000 as subject and as object.
-- Raises: TS003, TS004, TS005.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.get_entity(entity_id uuid, project text default null)
returns jsonb
language plpgsql
stable
parallel safe
security definer
cost 10000
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_most constant integer := 100;
    v_most_facts constant integer := 1000;
    v_project_id bigint;
    v_entity taisce.entity;
    v_name text;
    v_answer jsonb;
begin
    v_project_id := taisce.resolve_project(get_entity.project, 'read');
    select i.*
    into v_entity
    from taisce.entity as i
    where i.project_id = v_project_id
      and i.entity_id = get_entity.entity_id;
    while v_entity.status = 'merged' loop
        select i.*
        into v_entity
        from taisce.entity as i
        where i.project_id = v_project_id
          and i.entity_id = v_entity.merged_into;
    end loop;
    v_name := case
        when v_entity.name_until > statement_timestamp() then v_entity.canonical_name
        else taisce.shown_name(v_project_id, v_entity.entity_id, statement_timestamp())
    end;
    if v_entity.status is distinct from 'active' or v_name is null then
        perform taisce.not_found();
    end if;
    select jsonb_build_object(
        'contract', 'entity/v1',
        'entity_id', v_entity.entity_id,
        'asked_id', get_entity.entity_id,
        'identity_kind', v_entity.identity_kind,
        'canonical_name', v_name,
        'entity_type', case when v_name = v_entity.canonical_name then v_entity.entity_type end,
        'profile', case
            when v_entity.profile_source is null or exists (
                select
                from taisce.observation as o
                where o.project_id = v_project_id
                  and o.observation_id = v_entity.profile_source
                  and o.retention_until > statement_timestamp()
            ) then v_entity.profile
        end,
        'speaker_subject_id', v_entity.speaker_subject_id,
        'first_seen_at', v_entity.first_seen_at,
        'names', n.items,
        'names_more', n.more,
        'merges', m.items,
        'merges_more', m.more,
        'facts', jsonb_build_object(
            'as_subject', c.as_subject,
            'as_object', c.as_object,
            'counted_up_to', v_most_facts
        )
    )
    into v_answer
    from (
        select
            coalesce(
                jsonb_agg(
                    jsonb_build_object(
                        'spelling', p.spelling,
                        'kind', p.kind,
                        'source_observation_id', p.source_observation_id
                    )
                    order by p.kind desc, p.spelling collate "C"
                ) filter (where p.place <= v_most),
                '[]') as items,
            count(*) > v_most as more
        from (
            select
                i.*,
                row_number() over (order by i.kind desc, i.name_key) as place
            from (
                select j.spelling, j.kind, j.name_key,
                    case
                        when j.kept_until > statement_timestamp() then j.source_observation_id
                    end as source_observation_id
                from taisce.entity_name as j
                where j.project_id = v_project_id
                  and j.entity_id between v_entity.entity_id and v_entity.entity_id
                  and case
                    when j.kept_until > statement_timestamp() then true
                    else taisce.name_is_kept(
                        v_project_id, j.entity_id, j.normalized_name, statement_timestamp())
                  end
                order by j.entity_id
                limit v_most + 1
            ) as i
        ) as p
    ) as n
    cross join (
        select
            coalesce(
                jsonb_agg(
                    jsonb_build_object(
                        'merge_id', p.merge_id,
                        'absorbed', p.absorbed,
                        'survivor', p.survivor,
                        'merged_at', p.merged_at,
                        'merged_by', p.merged_by,
                        'reversed_at', p.reversed_at,
                        'reversed_by', p.reversed_by
                    )
                    order by p.merged_at desc, p.merge_id
                ) filter (where p.place <= v_most),
                '[]') as items,
            count(*) > v_most as more
        from (
            select
                i.*,
                row_number() over (order by i.merged_at desc, i.merge_id) as place
            from (
                (
                    select j.*
                    from taisce.entity_merge as j
                    where j.project_id = v_project_id
                      and j.survivor between v_entity.entity_id and v_entity.entity_id
                    order by j.survivor
                    limit v_most + 1
                )
                union all
                (
                    select j.*
                    from taisce.entity_merge as j
                    where j.project_id = v_project_id
                      and j.absorbed between v_entity.entity_id and v_entity.entity_id
                    order by j.absorbed
                    limit v_most + 1
                )
            ) as i
        ) as p
    ) as m
    cross join taisce.count_facts(
        v_project_id, v_entity.entity_id, statement_timestamp(),
        taisce.setting_interval('clock_skew'), v_most_facts
    ) as c;
    return v_answer;
end
$func$;
comment on function memory_v1.get_entity(uuid, text) is
'An entity: names, speaker binding, merges, and how many current facts name it.';
revoke all on function memory_v1.get_entity(uuid, text) from public;
grant execute on function memory_v1.get_entity(uuid, text) to taisce_reader;
