-- taisce.split_pair(merge, at)
-- Makes two entities of one, as they were before a merge, by what the merge kept. The clock must be
-- held.
-- Returns: nothing.   Raises: TS005 if something stands in the way.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.split_pair(merge taisce.entity_merge, at timestamptz)
returns void
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := merge.project_id;
    v_before constant jsonb := merge.snapshot;
    v_subjects uuid[];
    v_objects uuid[];
begin
    if exists (
        select
        from taisce.entity_merge as m
        where m.project_id = v_project_id
          and m.reversed_at is null
          and m.merge_id <> merge.merge_id
          and (m.absorbed = merge.survivor
            or m.survivor = merge.survivor and m.merged_at > merge.merged_at)
    ) then
        perform taisce.refuse_argument('merge_id', 'later merges of the survivor come first');
    end if;
    if exists (
        select
        from jsonb_to_recordset(v_before -> 'names') as b (name_key text, kind text)
        join taisce.entity_name as n
            on n.project_id = v_project_id and n.name_key = b.name_key and n.kind = 'canonical'
        where b.kind = 'canonical'
    ) then
        perform taisce.refuse_argument('merge_id', 'the name of the absorbed is another''s by now');
    end if;

    v_subjects := array(
        select f.value::uuid from jsonb_array_elements_text(v_before -> 'subjects') as f);
    v_objects := array(
        select f.value::uuid from jsonb_array_elements_text(v_before -> 'objects') as f);
    perform taisce.move_ends(
        v_project_id, merge.survivor, merge.absorbed, v_subjects, v_objects);
    perform taisce.split_groups(v_project_id, v_before -> 'groups');

    delete from taisce.entity_name as n
    where n.project_id = v_project_id
      and n.entity_id = merge.survivor
      and n.name_key in (
        select b.name_key from jsonb_to_recordset(v_before -> 'names') as b (name_key text))
      and not v_before -> 'own_names' ? n.name_key;
    insert into taisce.entity_name (
        project_id, name_key, entity_id, normalized_name, spelling, kind, words, head_key,
        source_observation_id
    )
    select v_project_id, b.name_key, b.entity_id, b.normalized_name, b.spelling, b.kind, b.words,
        b.head_key, b.source_observation_id
    from jsonb_populate_recordset(null::taisce.entity_name, v_before -> 'names') as b;

    delete from taisce.entity_mention as m
    using jsonb_populate_recordset(null::taisce.entity_mention, v_before -> 'mentions') as b
    where m.project_id = v_project_id
      and m.entity_id = merge.survivor
      and m.observation_id = b.observation_id
      and m.ordinal = b.ordinal
      and m.claim_id is not distinct from b.claim_id
      and not exists (
        select
        from jsonb_populate_recordset(
            null::taisce.entity_mention, v_before -> 'own_mentions') as o
        where o.observation_id = b.observation_id
          and o.ordinal = b.ordinal
          and o.claim_id is not distinct from b.claim_id
      );
    insert into taisce.entity_mention (
        project_id, entity_id, observation_id, ordinal, claim_id, data_subject_id, retention_until
    )
    select v_project_id, merge.absorbed, b.observation_id, b.ordinal, b.claim_id,
        b.data_subject_id, b.retention_until
    from jsonb_populate_recordset(null::taisce.entity_mention, v_before -> 'mentions') as b;

    -- A community that was declared anew without the survivor stays as it is.
    insert into taisce.community_member (project_id, community_id, entity_id)
    select v_project_id, c.community_id, merge.absorbed
    from jsonb_to_recordset(v_before -> 'communities') as b (community_id uuid)
    join taisce.community_member as c
        on c.project_id = v_project_id
        and c.community_id = b.community_id
        and c.entity_id = merge.survivor
    on conflict do nothing;
    delete from taisce.community_member as c
    using jsonb_to_recordset(v_before -> 'communities') as b (community_id uuid, own boolean)
    where c.project_id = v_project_id
      and c.community_id = b.community_id
      and c.entity_id = merge.survivor
      and not b.own;

    update taisce.entity as e
    set merged_into = merge.absorbed
    where e.project_id = v_project_id
      and e.merged_into = merge.survivor
      and v_before -> 'redirected' ? e.entity_id::text;
    update taisce.entity as e
    set status = case when v_before -> 'names' = '[]' then 'retired' else 'active' end,
        merged_into = null
    where e.project_id = v_project_id
      and e.entity_id = merge.absorbed;

    update taisce.entity as e
    set status = 'retired',
        canonical_name = '(erased)',
        entity_type = null,
        profile = null,
        name_source = null,
        profile_source = null
    where e.project_id = v_project_id
      and e.entity_id = merge.survivor
      and not exists (
        select
        from taisce.entity_name as n
        where n.project_id = v_project_id
          and n.entity_id = merge.survivor
      );

    perform taisce.restore_reports(merge, v_subjects || v_objects, split_pair.at);
end
$func$;
comment on function taisce.split_pair(taisce.entity_merge, timestamptz) is
'Makes two entities of one, as they were before a merge.';
revoke all on function taisce.split_pair(taisce.entity_merge, timestamptz) from public;
