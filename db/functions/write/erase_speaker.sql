-- taisce.erase_speaker(project_id, data_subject_id)
-- Removes what is kept of a subject besides his observations: segments and the entity that speaks
-- for him. Where facts of others name it, they name an entity without name or subject instead.
-- Returns: counts of rows by table.   Runs as: invoker.   Since: 0.1

create or replace function taisce.erase_speaker(project_id bigint, data_subject_id text)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := erase_speaker.project_id;
    v_speaker uuid;
    v_stranger constant uuid := gen_random_uuid();
    v_subject_of uuid[];
    v_object_of uuid[];
    v_members bigint := 0;
    v_segments bigint;
    v_vectors bigint;
    v_keys bigint;
begin
    delete from taisce.segment as s
    where s.project_id = v_project_id
      and s.data_subject_id = erase_speaker.data_subject_id;
    get diagnostics v_segments = row_count;
    select e.entity_id
    into v_speaker
    from taisce.entity as e
    where e.project_id = v_project_id
      and e.speaker_subject_id = erase_speaker.data_subject_id;
    if v_speaker is null then
        return jsonb_build_object('segment', v_segments);
    end if;

    v_subject_of := taisce.facts_naming(v_project_id, v_speaker, 'subject');
    v_object_of := taisce.facts_naming(v_project_id, v_speaker, 'object');
    if v_subject_of || v_object_of <> '{}' or exists (
        select
        from taisce.entity_mention as m
        where m.project_id = v_project_id
          and m.entity_id = v_speaker
    ) then
        insert into taisce.entity (
            project_id, entity_id, identity_kind, canonical_name, status, first_seen_at
        )
        select v_project_id, v_stranger, 'named', '(erased)', 'retired', e.first_seen_at
        from taisce.entity as e
        where e.project_id = v_project_id
          and e.entity_id = v_speaker;
        perform taisce.move_ends(
            v_project_id, v_speaker, v_stranger, v_subject_of, v_object_of);
        update taisce.entity_mention as m
        set entity_id = v_stranger
        where m.project_id = v_project_id
          and m.entity_id = v_speaker;
        delete from taisce.version_block as b
        where b.project_id = v_project_id
          and b.entity_id = v_speaker;
    end if;
    delete from taisce.community_member as c
    where c.project_id = v_project_id
      and c.entity_id = v_speaker;
    get diagnostics v_members = row_count;
    delete from taisce.embedding as e
    where e.project_id = v_project_id
      and e.item_id = v_speaker;
    get diagnostics v_vectors = row_count;
    delete from taisce.load_key as k
    where k.project_id = v_project_id
      and k.id = v_speaker;
    get diagnostics v_keys = row_count;
    delete from taisce.entity as e
    where e.project_id = v_project_id
      and e.entity_id = v_speaker;
    return jsonb_build_object(
        'segment', v_segments, 'entity', 1, 'community_member', v_members,
        'embedding', v_vectors, 'load_key', v_keys);
end
$func$;
comment on function taisce.erase_speaker(bigint, text) is
'Removes what is kept of a subject besides his observations.';
revoke all on function taisce.erase_speaker(bigint, text) from public;
