-- taisce.kept_snapshot(merge, read_at)
-- The record of a merge without what has passed its retention at an instant: names that nothing
-- else spells, mentions and facts, as expire() will clean it.
-- Returns: the snapshot.   Runs as: invoker.   Since: 0.1

create or replace function taisce.kept_snapshot(merge taisce.entity_merge, read_at timestamptz)
returns jsonb
language plpgsql
stable
parallel safe
as $func$
declare
    v_before constant jsonb := merge.snapshot;
    v_gone text[];
    v_facts text[];
    v_names jsonb;
    v_dropped text[];
begin
    v_gone := array(
        select o.observation_id::text
        from (
            select b.value ->> 'source_observation_id' as id
            from jsonb_array_elements(v_before -> 'names') as b
            union
            select b.value ->> 'observation_id'
            from jsonb_array_elements(
                coalesce(v_before -> 'mentions', '[]')
                || coalesce(v_before -> 'own_mentions', '[]')) as b
        ) as i
        join taisce.observation as o
            on o.project_id = merge.project_id and o.observation_id = i.id::uuid
        where o.retention_until <= kept_snapshot.read_at
    );
    v_facts := array(
        select f.fact_id::text
        from (
            select b.value #>> '{}' as id
            from jsonb_array_elements(
                coalesce(v_before -> 'subjects', '[]')
                || coalesce(v_before -> 'objects', '[]')) as b
            union
            select jsonb_object_keys(
                coalesce(v_before -> 'groups', '{}') || coalesce(v_before -> 'content_keys', '{}'))
        ) as i
        join taisce.fact as f on f.project_id = merge.project_id and f.fact_id = i.id::uuid
        where f.retention_until <= kept_snapshot.read_at
    );
    if cardinality(v_gone) + cardinality(v_facts) = 0 then
        return v_before;
    end if;

    select
        coalesce(jsonb_agg(n.name order by n.place) filter (where n.stays), '[]'),
        coalesce(array_agg(n.name ->> 'name_key') filter (where not n.stays), '{}')
    into v_names, v_dropped
    from (
        select b.value as name, b.ordinality as place,
            (b.value ->> 'source_observation_id' = any (v_gone)) is not true or exists (
                select
                from taisce.entity_name as o
                where o.project_id = merge.project_id
                  and o.name_key = b.value ->> 'name_key'
                  and o.entity_id in (
                    select unnest(array[e.entity_id, e.merged_into])
                    from taisce.entity as e
                    where e.project_id = merge.project_id
                      and e.entity_id in (merge.absorbed, merge.survivor)
                  )
                  and case
                    when o.kept_until > kept_snapshot.read_at then true
                    else taisce.name_is_kept(
                        o.project_id, o.entity_id, o.normalized_name, kept_snapshot.read_at)
                  end
            ) as stays
        from jsonb_array_elements(v_before -> 'names') with ordinality as b
    ) as n;
    if v_names <> '[]'
        and not v_names @> '[{"kind": "canonical"}]'
        and v_before -> 'names' @> '[{"kind": "canonical"}]'
    then
        v_names := jsonb_set(v_names, '{0,kind}', '"canonical"');
    end if;
    return v_before || jsonb_build_object(
        'names', v_names,
        'own_names', coalesce(v_before -> 'own_names', '[]') - v_dropped,
        'mentions', coalesce((
            select jsonb_agg(o.value order by o.ordinality)
            from jsonb_array_elements(v_before -> 'mentions') with ordinality as o
            where o.value ->> 'observation_id' <> all (v_gone)
        ), '[]'),
        'own_mentions', coalesce((
            select jsonb_agg(o.value order by o.ordinality)
            from jsonb_array_elements(v_before -> 'own_mentions') with ordinality as o
            where o.value ->> 'observation_id' <> all (v_gone)
        ), '[]'),
        'subjects', coalesce(v_before -> 'subjects', '[]') - v_facts,
        'objects', coalesce(v_before -> 'objects', '[]') - v_facts,
        'groups', coalesce(v_before -> 'groups', '{}') - v_facts,
        'content_keys', coalesce(v_before -> 'content_keys', '{}') - v_facts);
end
$func$;
comment on function taisce.kept_snapshot(taisce.entity_merge, timestamptz) is
'The record of a merge without what has passed its retention at an instant.';
revoke all on function taisce.kept_snapshot(taisce.entity_merge, timestamptz) from public;
