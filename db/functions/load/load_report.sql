-- taisce.load_report(project_id, line, now)
-- Applies a report line. A new report, or an old one told anew, takes the place of the one that
-- stands about its community; one that covers a fact believed no more is withdrawn from the start.
-- Returns: {reports, repeated}.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_report(
    project_id bigint,
    line taisce.load_line,
    now timestamptz
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_community_id uuid := taisce.keyed_id(
        load_report.project_id, 'community', line.body -> 'community');
    v_report_id uuid;
    v_facts uuid[];
    v_sources uuid[];
    v_importance double precision := coalesce((line.body ->> 'importance')::double precision, 0);
    v_bad integer;
begin
    if v_community_id is null then
        perform taisce.refuse_line(line.line, 'community', 'is not a community declared before');
    end if;
    v_facts := array(
        select distinct taisce.load_fact_id(
            load_report.project_id, line.line, 'facts[' || f.ordinality - 1 || ']', f.value)
        from jsonb_array_elements(coalesce(nullif(line.body -> 'facts', 'null'), '[]'))
            with ordinality as f
        order by 1
    );
    select s.ordinality - 1
    into v_bad
    from jsonb_array_elements(coalesce(nullif(line.body -> 'sources', 'null'), '[]'))
        with ordinality as s
    where taisce.observation_of(load_report.project_id, s.value) is null
    order by s.ordinality
    limit 1;
    if found then
        perform taisce.refuse_line(line.line, 'sources[' || v_bad || ']',
            'is not an observation declared before');
    end if;
    v_sources := array(
        select distinct taisce.observation_of(load_report.project_id, s.value)
        from jsonb_array_elements(coalesce(nullif(line.body -> 'sources', 'null'), '[]')) as s
        order by 1
    );

    v_report_id := taisce.report_key(
        v_community_id, line.body ->> 'title', line.body ->> 'summary', v_importance, v_facts,
        v_sources);
    insert into taisce.report as r (
        project_id, report_id, community_id, title, summary, importance, compiled_at,
        through_offset
    )
    select load_report.project_id, v_report_id, v_community_id, line.body ->> 'title',
        line.body ->> 'summary', v_importance, load_report.now, c.stored
    from taisce.project_clock as c
    where c.project_id = load_report.project_id
    on conflict on constraint report_pkey do update
    set compiled_at = excluded.compiled_at,
        through_offset = excluded.through_offset,
        withdrawn_at = null,
        withdrawn_cause = null
    where r.withdrawn_cause = 'replaced';
    if not found then
        return '{"reports": 0, "repeated": 1}';
    end if;

    insert into taisce.report_fact (project_id, report_id, fact_id)
    select load_report.project_id, v_report_id, f from unnest(v_facts) as f
    on conflict do nothing;
    insert into taisce.report_source (project_id, report_id, observation_id)
    select load_report.project_id, v_report_id, s from unnest(v_sources) as s
    on conflict do nothing;
    update taisce.report as r
    set withdrawn_at = load_report.now,
        withdrawn_cause = case when r.report_id = v_report_id then 'retracted' else 'replaced' end
    where r.project_id = load_report.project_id
      and r.community_id = v_community_id
      and r.withdrawn_at is null
      and (r.report_id <> v_report_id or exists (
        select
        from unnest(v_facts) as f
        where not exists (
            select
            from taisce.fact_version as v
            where v.project_id = load_report.project_id
              and v.fact_id = f
              and v.known_to = 'infinity'
        )
      ));
    return '{"reports": 1, "repeated": 0}';
end
$func$;
comment on function taisce.load_report(bigint, taisce.load_line, timestamptz) is
'Applies a report line.';
revoke all on function taisce.load_report(bigint, taisce.load_line, timestamptz) from public;
