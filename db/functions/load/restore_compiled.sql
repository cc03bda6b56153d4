-- taisce.restore_compiled(project_id)
-- The part of restore_lines that puts back communities, reports, segments and merges.
-- Returns: counts of new rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.restore_compiled(project_id bigint)
returns jsonb
language plpgsql
as $func$
#variable_conflict use_column
declare
    v_project_id bigint := restore_compiled.project_id;
    v_communities bigint;
    v_reports bigint;
    v_segments bigint;
    v_merges bigint;
begin
    with staged as materialized (
        select s.body, (s.body ->> 'id')::uuid as id
        from memory_v1.load_stage as s
        where s.txid = pg_current_xact_id()
          and s.body ? 'id'
          and s.body ->> 'type' = 'community'
    ),
    new_communities as (
        insert into taisce.community (project_id, community_id, level, parent_id, created_at)
        select
            v_project_id, c.id, coalesce((c.body ->> 'level')::integer, 0),
            (c.body #>> '{parent,id}')::uuid,
            coalesce((c.body ->> 'created_at')::timestamptz, now())
        from staged as c
        on conflict (project_id, community_id) do nothing
        returning community_id
    ),
    new_members as (
        insert into taisce.community_member (project_id, community_id, entity_id)
        select v_project_id, c.id, (m.entity ->> 'id')::uuid
        from staged as c
        join new_communities as i on i.community_id = c.id
        cross join lateral jsonb_array_elements(c.body -> 'members') as m (entity)
        on conflict do nothing
    )
    select count(*) into v_communities from new_communities;

    with staged as materialized (
        select s.body, (s.body ->> 'id')::uuid as id
        from memory_v1.load_stage as s
        where s.txid = pg_current_xact_id()
          and s.body ? 'id'
          and s.body ->> 'type' = 'report'
    ),
    new_reports as (
        insert into taisce.report (
            project_id, report_id, community_id, title, summary, importance, compiled_at,
            through_offset, withdrawn_at, withdrawn_cause
        )
        select
            v_project_id, r.id, (r.body #>> '{community,id}')::uuid, r.body ->> 'title',
            r.body ->> 'summary', coalesce((r.body ->> 'importance')::double precision, 0),
            coalesce((r.body ->> 'compiled_at')::timestamptz, now()),
            coalesce((r.body ->> 'through_offset')::bigint, 0),
            (r.body ->> 'withdrawn_at')::timestamptz, r.body ->> 'withdrawn_cause'
        from staged as r
        on conflict (project_id, report_id) do nothing
        returning report_id
    ),
    new_report_facts as (
        insert into taisce.report_fact (project_id, report_id, fact_id)
        select v_project_id, r.id, (f.fact ->> 'id')::uuid
        from staged as r
        join new_reports as i on i.report_id = r.id
        cross join lateral jsonb_array_elements(r.body -> 'facts') as f (fact)
        on conflict do nothing
    ),
    new_report_sources as (
        insert into taisce.report_source (project_id, report_id, observation_id)
        select v_project_id, r.id, (o.source ->> 'id')::uuid
        from staged as r
        join new_reports as i on i.report_id = r.id
        cross join lateral jsonb_array_elements(r.body -> 'sources') as o (source)
        on conflict do nothing
    )
    select count(*) into v_reports from new_reports;

    insert into taisce.segment (
        project_id, segment_id, data_subject_id, level, from_offset, to_offset, covered, summary,
        characters, created_at
    )
    select
        v_project_id, g.id, g.data_subject_id, g.level, g.from_offset, g.to_offset,
        coalesce(g.covered, 0), g.summary, length(g.summary), coalesce(g.created_at, now())
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as g (
        id uuid, data_subject_id text, level integer, from_offset bigint, to_offset bigint,
        covered integer, summary text, created_at timestamptz
    )
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'segment'
    on conflict (project_id, segment_id) do nothing;
    get diagnostics v_segments = row_count;

    insert into taisce.entity_merge (
        project_id, merge_id, absorbed, survivor, merged_at, merged_by, snapshot, reversed_at,
        reversed_by
    )
    select
        v_project_id, m.id, (m.absorbed ->> 'id')::uuid, (m.survivor ->> 'id')::uuid,
        coalesce(m.at, now()), coalesce(m.by, session_user), coalesce(m.snapshot, '{}'),
        m.reversed_at, m.reversed_by
    from memory_v1.load_stage as s
    cross join lateral jsonb_to_record(s.body) as m (
        id uuid, absorbed jsonb, survivor jsonb, at timestamptz, by text, snapshot jsonb,
        reversed_at timestamptz, reversed_by text
    )
    where s.txid = pg_current_xact_id()
      and s.body ? 'id'
      and s.body ->> 'type' = 'merge'
    on conflict (project_id, merge_id) do nothing;
    get diagnostics v_merges = row_count;
    return jsonb_build_object(
        'communities', v_communities, 'reports', v_reports, 'segments', v_segments,
        'merges', v_merges);
end
$func$;
comment on function taisce.restore_compiled(bigint) is
'Puts exported communities, reports, segments and merges of the stage back as they were.';
revoke all on function taisce.restore_compiled(bigint) from public;
