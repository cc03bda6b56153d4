-- taisce.export_claims(project_id, after, max_rows)
-- Claims with the entities they mention as lines of the load format, in the order of their places:
-- observation, ordinal, first byte, id. Sorting is off and every look-up asks for the order of the
-- key it is to use: without statistics of a project the planner takes any index that begins with
-- project_id for as good as its key.
-- Returns: at most max_rows rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.export_claims(project_id bigint, after text, max_rows integer)
returns table (place text, line text)
language sql
stable
parallel safe
set enable_sort = off
as $func$
    with page as materialized (
        select c.*
        from taisce.claim as c
        where c.project_id = export_claims.project_id
          and (c.observation_id, c.ordinal, c.byte_start, c.claim_id) > (
                coalesce(
                    pg_catalog.split_part(export_claims.after, '/', 1),
                    '00000000-0000-0000-0000-000000000000')::uuid,
                coalesce(pg_catalog.split_part(export_claims.after, '/', 2), '-1')::integer,
                coalesce(pg_catalog.split_part(export_claims.after, '/', 3), '-1')::integer,
                coalesce(
                    pg_catalog.split_part(export_claims.after, '/', 4),
                    '00000000-0000-0000-0000-000000000000')::uuid
            )
          and c.retention_until > now()
        order by c.observation_id, c.ordinal, c.byte_start, c.claim_id
        limit export_claims.max_rows
    ),
    -- One object, claim to entities: a join of two sets without statistics would compare all pairs.
    mentioned as materialized (
        select pg_catalog.jsonb_object_agg(g.claim_id, g.entities) as entities
        from (
            select
                t.claim_id,
                pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', t.entity_id)
                    order by t.entity_id) as entities
            from (select distinct p.observation_id from page as p) as o
            cross join lateral (
                select m.claim_id, m.entity_id
                from taisce.entity_mention as m
                where m.project_id = export_claims.project_id
                  and m.observation_id between o.observation_id and o.observation_id
                  and m.claim_id is not null
                order by m.observation_id
                offset 0
            ) as t
            group by t.claim_id
        ) as g
    )
    select
        c.observation_id || '/' || c.ordinal || '/' || c.byte_start || '/' || c.claim_id,
        pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
            'type', 'claim',
            'id', c.claim_id,
            'observation', pg_catalog.json_build_object('id', c.observation_id),
            'ordinal', c.ordinal,
            'byte_start', c.byte_start,
            'quote', c.quote,
            'claim_text', c.claim_text,
            'asserted_at', c.asserted_at,
            'claim_valid_from', nullif(c.claim_valid_from, '-infinity'),
            'claim_valid_until', nullif(c.claim_valid_until, 'infinity'),
            'claim_valid_precision', c.claim_valid_precision,
            'is_attributed', c.is_attributed,
            'is_current_testimony', c.is_current_testimony,
            'extractor_version', c.extractor_version,
            'ingested_at', c.ingested_at,
            'mentions', ((select m.entities from mentioned as m) -> c.claim_id::text)::json
        ))::text
    from page as c
    order by c.observation_id, c.ordinal, c.byte_start, c.claim_id
$func$;
comment on function taisce.export_claims(bigint, text, integer) is
'Claims with the entities they mention as lines of the load format.';
revoke all on function taisce.export_claims(bigint, text, integer) from public;
