-- taisce.erase_compiled(project_id, observation_ids, fact_ids)
-- Removes what was made of observations: reports on them or on facts they bear out, segments of the
-- subject that cover them, feedback on those facts, blocks that name them.
-- fact_ids: all facts with evidence in the observations.
-- Returns: counts of rows by table.   Runs as: invoker.   Since: 0.1

create or replace function taisce.erase_compiled(
    project_id bigint,
    observation_ids uuid[],
    fact_ids uuid[]
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := erase_compiled.project_id;
    v_reports uuid[];
    v_report_facts bigint;
    v_report_sources bigint;
    v_written bigint;
    v_segments bigint;
    v_vectors bigint;
    v_feedback bigint;
    v_blocks bigint;
begin
    v_reports := array(
        select r.report_id
        from taisce.report_fact as r
        where r.project_id = v_project_id
          and r.fact_id = any (erase_compiled.fact_ids)
        union
        select r.report_id
        from taisce.report_source as r
        where r.project_id = v_project_id
          and r.observation_id = any (erase_compiled.observation_ids)
    );
    delete from taisce.report_fact as r
    where r.project_id = v_project_id
      and r.report_id = any (v_reports);
    get diagnostics v_report_facts = row_count;
    delete from taisce.report_source as r
    where r.project_id = v_project_id
      and r.report_id = any (v_reports);
    get diagnostics v_report_sources = row_count;
    delete from taisce.report as r
    where r.project_id = v_project_id
      and r.report_id = any (v_reports);
    get diagnostics v_written = row_count;

    with gone as (
        delete from taisce.segment as s
        using taisce.observation as o
        where o.project_id = v_project_id
          and o.observation_id = any (erase_compiled.observation_ids)
          and s.project_id = v_project_id
          and s.data_subject_id = o.data_subject_id
          and s.from_offset <= o.log_offset
          and s.to_offset >= o.log_offset
        returning s.segment_id
    )
    select count(*) into v_segments from gone;

    delete from taisce.embedding as e
    where e.project_id = v_project_id
      and e.item_id = any (v_reports);
    get diagnostics v_vectors = row_count;

    delete from taisce.feedback as f
    where f.project_id = v_project_id
      and (f.fact_id = any (erase_compiled.fact_ids)
        or f.bundle is not null and exists (
            select
            from jsonb_array_elements(case
                when jsonb_typeof(f.bundle -> 'facts') = 'array' then f.bundle -> 'facts'
            end) as b
            where coalesce(b.value ->> 'fact_id', b.value #>> '{}')
                = any (erase_compiled.fact_ids::text[])
        ));
    get diagnostics v_feedback = row_count;

    -- A read whose blocks are gone reads the versions themselves.
    delete from taisce.version_block as b
    where b.project_id = v_project_id
      and (b.entity_id, b.direction, b.data_subject_id, b.source_role) in (
        select i.entity_id, i.direction, i.data_subject_id, i.source_role
        from taisce.version_block as i
        where i.project_id = v_project_id
          and (i.last_fact = any (erase_compiled.fact_ids)
            or i.after_fact = any (erase_compiled.fact_ids))
      );
    get diagnostics v_blocks = row_count;

    return jsonb_build_object(
        'report', v_written, 'report_fact', v_report_facts, 'report_source', v_report_sources,
        'segment', v_segments, 'embedding', v_vectors, 'feedback', v_feedback,
        'version_block', v_blocks);
end
$func$;
comment on function taisce.erase_compiled(bigint, uuid[], uuid[]) is
'Removes what was made of observations: reports, segments, feedback, blocks.';
revoke all on function taisce.erase_compiled(bigint, uuid[], uuid[]) from public;
