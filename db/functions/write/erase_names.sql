-- taisce.erase_names(project_id, observation_ids)
-- Removes names and profiles that erased observations brought. A name that another observation
-- spells as well, where it mentions the entity, is that one's from now on. An entity without
-- canonical name is called by the first of its other names; one without any is retired and called
-- "(erased)". Its mentions are gone already.
-- Returns: {entities: all that changed, renamed: and retired, counts: rows by table}.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.erase_names(project_id bigint, observation_ids uuid[])
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := erase_names.project_id;
    v_keys text[];
    v_owners uuid[];
    v_kinds text[];
    v_sources uuid[];
    v_entities uuid[];
    v_renamed uuid[];
    v_retired uuid[];
    v_entity record;
    v_names bigint;
    v_profiles uuid[];
    v_members bigint;
begin
    -- All at once: each statement renews words.
    select array_agg(n.name_key), array_agg(n.entity_id), array_agg(n.kind), array_agg(n.source)
    into v_keys, v_owners, v_kinds, v_sources
    from (
        select i.name_key, i.entity_id, i.kind,
            taisce.spelled_elsewhere(v_project_id, i.entity_id, i.normalized_name) as source
        from taisce.entity_name as i
        where i.project_id = v_project_id
          and i.source_observation_id = any (erase_names.observation_ids)
    ) as n;
    update taisce.entity as e
    set name_source = k.source
    from unnest(v_owners, v_kinds, v_sources) as k (entity_id, kind, source)
    where e.project_id = v_project_id
      and e.entity_id = k.entity_id
      and e.name_source = any (erase_names.observation_ids)
      and k.kind = 'canonical'
      and k.source is not null;
    update taisce.entity_name as n
    set source_observation_id = k.source
    from unnest(v_keys, v_owners, v_sources) as k (name_key, entity_id, source)
    where n.project_id = v_project_id
      and n.name_key = k.name_key
      and n.entity_id = k.entity_id
      and k.source is not null;
    with gone as (
        delete from taisce.entity_name as n
        using unnest(v_keys, v_owners, v_sources) as k (name_key, entity_id, source)
        where n.project_id = v_project_id
          and n.name_key = k.name_key
          and n.entity_id = k.entity_id
          and k.source is null
        returning n.entity_id
    )
    select coalesce(array_agg(g.entity_id), '{}'), count(*) into v_entities, v_names from gone as g;

    with changed as (
        update taisce.entity as e
        set profile = null,
            profile_source = null
        where e.project_id = v_project_id
          and e.profile_source = any (erase_names.observation_ids)
        returning e.entity_id
    )
    select coalesce(array_agg(c.entity_id), '{}') into v_profiles from changed as c;

    -- What lost its canonical name; a merged entity has its names in the record of the merge.
    v_renamed := array(
        select e.entity_id
        from taisce.entity as e
        where e.project_id = v_project_id
          and e.identity_kind = 'named'
          and e.status = 'active'
          and e.entity_id = any (v_entities)
          and not exists (
            select
            from taisce.entity_name as n
            where n.project_id = v_project_id
              and n.entity_id = e.entity_id
              and n.kind = 'canonical'
          )
    );
    v_retired := array(
        select r.entity_id
        from unnest(v_renamed) as r (entity_id)
        where not exists (
            select
            from taisce.entity_name as n
            where n.project_id = v_project_id
              and n.entity_id = r.entity_id
        )
    );
    for v_entity in
        select r.entity_id, n.name_key, n.spelling, n.source_observation_id
        from unnest(v_renamed) as r (entity_id)
        cross join lateral (
            select o.name_key, o.spelling, o.source_observation_id
            from taisce.entity_name as o
            where o.project_id = v_project_id
              and o.entity_id = r.entity_id
            order by exists (
                select
                from taisce.entity_name as c
                where c.project_id = v_project_id
                  and c.name_key = o.name_key
                  and c.kind = 'canonical'
            ), o.name_key
            limit 1
        ) as n
        order by r.entity_id
    loop
        update taisce.entity as e
        set canonical_name = v_entity.spelling,
            entity_type = case
                when (e.name_source = any (erase_names.observation_ids)) is not true
                    then e.entity_type
            end,
            name_source = v_entity.source_observation_id
        where e.project_id = v_project_id
          and e.entity_id = v_entity.entity_id;
        update taisce.entity_name as n
        set kind = 'canonical'
        where n.project_id = v_project_id
          and n.entity_id = v_entity.entity_id
          and n.name_key = v_entity.name_key
          -- It is given back when the merge that brought it is taken back.
          and not exists (
            select
            from taisce.entity_merge as m
            where m.project_id = v_project_id
              and m.survivor = v_entity.entity_id
              and m.reversed_at is null
              and m.snapshot -> 'names'
                @> jsonb_build_array(jsonb_build_object('name_key', n.name_key))
          )
          and not exists (
            select
            from taisce.entity_name as c
            where c.project_id = v_project_id
              and c.name_key = v_entity.name_key
              and c.kind = 'canonical'
          );
    end loop;
    update taisce.entity as e
    set canonical_name = '(erased)',
        status = 'retired',
        name_source = null,
        entity_type = null,
        profile = null,
        profile_source = null
    where e.project_id = v_project_id
      and e.entity_id = any (v_retired);
    delete from taisce.community_member as c
    where c.project_id = v_project_id
      and c.entity_id = any (v_retired);
    get diagnostics v_members = row_count;

    return jsonb_build_object(
        'entities', to_jsonb(v_entities || v_profiles),
        'renamed', to_jsonb(v_renamed),
        'counts', jsonb_build_object(
            'entity_name', v_names,
            'entity', (
                select count(distinct t) from unnest(v_renamed || v_profiles) as t),
            'community_member', v_members));
end
$func$;
comment on function taisce.erase_names(bigint, uuid[]) is
'Removes names and profiles that erased observations brought.';
revoke all on function taisce.erase_names(bigint, uuid[]) from public;
