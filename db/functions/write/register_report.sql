-- memory_v1.register_report(community, title, summary, importance, fact_ids, observation_ids,
--     project)
-- Keeps a report about a community, given by its key; it takes the place of the one before. A
-- change of a fact or source that it covers withdraws it, and one that covers a fact believed no
-- more is withdrawn from the start.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.registered_report') is null then
        create type memory_v1.registered_report as (
            report_id uuid, withdrawn_at timestamptz, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.registered_report is
'A report that was registered.';

create or replace function memory_v1.register_report(
    community text,
    title text,
    summary text,
    importance double precision default 0,
    fact_ids uuid[] default null,
    observation_ids uuid[] default null,
    project text default null
)
returns setof memory_v1.registered_report
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(register_report.project);
    v_facts uuid[] := array(
        select distinct i from unnest(register_report.fact_ids) as i order by i);
    v_sources uuid[] := array(
        select distinct i from unnest(register_report.observation_ids) as i order by i);
    v_counts jsonb;
begin
    if array_position(v_facts, null) is not null then
        perform taisce.refuse_argument('fact_ids', 'has an empty element');
    elsif array_position(v_sources, null) is not null then
        perform taisce.refuse_argument('observation_ids', 'has an empty element');
    end if;
    v_counts := taisce.write_line(
        v_project_id,
        jsonb_build_object(
            'type', 'report',
            'community', register_report.community,
            'title', register_report.title,
            'summary', register_report.summary,
            'importance', register_report.importance,
            'facts', (select jsonb_agg(jsonb_build_object('id', i)) from unnest(v_facts) as i),
            'sources', (
                select jsonb_agg(jsonb_build_object('id', i)) from unnest(v_sources) as i
            )
        ),
        '{"facts": "fact_ids", "sources": "observation_ids"}');
    return query
    select r.report_id, r.withdrawn_at, (v_counts ->> 'reports')::bigint = 0
    from taisce.report as r
    where r.project_id = v_project_id
      and r.report_id = taisce.report_key(
        taisce.keyed_id(v_project_id, 'community', to_jsonb(register_report.community)),
        register_report.title, register_report.summary,
        coalesce(register_report.importance, 0), v_facts, v_sources);
end
$func$;
comment on function memory_v1.register_report(
    text, text, text, double precision, uuid[], uuid[], text
) is 'Keep a report about a community; a change of what it covers withdraws it.';
revoke all on function memory_v1.register_report(
    text, text, text, double precision, uuid[], uuid[], text
) from public;
grant execute on function memory_v1.register_report(
    text, text, text, double precision, uuid[], uuid[], text
) to taisce_writer;
