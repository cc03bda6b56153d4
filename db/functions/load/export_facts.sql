-- taisce.export_facts(project_id, after, max_rows)
-- Facts with all their versions and evidence as lines of the load format, by id.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: at most max_rows rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.export_facts(project_id bigint, after text, max_rows integer)
returns table (place text, line text)
language sql
stable
parallel safe
set enable_sort = off
as $func$
    select
        f.fact_id::text,
        pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
            'type', 'fact',
            'id', f.fact_id,
            'subject', pg_catalog.json_build_object('id', f.subject_entity_id),
            'predicate', f.predicate,
            'object', case when f.object_entity_id is not null
                then pg_catalog.json_build_object('id', f.object_entity_id) end,
            'value', f.object_value,
            'statement', f.statement,
            'confidence', f.confidence,
            'source_role', f.source_role,
            'data_subject_id', f.data_subject_id,
            'cardinality', f.cardinality,
            'valid_from', nullif(f.stated_from, '-infinity'),
            'valid_until', nullif(f.stated_until, 'infinity'),
            'contradiction_group', f.contradiction_group,
            'support', f.support,
            'retention_until', nullif(f.retention_until, 'infinity'),
            'recorded_at', f.recorded_at,
            'superseded_by', f.superseded_by,
            'supersession_source', f.supersession_source,
            'retracted_at', f.retracted_at,
            'retraction_reason', f.retraction_reason,
            'versions', (
                select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
                    'valid_from', nullif(v.valid_from, '-infinity'),
                    'valid_until', nullif(v.valid_to, 'infinity'),
                    'known_from', v.known_from,
                    'known_until', nullif(v.known_to, 'infinity'),
                    'replaced', nullif(v.replaced, false),
                    'slot', nullif(v.slot, false),
                    'contested', nullif(v.contested, false),
                    'cause', v.cause,
                    'caused_by', v.caused_by,
                    'closed_cause', v.closed_cause,
                    'closed_by', v.closed_by
                ) order by v.known_from), '[]'::json)
                from (
                    select w.*
                    from taisce.fact_version as w
                    where w.project_id = export_facts.project_id
                      and w.fact_id between f.fact_id and f.fact_id
                    order by w.fact_id, w.known_from
                    offset 0
                ) as v
            ),
            'evidence', (
                select pg_catalog.json_agg(pg_catalog.json_build_object(
                    'claim', pg_catalog.json_build_object('id', e.claim_id),
                    'stance', e.stance,
                    'linked_at', e.linked_at
                ) order by e.stance, e.log_offset, e.ordinal, e.byte_start, e.claim_id)
                from (
                    select d.*
                    from taisce.fact_evidence as d
                    where d.project_id = export_facts.project_id
                      and d.fact_id between f.fact_id and f.fact_id
                      and d.retention_until > now()
                    order by d.fact_id, d.stance, d.log_offset, d.ordinal, d.byte_start, d.claim_id
                    offset 0
                ) as e
            )
        ))::text
    from taisce.fact as f
    where f.project_id = export_facts.project_id
      and f.fact_id > coalesce(
            export_facts.after, '00000000-0000-0000-0000-000000000000')::uuid
      and f.retention_until > now()
    order by f.fact_id
    limit export_facts.max_rows
$func$;
comment on function taisce.export_facts(bigint, text, integer) is
'Facts with all their versions and evidence as lines of the load format.';
revoke all on function taisce.export_facts(bigint, text, integer) from public;
