-- taisce.clean_merges(project_id, observation_ids, fact_ids)
-- Takes out of the records of merges what was erased: names, mentions and facts. A merged entity is
-- called by the first name that its record still has, or "(erased)".
-- Returns: {entities: merged ones renamed, counts: rows by table}.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.clean_merges(
    project_id bigint,
    observation_ids uuid[],
    fact_ids uuid[]
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := clean_merges.project_id;
    v_gone constant text[] := clean_merges.observation_ids::text[];
    v_facts constant text[] := clean_merges.fact_ids::text[];
    v_merge taisce.entity_merge;
    v_names jsonb;
    v_dropped text[];
    v_clean jsonb;
    v_merges bigint := 0;
    v_renamed uuid[] := '{}';
begin
    for v_merge in
        select m.*
        from taisce.entity_merge as m
        where m.project_id = v_project_id
        order by m.merged_at
    loop
        -- Names that another observation spells have its id in the names themselves by now.
        select
            coalesce(jsonb_agg(n.name || jsonb_build_object('source_observation_id', n.source)
                order by n.place) filter (where n.stays), '[]'),
            coalesce(array_agg(n.name ->> 'name_key') filter (where not n.stays), '{}')
        into v_names, v_dropped
        from (
            select b.value as name, b.ordinality as place,
                case when b.value ->> 'source_observation_id' = any (v_gone)
                    then k.source_observation_id::text
                    else b.value ->> 'source_observation_id' end as source,
                (b.value ->> 'source_observation_id' = any (v_gone)) is not true
                    or k.name_key is not null as stays
            from jsonb_array_elements(v_merge.snapshot -> 'names') with ordinality as b
            left join lateral (
                select o.name_key, o.source_observation_id
                from taisce.entity_name as o
                where o.project_id = v_project_id
                  and o.name_key = b.value ->> 'name_key'
                  and o.entity_id in (
                    select unnest(array[e.entity_id, e.merged_into])
                    from taisce.entity as e
                    where e.project_id = v_project_id
                      and e.entity_id in (v_merge.absorbed, v_merge.survivor)
                  )
                limit 1
            ) as k on true
        ) as n;

        v_clean := v_merge.snapshot || jsonb_build_object(
            'names', v_names,
            'own_names', coalesce((
                select jsonb_agg(o.value)
                from jsonb_array_elements(v_merge.snapshot -> 'own_names') as o
                where o.value #>> '{}' <> all (v_dropped)
            ), '[]'),
            'mentions', coalesce((
                select jsonb_agg(o.value)
                from jsonb_array_elements(v_merge.snapshot -> 'mentions') as o
                where o.value ->> 'observation_id' <> all (v_gone)
            ), '[]'),
            'own_mentions', coalesce((
                select jsonb_agg(o.value)
                from jsonb_array_elements(v_merge.snapshot -> 'own_mentions') as o
                where o.value ->> 'observation_id' <> all (v_gone)
            ), '[]'),
            'subjects', (v_merge.snapshot -> 'subjects') - v_facts,
            'objects', (v_merge.snapshot -> 'objects') - v_facts,
            'groups', (v_merge.snapshot -> 'groups') - v_facts,
            'content_keys', (v_merge.snapshot -> 'content_keys') - v_facts);
        continue when v_clean = v_merge.snapshot;

        if v_names <> '[]' and not exists (
            select
            from jsonb_array_elements(v_names) as n
            where n.value ->> 'kind' = 'canonical'
        ) and exists (
            select
            from jsonb_array_elements(v_merge.snapshot -> 'names') as n
            where n.value ->> 'kind' = 'canonical'
        ) then
            v_clean := jsonb_set(v_clean, '{names,0,kind}', '"canonical"');
        end if;
        update taisce.entity_merge as m
        set snapshot = v_clean
        where m.project_id = v_project_id
          and m.merge_id = v_merge.merge_id;
        v_merges := v_merges + 1;

        if v_merge.reversed_at is null and cardinality(v_dropped) > 0 then
            update taisce.entity as e
            set canonical_name = coalesce((
                    select n.value ->> 'spelling'
                    from jsonb_array_elements(v_clean -> 'names') as n
                    where n.value ->> 'kind' = 'canonical'
                    limit 1
                ), '(erased)'),
                entity_type = case when v_names <> '[]'
                    and (e.name_source = any (clean_merges.observation_ids)) is not true
                    then e.entity_type end,
                profile = case when v_names <> '[]' then e.profile end,
                profile_source = case when v_names <> '[]' then e.profile_source end
            where e.project_id = v_project_id
              and e.entity_id = v_merge.absorbed
              and e.status = 'merged';
            v_renamed := v_renamed || v_merge.absorbed;
        end if;
    end loop;
    update taisce.entity as e
    set name_source = (
        select n.source_observation_id
        from taisce.entity_name as n
        where n.project_id = v_project_id
          and n.entity_id = coalesce(e.merged_into, e.entity_id)
          and n.spelling = e.canonical_name
        limit 1
    )
    where e.project_id = v_project_id
      and e.name_source = any (clean_merges.observation_ids);
    return jsonb_build_object(
        'entities', to_jsonb(v_renamed),
        'counts', jsonb_build_object('entity_merge', v_merges, 'entity', cardinality(v_renamed)));
end
$func$;
comment on function taisce.clean_merges(bigint, uuid[], uuid[]) is
'Takes out of the records of merges what was erased.';
revoke all on function taisce.clean_merges(bigint, uuid[], uuid[]) from public;
