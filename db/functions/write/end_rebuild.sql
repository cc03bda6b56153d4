-- memory_v1.end_rebuild(project)
-- Ends the running rebuild, done or given up.
-- Returns: one row.   Raises: TS003, TS004 if none is running.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1
-- requires: write/begin_rebuild.sql

create or replace function memory_v1.end_rebuild(project text default null)
returns setof memory_v1.rebuild_state
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(end_rebuild.project);
    v_running taisce.rebuild := taisce.running_rebuild(v_project_id);
begin
    return query
    update taisce.rebuild as r
    set ended_at = pg_catalog.clock_timestamp()
    where r.project_id = v_project_id
      and r.rebuild_id = v_running.rebuild_id
    returning r.rebuild_id, r.from_offset, r.to_offset, r.at_offset, r.started_at, r.ended_at;
end
$func$;
comment on function memory_v1.end_rebuild(text) is 'End the running rebuild, done or given up.';
revoke all on function memory_v1.end_rebuild(text) from public;
grant execute on function memory_v1.end_rebuild(text) to taisce_writer;
