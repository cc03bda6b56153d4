-- taisce.open_admin(project)
-- The project to administer, its clock held until the transaction ends.
-- Returns: one bigint.   Raises: TS003, TS005, 40001.   Runs as: invoker.   Since: 0.1

create or replace function taisce.open_admin(project text)
returns bigint
language plpgsql
volatile
as $func$
declare
    v_project_id bigint := taisce.resolve_project(open_admin.project, 'admin');
begin
    perform taisce.lock_clock(v_project_id);
    return v_project_id;
end
$func$;
comment on function taisce.open_admin(text) is
'The project to administer, its clock held until the transaction ends.';
revoke all on function taisce.open_admin(text) from public;
