-- taisce.export_compiled(project_id, part, after, max_rows)
-- Communities, reports and segments as lines of the load format, by id. A report that rests on
-- something expired and a segment of an expired turn are left out, as expire() will delete them.
-- Sorting is off and every look-up asks for the order of the key it is to use: without statistics
-- of a project the planner takes any index that begins with project_id for as good as its key.
-- Returns: at most max_rows rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.export_compiled(
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
    if export_compiled.part = 'community' then
        return query
        select
            c.community_id::text,
            pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
                'type', 'community',
                'id', c.community_id,
                'level', c.level,
                'parent', case when c.parent_id is not null
                    then pg_catalog.json_build_object('id', c.parent_id) end,
                'created_at', c.created_at,
                'members', (
                    select pg_catalog.json_agg(
                        pg_catalog.json_build_object('id', m.entity_id) order by m.entity_id)
                    from (
                        select x.*
                        from taisce.community_member as x
                        where x.project_id = export_compiled.project_id
                          and x.community_id between c.community_id and c.community_id
                        order by x.community_id, x.entity_id
                        offset 0
                    ) as m
                )
            ))::text
        from taisce.community as c
        where c.project_id = export_compiled.project_id
          and (export_compiled.after is null or c.community_id > export_compiled.after::uuid)
        order by c.community_id
        limit export_compiled.max_rows;
    elsif export_compiled.part = 'report' then
        return query
        select
            r.report_id::text,
            pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
                'type', 'report',
                'id', r.report_id,
                'community', pg_catalog.json_build_object('id', r.community_id),
                'title', r.title,
                'summary', r.summary,
                'importance', r.importance,
                'compiled_at', r.compiled_at,
                'through_offset', r.through_offset,
                'withdrawn_at', r.withdrawn_at,
                'withdrawn_cause', r.withdrawn_cause,
                'facts', (
                    select pg_catalog.json_agg(
                        pg_catalog.json_build_object('id', f.fact_id) order by f.fact_id)
                    from (
                        select x.*
                        from taisce.report_fact as x
                        where x.project_id = export_compiled.project_id
                          and x.report_id between r.report_id and r.report_id
                        order by x.report_id, x.fact_id
                        offset 0
                    ) as f
                ),
                'sources', (
                    select pg_catalog.json_agg(
                        pg_catalog.json_build_object('id', s.observation_id)
                        order by s.observation_id)
                    from (
                        select x.*
                        from taisce.report_source as x
                        where x.project_id = export_compiled.project_id
                          and x.report_id between r.report_id and r.report_id
                        order by x.report_id, x.observation_id
                        offset 0
                    ) as s
                )
            ))::text
        from taisce.report as r
        where r.project_id = export_compiled.project_id
          and (export_compiled.after is null or r.report_id > export_compiled.after::uuid)
          and taisce.report_is_kept(r.project_id, r.report_id, now())
        order by r.report_id
        limit export_compiled.max_rows;
    else
        return query
        select
            s.segment_id::text,
            pg_catalog.json_strip_nulls(pg_catalog.json_build_object(
                'type', 'segment',
                'id', s.segment_id,
                'data_subject_id', s.data_subject_id,
                'level', s.level,
                'from_offset', s.from_offset,
                'to_offset', s.to_offset,
                'covered', s.covered,
                'summary', s.summary,
                'created_at', s.created_at
            ))::text
        from taisce.segment as s
        where s.project_id = export_compiled.project_id
          and (export_compiled.after is null or s.segment_id > export_compiled.after::uuid)
          and not exists (
            select
            from taisce.observation as o
            where o.project_id = s.project_id
              and o.data_subject_id = s.data_subject_id
              and o.log_offset between s.from_offset and s.to_offset
              and o.retention_until < 'infinity'
              and o.retention_until <= now()
            offset 0
          )
        order by s.segment_id
        limit export_compiled.max_rows;
    end if;
end
$func$;
comment on function taisce.export_compiled(bigint, text, text, integer) is
'Communities, reports and segments as lines of the load format.';
revoke all on function taisce.export_compiled(bigint, text, text, integer) from public;
