-- taisce.lengthen_retention(project_id, fact_id, retention_until)
-- A fact is kept as long as the longest kept of its evidence.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.lengthen_retention(
    project_id bigint,
    fact_id uuid,
    retention_until timestamptz
)
returns void
language plpgsql
volatile
as $func$
begin
    update taisce.fact as f
    set retention_until = lengthen_retention.retention_until
    where f.project_id = lengthen_retention.project_id
      and f.fact_id = lengthen_retention.fact_id
      and f.retention_until < lengthen_retention.retention_until;
    if found then
        update taisce.fact_version as v
        set retention_until = lengthen_retention.retention_until
        where v.project_id = lengthen_retention.project_id
          and v.fact_id = lengthen_retention.fact_id;
    end if;
end
$func$;
comment on function taisce.lengthen_retention(bigint, uuid, timestamptz) is
'A fact is kept as long as the longest kept of its evidence.';
revoke all on function taisce.lengthen_retention(bigint, uuid, timestamptz) from public;
