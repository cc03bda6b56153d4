-- memory_v1.advance_rebuild(at_offset, project)
-- Says how far the running rebuild has come: the last offset done, never going back.
-- Returns: one row.   Raises: TS003, TS004 if none is running, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1
-- requires: write/begin_rebuild.sql

create or replace function memory_v1.advance_rebuild(at_offset bigint, project text default null)
returns setof memory_v1.rebuild_state
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(advance_rebuild.project);
    v_running taisce.rebuild := taisce.running_rebuild(v_project_id);
begin
    if advance_rebuild.at_offset is null
        or advance_rebuild.at_offset not between v_running.at_offset and v_running.to_offset
    then
        perform taisce.refuse_argument('at_offset',
            'must lie between what is done and the end of the range');
    end if;
    update taisce.rebuild as r
    set at_offset = advance_rebuild.at_offset
    where r.project_id = v_project_id
      and r.rebuild_id = v_running.rebuild_id;
    return next row(
        v_running.rebuild_id, v_running.from_offset, v_running.to_offset,
        advance_rebuild.at_offset, v_running.started_at, v_running.ended_at
    )::memory_v1.rebuild_state;
end
$func$;
comment on function memory_v1.advance_rebuild(bigint, text) is
'Say how far the running rebuild has come.';
revoke all on function memory_v1.advance_rebuild(bigint, text) from public;
grant execute on function memory_v1.advance_rebuild(bigint, text) to taisce_writer;
