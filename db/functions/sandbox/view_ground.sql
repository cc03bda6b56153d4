-- taisce.view_ground()
-- What every view needs to know once: the project it shows, and the instant up to which a current
-- read takes no notice of a start (now plus the setting clock_skew). Views read it as a WITH query,
-- so that all their parts ask once, and have a condition on it alone, so that they ask before they
-- look at a row: else a row of another project would cost more than none.
-- Declared as many rows: the planner takes the project that is shown to be a 200th of a table, and
-- half of that to be granted. This makes up for both, or else it would join two views row by row.
-- Returns: one row.   Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

create or replace function taisce.view_ground()
returns table (project_id bigint, project text, horizon timestamptz)
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
    -- Whoever chose a project knows its name.
    v_project constant text := coalesce(
        nullif(current_setting('taisce.project', true), ''),
        (select p.name from taisce.project as p where p.project_id = v_project_id)
    );
begin
    return query
    select v_project_id, v_project, statement_timestamp() + s.value::interval
    from taisce.setting as s
    where s.name = 'clock_skew';
end
$func$;
comment on function taisce.view_ground() is
'The project that views show, and the instant at which current facts have begun.';
revoke all on function taisce.view_ground() from public;
grant execute on function taisce.view_ground() to taisce_analyst;
