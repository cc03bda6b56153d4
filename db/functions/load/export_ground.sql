-- taisce.export_ground(project_id, part, after, max_rows)
-- The project, its predicates, mentions outside claims, merges and keys as lines of the load
-- format. Keys of what has expired, and what records of merges hold of it, are left out.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: at most max_rows rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.export_ground(
    project_id bigint, part text, after text, max_rows integer
)
returns table (place text, line text)
language plpgsql
stable
parallel safe
set enable_sort = off
as $func$
#variable_conflict use_column
begin
    if export_ground.part = 'project' then
        return query
        select
            p.name,
            pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
                'type', 'project',
                'default_source_roles', p.default_source_roles,
                'word_configuration', p.word_configuration,
                'reference_length', p.reference_length,
                'known_through', nullif(c.last_stamp, '-infinity')
            ))::text
        from taisce.project as p
        join taisce.project_clock as c on c.project_id = p.project_id
        where p.project_id = export_ground.project_id
          and export_ground.after is null;
    elsif export_ground.part = 'predicate' then
        return query
        select
            p.predicate::text,
            pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
                'type', 'predicate',
                'predicate', p.predicate,
                'cardinality', p.cardinality,
                'description', p.description
            ))::text
        from taisce.predicate as p
        where p.project_id = export_ground.project_id
          and (export_ground.after is null or p.predicate > export_ground.after collate "C")
        order by p.predicate
        limit export_ground.max_rows;
    elsif export_ground.part = 'mention' then
        return query
        select
            t.entity_id || '/' || t.observation_id || '/' || t.ordinal,
            pg_catalog.json_build_object(
                'type', 'mention',
                'entity', pg_catalog.json_build_object('id', t.entity_id),
                'observation', pg_catalog.json_build_object('id', t.observation_id),
                'ordinal', t.ordinal
            )::text
        from taisce.entity_mention as t
        where t.project_id = export_ground.project_id
          and t.claim_id is null
          and t.retention_until > now()
          and (
            export_ground.after is null
            or (t.entity_id, t.observation_id, t.ordinal) > (
                split_part(export_ground.after, '/', 1)::uuid,
                split_part(export_ground.after, '/', 2)::uuid,
                split_part(export_ground.after, '/', 3)::integer
            )
          )
        order by t.entity_id, t.observation_id, t.ordinal
        limit export_ground.max_rows;
    elsif export_ground.part = 'key' then
        return query
        select
            k.kind || '/' || k.key,
            pg_catalog.json_build_object(
                'type', 'key',
                'kind', k.kind,
                'key', k.key,
                'id', k.id
            )::text
        from taisce.load_key as k
        where k.project_id = export_ground.project_id
          and case k.kind
            when 'observation' then (
                select o.retention_until
                from taisce.observation as o
                where o.project_id = k.project_id and o.observation_id = k.id
            )
            when 'claim' then (
                select c.retention_until
                from taisce.claim as c
                where c.project_id = k.project_id and c.claim_id = k.id
            )
            when 'fact' then (
                select f.retention_until
                from taisce.fact as f
                where f.project_id = k.project_id and f.fact_id = k.id
            )
            when 'entity' then (
                select case
                    when e.name_until > now() then e.name_until
                    when taisce.exported_name(e, now()) = e.canonical_name then 'infinity'
                end
                from taisce.entity as e
                where e.project_id = k.project_id and e.entity_id = k.id
            )
            else 'infinity'
          end > now()
          and (
            export_ground.after is null
            or (k.kind, k.key) > (
                split_part(export_ground.after, '/', 1) collate "C",
                substr(export_ground.after, strpos(export_ground.after, '/') + 1) collate "C"
            )
          )
        order by k.kind, k.key
        limit export_ground.max_rows;
    else
        return query
        select
            m.merge_id::text,
            (
                pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object(
                    'type', 'merge',
                    'id', m.merge_id,
                    'absorbed', pg_catalog.jsonb_build_object('id', m.absorbed),
                    'survivor', pg_catalog.jsonb_build_object('id', m.survivor),
                    'at', m.merged_at,
                    'by', m.merged_by,
                    'reversed_at', m.reversed_at,
                    'reversed_by', m.reversed_by
                )) || pg_catalog.jsonb_build_object(
                    'snapshot', taisce.kept_snapshot(m, now()))
            )::text
        from taisce.entity_merge as m
        where m.project_id = export_ground.project_id
          and (export_ground.after is null or m.merge_id > export_ground.after::uuid)
        order by m.merge_id
        limit export_ground.max_rows;
    end if;
end
$func$;
comment on function taisce.export_ground(bigint, text, text, integer) is
'The project, predicates, mentions outside claims, merges and keys as lines of the load format.';
revoke all on function taisce.export_ground(bigint, text, text, integer) from public;
