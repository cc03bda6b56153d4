-- taisce.known_fact(project_id, fact_id)
-- The fact that a write is about.
-- Returns: one fact.   Raises: TS004 if it is unknown, erased, expired or another project's.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.known_fact(project_id bigint, fact_id uuid)
returns taisce.fact
language plpgsql
volatile
as $func$
declare
    v_fact taisce.fact;
begin
    select f.*
    into v_fact
    from taisce.fact as f
    where f.project_id = known_fact.project_id
      and f.fact_id between known_fact.fact_id and known_fact.fact_id
      and f.retention_until > pg_catalog.statement_timestamp()
    order by f.fact_id
    limit 1;
    if not found then
        perform taisce.not_found();
    end if;
    return v_fact;
end
$func$;
comment on function taisce.known_fact(bigint, uuid) is 'The fact that a write is about, or TS004.';
revoke all on function taisce.known_fact(bigint, uuid) from public;
