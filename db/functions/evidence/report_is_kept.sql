-- taisce.report_is_kept(project_id, report_id, read_at)
-- Whether nothing that a report rests on has passed its retention at an instant: none of its
-- sources, no fact, no evidence of a fact. So reads hide the reports that expire() will delete.
-- Returns: true or false.   Runs as: invoker.   Since: 0.1

create or replace function taisce.report_is_kept(
    project_id bigint,
    report_id uuid,
    read_at timestamptz
)
returns boolean
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
begin
    return not exists (
        select
        from taisce.report_source as x
        left join lateral (
            select n.retention_until
            from taisce.observation as n
            where n.project_id = report_is_kept.project_id
              and n.observation_id between x.observation_id and x.observation_id
            order by n.observation_id
            limit 1
        ) as o on true
        where x.project_id = report_is_kept.project_id
          and x.report_id = report_is_kept.report_id
          and (o.retention_until > report_is_kept.read_at) is not true
    ) and not exists (
        select
        from taisce.report_fact as x
        left join lateral (
            select n.retention_until
            from taisce.fact as n
            where n.project_id = report_is_kept.project_id
              and n.fact_id between x.fact_id and x.fact_id
            order by n.fact_id
            limit 1
        ) as f on true
        where x.project_id = report_is_kept.project_id
          and x.report_id = report_is_kept.report_id
          and ((f.retention_until > report_is_kept.read_at) is not true
            or (
                select true
                from taisce.fact_evidence as d
                where d.project_id = report_is_kept.project_id
                  and d.fact_id = x.fact_id
                  and d.retention_until < 'infinity'
                  and d.retention_until <= report_is_kept.read_at
                order by d.retention_until
                limit 1
            ))
    );
end
$func$;
comment on function taisce.report_is_kept(bigint, uuid, timestamptz) is
'Whether nothing that a report rests on has passed its retention at an instant.';
revoke all on function taisce.report_is_kept(bigint, uuid, timestamptz) from public;
