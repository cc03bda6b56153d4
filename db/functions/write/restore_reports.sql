-- taisce.restore_reports(merge, fact_ids, at)
-- Lets reports stand again that a merge withdrew, if what they cover is as it was then; withdraws
-- those written since about facts whose ends move back.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.restore_reports(
    merge taisce.entity_merge,
    fact_ids uuid[],
    at timestamptz
)
returns void
language plpgsql
volatile
as $func$
begin
    perform taisce.withdraw_reports(
        merge.project_id, restore_reports.fact_ids, 'unmerged', restore_reports.at);
    update taisce.report as r
    set withdrawn_at = null,
        withdrawn_cause = null
    where r.project_id = merge.project_id
      and r.withdrawn_cause = 'merged'
      and r.withdrawn_at = merge.merged_at
      and not exists (
        select
        from taisce.report as n
        where n.project_id = merge.project_id
          and n.community_id = r.community_id
          and n.compiled_at > r.withdrawn_at
      )
      and not exists (
        select
        from taisce.report_fact as c
        left join taisce.fact as f
            on f.project_id = c.project_id and f.fact_id = c.fact_id
        left join taisce.fact_version as v
            on v.project_id = c.project_id
            and v.fact_id = c.fact_id
            and v.known_to = 'infinity'
        where c.project_id = merge.project_id
          and c.report_id = r.report_id
          and (v.fact_id is null
            or f.support = 'withdrawn'
            or v.known_from > merge.merged_at and v.cause <> 'asserted')
      );
end
$func$;
comment on function taisce.restore_reports(taisce.entity_merge, uuid[], timestamptz) is
'Lets reports stand again that a merge withdrew.';
revoke all on function taisce.restore_reports(taisce.entity_merge, uuid[], timestamptz)
from public;
