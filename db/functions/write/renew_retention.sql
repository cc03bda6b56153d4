-- taisce.renew_retention(project_id, fact_ids)
-- Facts that lost evidence are kept as long as the longest kept of what is left.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.renew_retention(project_id bigint, fact_ids uuid[])
returns void
language plpgsql
volatile
as $func$
declare
    v_short record;
begin
    for v_short in
        select f.fact_id, k.retention_until
        from taisce.fact as f
        cross join lateral (
            select max(e.retention_until) as retention_until
            from taisce.fact_evidence as e
            where e.project_id = renew_retention.project_id
              and e.fact_id = f.fact_id
        ) as k
        where f.project_id = renew_retention.project_id
          and f.fact_id = any (renew_retention.fact_ids)
          and f.retention_until <> k.retention_until
    loop
        update taisce.fact as f
        set retention_until = v_short.retention_until
        where f.project_id = renew_retention.project_id
          and f.fact_id = v_short.fact_id;
        update taisce.fact_version as v
        set retention_until = v_short.retention_until
        where v.project_id = renew_retention.project_id
          and v.fact_id = v_short.fact_id;
    end loop;
end
$func$;
comment on function taisce.renew_retention(bigint, uuid[]) is
'Facts that lost evidence are kept as long as the longest kept of what is left.';
revoke all on function taisce.renew_retention(bigint, uuid[]) from public;
