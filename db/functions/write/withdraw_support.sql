-- memory_v1.withdraw_support(fact_id, project)
-- Marks that the sources of a fact no longer support it, without ending the belief: reads show the
-- mark, and reports that cover the fact are withdrawn.
-- Returns: one row.   Raises: TS003, TS004.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.fact_support') is null then
        create type memory_v1.fact_support as (fact_id uuid, support text, repeated boolean);
    end if;
end
$do$;
comment on type memory_v1.fact_support is
'A fact whose support was withdrawn.';

create or replace function memory_v1.withdraw_support(fact_id uuid, project text default null)
returns setof memory_v1.fact_support
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(withdraw_support.project);
    v_fact taisce.fact := taisce.known_fact(v_project_id, withdraw_support.fact_id);
begin
    if v_fact.support = 'current' then
        update taisce.fact as f
        set support = 'withdrawn'
        where f.project_id = v_project_id
          and f.fact_id = v_fact.fact_id;
        perform taisce.withdraw_reports(
            v_project_id, array[v_fact.fact_id], 'support withdrawn',
            pg_catalog.clock_timestamp());
    end if;
    return next row(
        v_fact.fact_id, 'withdrawn', v_fact.support = 'withdrawn'
    )::memory_v1.fact_support;
end
$func$;
comment on function memory_v1.withdraw_support(uuid, text) is
'Mark that the sources of a fact no longer support it.';
revoke all on function memory_v1.withdraw_support(uuid, text) from public;
grant execute on function memory_v1.withdraw_support(uuid, text) to taisce_writer;
