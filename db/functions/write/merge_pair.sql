-- taisce.merge_pair(project_id, absorbed, survivor, at, by)
-- Makes one entity of two: ends of facts, mentions, names and memberships of the absorbed one
-- become those of the survivor, and enough is kept to undo it exactly. Values of cardinality one
-- that now overlap in one place contradict each other. The clock must be held.
-- Returns: the merge.   Raises: TS005 if they cannot be merged.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.merge_pair(
    project_id bigint,
    absorbed uuid,
    survivor uuid,
    at timestamptz,
    by text
)
returns uuid
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := merge_pair.project_id;
    v_absorbed taisce.entity;
    v_survivor taisce.entity;
    v_subjects uuid[];
    v_objects uuid[];
    v_rivals jsonb;
    v_pair record;
    v_groups jsonb;
    v_snapshot jsonb;
    v_merge_id uuid;
begin
    select e.* into v_absorbed
    from taisce.entity as e
    where e.project_id = v_project_id
      and e.entity_id = merge_pair.absorbed;
    select e.* into v_survivor
    from taisce.entity as e
    where e.project_id = v_project_id
      and e.entity_id = merge_pair.survivor;
    if v_absorbed.status is distinct from 'active' or v_survivor.status is distinct from 'active'
        or v_absorbed.entity_id = v_survivor.entity_id
        or v_absorbed.identity_kind = 'speaker' or v_survivor.identity_kind = 'speaker'
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = case
                when v_absorbed.entity_id = v_survivor.entity_id
                    then 'absorbed: is the survivor'
                when v_absorbed.status is distinct from 'active' then 'absorbed: is not active'
                when v_survivor.status is distinct from 'active' then 'survivor: is not active'
                when v_absorbed.identity_kind = 'speaker' then 'absorbed: is a speaker'
                else 'survivor: is a speaker'
            end,
            hint = 'Two active named entities can be merged.';
    end if;

    v_subjects := taisce.facts_naming(v_project_id, v_absorbed.entity_id, 'subject');
    v_objects := taisce.facts_naming(v_project_id, v_absorbed.entity_id, 'object');

    -- Before the ends are rewritten, so that the rule of no overlap holds at every step.
    v_rivals := taisce.merge_rivals(
        v_project_id, v_absorbed.entity_id, v_survivor.entity_id);
    v_groups := coalesce((
        select jsonb_object_agg(f.fact_id, f.contradiction_group)
        from taisce.fact as f
        where f.project_id = v_project_id
          and (f.fact_id = any (array(
                select r.value::uuid from jsonb_array_elements(v_rivals) as p
                cross join lateral jsonb_array_elements_text(p.value) as r
            ))
            or f.contradiction_group = any (array(
                select g.contradiction_group
                from taisce.fact as g
                where g.project_id = v_project_id
                  and g.fact_id = any (array(
                    select r.value::uuid from jsonb_array_elements(v_rivals) as p
                    cross join lateral jsonb_array_elements_text(p.value) as r
                  ))
            )))
    ), '{}');
    for v_pair in
        select array(select r.value::uuid from jsonb_array_elements_text(p.value) as r) as ids
        from jsonb_array_elements(v_rivals) as p
    loop
        perform taisce.join_contradiction(v_project_id, v_pair.ids);
    end loop;

    v_snapshot := jsonb_build_object(
        'subjects', to_jsonb(v_subjects),
        'objects', to_jsonb(v_objects),
        'groups', v_groups,
        'content_keys', coalesce((
            select jsonb_object_agg(f.fact_id, f.content_key)
            from taisce.fact as f
            where f.project_id = v_project_id
              and f.fact_id = any (v_subjects || v_objects)
        ), '{}'),
        'names', coalesce((
            select jsonb_agg(to_jsonb(n) - 'project_id' order by n.name_key)
            from taisce.entity_name as n
            where n.project_id = v_project_id
              and n.entity_id = v_absorbed.entity_id
        ), '[]'),
        'own_names', coalesce((
            select jsonb_agg(s.name_key order by s.name_key)
            from taisce.entity_name as n
            join taisce.entity_name as s
                on s.project_id = n.project_id and s.name_key = n.name_key
            where n.project_id = v_project_id
              and n.entity_id = v_absorbed.entity_id
              and s.entity_id = v_survivor.entity_id
        ), '[]'),
        'mentions', coalesce((
            select jsonb_agg(to_jsonb(m) - array['project_id', 'entity_id'])
            from taisce.entity_mention as m
            where m.project_id = v_project_id
              and m.entity_id = v_absorbed.entity_id
        ), '[]'),
        'own_mentions', coalesce((
            select jsonb_agg(jsonb_build_object(
                'observation_id', m.observation_id, 'ordinal', m.ordinal, 'claim_id', m.claim_id))
            from taisce.entity_mention as m
            where m.project_id = v_project_id
              and m.entity_id = v_survivor.entity_id
              and (m.observation_id, m.ordinal, coalesce(m.claim_id, m.observation_id)) in (
                select a.observation_id, a.ordinal, coalesce(a.claim_id, a.observation_id)
                from taisce.entity_mention as a
                where a.project_id = v_project_id
                  and a.entity_id = v_absorbed.entity_id
              )
        ), '[]'),
        'communities', coalesce((
            select jsonb_agg(jsonb_build_object('community_id', c.community_id, 'own', exists (
                select
                from taisce.community_member as s
                where s.project_id = v_project_id
                  and s.community_id = c.community_id
                  and s.entity_id = v_survivor.entity_id
            )))
            from taisce.community_member as c
            where c.project_id = v_project_id
              and c.entity_id = v_absorbed.entity_id
        ), '[]'),
        'redirected', coalesce((
            select jsonb_agg(e.entity_id order by e.entity_id)
            from taisce.entity as e
            where e.project_id = v_project_id
              and e.merged_into = v_absorbed.entity_id
        ), '[]'));

    perform taisce.move_ends(
        v_project_id, v_absorbed.entity_id, v_survivor.entity_id, v_subjects, v_objects);

    insert into taisce.entity_name (
        project_id, name_key, entity_id, normalized_name, spelling, kind, words, head_key,
        source_observation_id
    )
    select v_project_id, n.name_key, v_survivor.entity_id, n.normalized_name, n.spelling, 'alias',
        n.words, n.head_key, n.source_observation_id
    from taisce.entity_name as n
    where n.project_id = v_project_id
      and n.entity_id = v_absorbed.entity_id
    on conflict do nothing;
    delete from taisce.entity_name as n
    where n.project_id = v_project_id
      and n.entity_id = v_absorbed.entity_id;

    insert into taisce.entity_mention (
        project_id, entity_id, observation_id, ordinal, claim_id, data_subject_id, retention_until
    )
    select v_project_id, v_survivor.entity_id, m.observation_id, m.ordinal, m.claim_id,
        m.data_subject_id, m.retention_until
    from taisce.entity_mention as m
    where m.project_id = v_project_id
      and m.entity_id = v_absorbed.entity_id
    on conflict do nothing;
    delete from taisce.entity_mention as m
    where m.project_id = v_project_id
      and m.entity_id = v_absorbed.entity_id;

    insert into taisce.community_member (project_id, community_id, entity_id)
    select v_project_id, c.community_id, v_survivor.entity_id
    from taisce.community_member as c
    where c.project_id = v_project_id
      and c.entity_id = v_absorbed.entity_id
    on conflict do nothing;
    delete from taisce.community_member as c
    where c.project_id = v_project_id
      and c.entity_id = v_absorbed.entity_id;

    update taisce.entity as e
    set merged_into = v_survivor.entity_id
    where e.project_id = v_project_id
      and e.merged_into = v_absorbed.entity_id;
    update taisce.entity as e
    set status = 'merged',
        merged_into = v_survivor.entity_id
    where e.project_id = v_project_id
      and e.entity_id = v_absorbed.entity_id;

    v_merge_id := taisce.make_id('merge', v_project_id, concat_ws(
        '/', v_absorbed.entity_id, v_survivor.entity_id, (
            select count(*)
            from taisce.entity_merge as g
            where g.project_id = v_project_id
              and g.absorbed = v_absorbed.entity_id
        )));
    insert into taisce.entity_merge (
        project_id, merge_id, absorbed, survivor, merged_at, merged_by, snapshot
    )
    values (
        v_project_id, v_merge_id, v_absorbed.entity_id, v_survivor.entity_id, merge_pair.at,
        merge_pair.by, v_snapshot
    );
    perform taisce.withdraw_reports(
        v_project_id, v_subjects || v_objects, 'merged', merge_pair.at);
    return v_merge_id;
end
$func$;
comment on function taisce.merge_pair(bigint, uuid, uuid, timestamptz, text) is
'Makes one entity of two, and keeps enough to undo it exactly.';
revoke all on function taisce.merge_pair(bigint, uuid, uuid, timestamptz, text) from public;
