-- taisce.export_observations(project_id, after, max_rows)
-- Observations with their messages as lines of the load format, by offset.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: at most max_rows rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.export_observations(
    project_id bigint, after text, max_rows integer
)
returns table (place text, line text)
language sql
stable
parallel safe
set enable_sort = off
as $func$
    select
        o.log_offset::text,
        pg_catalog.json_strip_nulls(case
            when o.erased or o.retention_until <= now() then pg_catalog.json_build_object(
                'type', 'observation',
                'id', o.observation_id,
                'log_offset', o.log_offset,
                'kind', o.kind,
                'source_role', o.source_role,
                'ingested_at', o.ingested_at,
                'erased', true,
                'messages', '[]'::json
            )
            else pg_catalog.json_build_object(
                'type', 'observation',
                'id', o.observation_id,
                'log_offset', o.log_offset,
                'kind', o.kind,
                'source_role', o.source_role,
                'data_subject_id', o.data_subject_id,
                'occurred_at', o.occurred_at,
                'ingested_at', o.ingested_at,
                'lineage', o.lineage,
                'source_kind', o.source_kind,
                'source_ref', o.source_ref,
                'title', o.title,
                'idempotency_key', o.idempotency_key,
                'content_digest', pg_catalog.encode(o.content_digest, 'hex'),
                'retention_until', nullif(o.retention_until, 'infinity'),
                'formed_at', o.formed_at,
                'parked_at', o.parked_at,
                'parked', o.parked_reason,
                'released_at', o.released_at,
                'messages', (
                    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
                        'passage_id', m.passage_id,
                        'role', m.role,
                        'content', m.content,
                        'characters', case when m.content is null then m.characters end,
                        'octets', case when m.content is null then m.octets end,
                        'content_digest', case when m.content is null
                            then pg_catalog.encode(m.content_digest, 'hex') end,
                        'occurred_at', m.occurred_at
                    ) order by m.ordinal), '[]'::json)
                    from (
                        select g.*
                        from taisce.message as g
                        where g.project_id = export_observations.project_id
                          and g.observation_id between o.observation_id and o.observation_id
                        order by g.observation_id, g.ordinal
                        offset 0
                    ) as m
                )
            )
        end)::text
    from taisce.observation as o
    where o.project_id = export_observations.project_id
      and o.log_offset > coalesce(export_observations.after::bigint, 0)
    order by o.log_offset
    limit export_observations.max_rows
$func$;
comment on function taisce.export_observations(bigint, text, integer) is
'Observations with their messages as lines of the load format.';
revoke all on function taisce.export_observations(bigint, text, integer) from public;
