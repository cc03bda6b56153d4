-- memory_v1.resolve_citation(fact_id, after, max_rows, project)
-- A fact as it is kept, whatever became of it: its ends, both clocks of its last version, its
-- status, what replaced or retracted it, and every piece of evidence, each quote held against the
-- exact bytes of its message. No question, role or time narrows it.
-- Returns: one jsonb, contract citation/v1. evidence: a page of max_rows (1 to 32), support first,
-- earliest first, and at most 256 KiB of text unless one quote is longer; continuation: what to
-- give as after for the next page, null on the last.
-- Raises: TS003, TS004, TS005.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.resolve_citation(
    fact_id uuid,
    after text default null,
    max_rows integer default 8,
    project text default null
)
returns jsonb
language plpgsql
stable
parallel safe
security definer
cost 10000
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_text_limit constant integer := 262144;
    v_rows constant integer := taisce.page_rows(resolve_citation.max_rows, 8, 32);
    v_after constant text[] := taisce.read_cursor(
        resolve_citation.after, 'citation',
        '(supports|contradicts),(\d{1,18}),(\d{1,9}),(\d{1,9}),'
        '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})');
    v_read_at constant timestamptz := statement_timestamp();
    v_project_id bigint;
    v_record taisce.record;
    v_answer jsonb;
begin
    v_project_id := taisce.resolve_project(resolve_citation.project, 'read');
    select r.*
    into v_record
    from taisce.read_records(
        v_project_id, array[resolve_citation.fact_id], v_read_at,
        taisce.setting_interval('clock_skew')
    ) as r;
    if not found then
        perform taisce.not_found();
    end if;
    select
        jsonb_build_object(
            'contract', 'citation/v1',
            'fact_id', f.fact_id,
            'kind', f.kind,
            'subject', v_record.subject,
            'subject_id', f.subject_entity_id,
            'predicate', f.predicate,
            'object', v_record.object,
            'object_id', f.object_entity_id,
            'value', f.object_value,
            'statement', f.statement,
            'confidence', f.confidence,
            'source_role', f.source_role,
            'data_subject_id', f.data_subject_id,
            'cardinality', f.cardinality,
            'status', v_record.status,
            'support', f.support,
            'valid_from', nullif(v.valid_from, '-infinity'),
            'valid_until', nullif(v.valid_to, 'infinity'),
            'known_from', nullif(v.known_from, '-infinity'),
            'known_until', nullif(v.known_to, 'infinity')
        )
        || jsonb_build_object(
            'recorded_at', f.recorded_at,
            'contradiction_group', f.contradiction_group,
            'superseded_by', taisce.shown_successor(v_project_id, f.superseded_by),
            'supersession_source', taisce.shown_cause(
                v_project_id, f.supersession_source),
            'retraction', case
                when v_record.status = 'retracted' then jsonb_build_object(
                    'retracted_at', f.retracted_at,
                    'reason', f.retraction_reason
                )
            end,
            'evidence', p.items,
            'continuation', case
                when p.more then taisce.write_cursor('citation', p.last_key)
            end,
            'freshness', taisce.freshness_of(v_project_id)
        )
    into v_answer
    from (select (v_record.fact).*) as f
    cross join (select (v_record.last).*) as v
    cross join (
        select
            coalesce(jsonb_agg(e.item order by e.place) filter (where e.fits), '[]') as items,
            coalesce(bool_or(not e.fits), false) as more,
            (array_agg(e.key order by e.place desc) filter (where e.fits))[1] as last_key
        from (
            select
                r.*,
                r.place <= v_rows and (r.running <= v_text_limit or r.place = 1) as fits
            from taisce.read_evidence(
                v_project_id, resolve_citation.fact_id, v_after, v_rows + 1, v_read_at
            ) as r
        ) as e
    ) as p;
    return v_answer;
end
$func$;
comment on function memory_v1.resolve_citation(uuid, text, integer, text) is
'A fact as it is kept, with its status and every piece of evidence, checked byte for byte.';
revoke all on function memory_v1.resolve_citation(uuid, text, integer, text) from public;
grant execute on function memory_v1.resolve_citation(uuid, text, integer, text)
to taisce_reader;
