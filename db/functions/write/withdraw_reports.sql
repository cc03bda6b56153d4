-- taisce.withdraw_reports(project_id, fact_ids, cause, at)
-- Withdraws the reports that cover a fact which changed.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.withdraw_reports(
    project_id bigint,
    fact_ids uuid[],
    cause text,
    at timestamptz
)
returns void
language sql
volatile
as $func$
    update taisce.report as r
    set withdrawn_at = withdraw_reports.at,
        withdrawn_cause = withdraw_reports.cause
    where r.project_id = withdraw_reports.project_id
      and r.withdrawn_at is null
      and r.report_id = any (array(
        select c.report_id
        from unnest(withdraw_reports.fact_ids) as i (fact_id)
        cross join lateral (
            select f.report_id
            from taisce.report_fact as f
            where f.project_id = withdraw_reports.project_id
              and f.fact_id between i.fact_id and i.fact_id
            order by f.fact_id
            offset 0
        ) as c
      ))
$func$;
comment on function taisce.withdraw_reports(bigint, uuid[], text, timestamptz) is
'Withdraws the reports that cover a fact which changed.';
revoke all on function taisce.withdraw_reports(bigint, uuid[], text, timestamptz) from public;
