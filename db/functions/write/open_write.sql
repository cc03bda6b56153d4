-- taisce.open_write(project)
-- The project to write to, its clock held until the transaction ends.
-- Returns: one bigint.   Raises: TS003, TS005, 40001.   Runs as: invoker.   Since: 0.1

create or replace function taisce.open_write(project text)
returns bigint
language plpgsql
volatile
as $func$
declare
    v_project_id bigint := taisce.resolve_project(open_write.project, 'write');
begin
    perform taisce.lock_clock(v_project_id);
    return v_project_id;
end
$func$;
comment on function taisce.open_write(text) is
'The project to write to, its clock held until the transaction ends.';
revoke all on function taisce.open_write(text) from public;
