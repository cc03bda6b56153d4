-- memory_v1.community_reports
-- Reports that were not withdrawn and rest on nothing that has expired, not even in part.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace view memory_v1.community_reports
with (security_barrier = true) as
with here as materialized (select g.* from taisce.view_ground() as g)
select
    here.project,
    r.report_id,
    r.community_id,
    g.level,
    r.title,
    r.summary,
    r.importance,
    r.compiled_at,
    r.through_offset,
    coalesce(x.fact_ids, '{}') as fact_ids,
    coalesce(y.source_ids, '{}') as source_ids
from here
cross join taisce.report as r
left join taisce.community as g
    on g.project_id = r.project_id
    and g.community_id = r.community_id
-- Each table once a report; offset 0, or all evidence of the project would be hashed.
cross join lateral (
    select
        array_agg(j.fact_id order by j.fact_id) as fact_ids,
        bool_or(
            exists (
                select
                from taisce.fact as f
                where f.project_id = j.project_id
                  and f.fact_id = j.fact_id
                  and f.retention_until <= statement_timestamp()
                offset 0
            )
            or exists (
                select
                from taisce.fact_evidence as d
                where d.project_id = j.project_id
                  and d.fact_id = j.fact_id
                  and d.retention_until < 'infinity'
                  and d.retention_until <= statement_timestamp()
                offset 0
            )
        ) as is_past
    from taisce.report_fact as j
    where j.project_id = r.project_id
      and j.report_id = r.report_id
) as x
cross join lateral (
    select
        array_agg(j.observation_id order by j.observation_id) as source_ids,
        bool_or(b.retention_until <= statement_timestamp()) as is_past
    from taisce.report_source as j
    left join taisce.observation as b
        on b.project_id = j.project_id
        and b.observation_id = j.observation_id
    where j.project_id = r.project_id
      and j.report_id = r.report_id
) as y
where (select h.project_id from here as h) is not null
  and r.project_id = (select h.project_id from here as h)
  and r.withdrawn_at is null
  and x.is_past is not true
  and y.is_past is not true;

comment on view memory_v1.community_reports is
e'Reports about communities that stand: every fact and source behind them is still there.\n'
'Grain: one row a report\n'
'Key: report_id\n'
'For: an overview of a topic\n'
'Few: project, level\n'
'Beware: a report is derived: cite the facts and sources it covers';
comment on column memory_v1.community_reports.project is
'Name of the project that is shown: the one chosen by the setting taisce.project, else the '
'only one granted.';
comment on column memory_v1.community_reports.report_id is
'Identifier of the report.';
comment on column memory_v1.community_reports.community_id is
'Community it is about.';
comment on column memory_v1.community_reports.level is
'Level of that community.';
comment on column memory_v1.community_reports.title is
'Title.';
comment on column memory_v1.community_reports.summary is
'The text.';
comment on column memory_v1.community_reports.importance is
'Importance its writer gave it, higher is more.';
comment on column memory_v1.community_reports.compiled_at is
'When it was written.';
comment on column memory_v1.community_reports.through_offset is
'Last offset it took into account.';
comment on column memory_v1.community_reports.fact_ids is
'Facts it covers, in ascending order.';
comment on column memory_v1.community_reports.source_ids is
'Observations it covers, in ascending order.';
revoke all on memory_v1.community_reports from public;
grant select on memory_v1.community_reports to taisce_analyst;
