-- taisce.export_entities(project_id, after, max_rows)
-- Entities with all their names as lines of the load format, by id. A name whose source passed its
-- retention is left out; an entity without any other is written as if it had been erased. A merged
-- one has its names in the record of the merge. Sorting is off and every look-up asks for the order
-- of the key it is to use: without statistics of a project the planner takes any index that begins
-- with project_id for as good as its key.
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
            'name', case when e.identity_kind = 'named' then coalesce(k.name, '(erased)') end,
            'speaker_of', e.speaker_subject_id,
            'entity_type', case when k.name = e.canonical_name then e.entity_type end,
            'profile', case when p.kept and k.name is not null then e.profile end,
            'status', case when k.name is null and e.status = 'active' then 'retired'
                else e.status end,
            'merged_into', e.merged_into,
            'first_seen_at', e.first_seen_at,
            'source', case when s.source is not null
                then pg_catalog.json_build_object('id', s.source) end,
            'profile_source', case when e.profile_source is not null and p.kept
                and k.name is not null
                then pg_catalog.json_build_object('id', e.profile_source) end,
            'names', (
                select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
                    'spelling', n.spelling,
                    'kind', case
                        when n.spelling = k.name and k.name <> e.canonical_name and not exists (
                            select
                            from taisce.entity_name as c
                            where c.project_id = export_entities.project_id
                              and c.name_key = n.name_key
                              and c.kind = 'canonical'
                        ) then 'canonical'
                        else n.kind
                    end,
                    'source', case when n.source_observation_id is not null
                        then pg_catalog.json_build_object('id', n.source_observation_id) end
                ) order by n.name_key), '[]'::json)
                from (
                    select m.*
                    from taisce.entity_name as m
                    where m.project_id = export_entities.project_id
                      and m.entity_id between e.entity_id and e.entity_id
                      and case
                        when m.kept_until > pg_catalog.statement_timestamp() then true
                        else taisce.name_is_kept(
                            m.project_id, m.entity_id, m.normalized_name,
                            pg_catalog.statement_timestamp())
                      end
                    order by m.entity_id
                    offset 0
                ) as n
            )
        ))::text
    from taisce.entity as e
    cross join lateral (
        select case
            when e.name_until > pg_catalog.statement_timestamp() then e.canonical_name
            else taisce.exported_name(e, pg_catalog.statement_timestamp())
        end as name
    ) as k
    cross join lateral (
        select case
            when k.name = e.canonical_name then e.name_source
            else (
                select n.source_observation_id
                from taisce.entity_name as n
                where n.project_id = e.project_id
                  and n.entity_id = e.entity_id
                  and n.spelling = k.name
                order by n.name_key
                limit 1
            )
        end as source
    ) as s
    cross join lateral (
        select e.profile_source is null or exists (
            select
            from taisce.observation as o
            where o.project_id = e.project_id
              and o.observation_id = e.profile_source
              and o.retention_until > pg_catalog.statement_timestamp()
        ) as kept
    ) as p
    where e.project_id = export_entities.project_id
      and e.entity_id > coalesce(
            export_entities.after, '00000000-0000-0000-0000-000000000000')::uuid
    order by e.entity_id
    limit export_entities.max_rows
$func$;
comment on function taisce.export_entities(bigint, text, integer) is
'Entities with all their names as lines of the load format.';
revoke all on function taisce.export_entities(bigint, text, integer) from public;
