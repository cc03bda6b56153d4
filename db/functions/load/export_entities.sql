-- taisce.export_entities(project_id, after, max_rows)
-- Entities with all their names as lines of the load format, by id.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: at most max_rows rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.export_entities(
    project_id bigint, after text, max_rows integer
)
returns table (place text, line text)
language sql
stable
parallel safe
set enable_sort = off
as $func$
    select
        e.entity_id::text,
        pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
            'type', 'entity',
            'id', e.entity_id,
            'name', case when e.identity_kind = 'named' then e.canonical_name end,
            'speaker_of', e.speaker_subject_id,
            'entity_type', e.entity_type,
            'profile', e.profile,
            'status', e.status,
            'merged_into', e.merged_into,
            'first_seen_at', e.first_seen_at,
            'source', case when e.name_source is not null
                then pg_catalog.json_build_object('id', e.name_source) end,
            'profile_source', case when e.profile_source is not null
                then pg_catalog.json_build_object('id', e.profile_source) end,
            'names', (
                select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
                    'spelling', n.spelling,
                    'kind', n.kind,
                    'source', case when n.source_observation_id is not null
                        then pg_catalog.json_build_object('id', n.source_observation_id) end
                ) order by n.name_key), '[]'::json)
                from (
                    select m.*
                    from taisce.entity_name as m
                    where m.project_id = export_entities.project_id
                      and m.entity_id between e.entity_id and e.entity_id
                    order by m.entity_id
                    offset 0
                ) as n
            )
        ))::text
    from taisce.entity as e
    where e.project_id = export_entities.project_id
      and e.entity_id > coalesce(
            export_entities.after, '00000000-0000-0000-0000-000000000000')::uuid
    order by e.entity_id
    limit export_entities.max_rows
$func$;
comment on function taisce.export_entities(bigint, text, integer) is
'Entities with all their names as lines of the load format.';
revoke all on function taisce.export_entities(bigint, text, integer) from public;
