-- taisce.view_scope()
-- What every view needs to know once: the name of the project it shows, and the instant up to which
-- a current read takes no notice of a start (now plus the setting clock_skew).
-- Declared as many rows: the planner takes the project that is shown to be a 200th of a table, and
-- half of that to be granted. This makes up for both, or else it would join two views row by row.
-- Returns: one row.   Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

create or replace function taisce.view_scope()
returns table (project text, horizon timestamptz)
language plpgsql
stable
parallel safe
rows 400
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    -- Asked before any table is: no row of which a policy lets through would mean no error.
    v_project_id constant bigint := taisce.resolve_project(null, 'read');
begin
    return query
    select p.name, statement_timestamp() + s.value::interval
    from taisce.project as p
    cross join taisce.setting as s
    where p.project_id = v_project_id
      and s.name = 'clock_skew';
end
$func$;
comment on function taisce.view_scope() is
'Name of the project that views show, and the instant at which current facts have begun.';
revoke all on function taisce.view_scope() from public;
grant execute on function taisce.view_scope() to taisce_analyst;
