-- memory_v1.current_project_id()
-- The project that the views show: the setting taisce.project, else the only one granted.
-- Returns: one bigint.   Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.current_project_id()
returns bigint
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
begin
    return taisce.resolve_project(null, 'read');
end
$func$;
comment on function memory_v1.current_project_id() is
'Number of the project that views show: the setting taisce.project, else the only one granted.';
revoke all on function memory_v1.current_project_id() from public;
grant execute on function memory_v1.current_project_id()
to taisce_reader, taisce_analyst, taisce_writer;
