-- memory_v1.suspend_project(project, suspended)
-- Takes a project out of service, or back into it (suspended => false). A suspended project is
-- unknown to every read and write; nothing in it changes.
-- Returns: whether that changed anything.   Raises: TS003, TS005.
-- Runs as: owner; the caller needs admin access there.   Since: 0.1

create or replace function memory_v1.suspend_project(
    project text, suspended boolean default true
)
returns boolean
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project bigint := taisce.resolve_project(suspend_project.project, 'manage');
    v_status text := case when suspend_project.suspended then 'suspended' else 'active' end;
    v_changed boolean;
begin
    if suspend_project.suspended is null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'suspended: true or false is needed',
            hint = 'Leave it out to suspend.';
    end if;
    update taisce.project as p
    set status = v_status
    where p.project_id = v_project and p.status <> v_status;
    v_changed := found;
    update taisce.project_grant as g
    set suspended = suspend_project.suspended
    where g.project_id = v_project and g.suspended <> suspend_project.suspended;
    return v_changed;
end
$func$;
comment on function memory_v1.suspend_project(text, boolean) is
'Take a project out of service, or back into it with suspended => false. A suspended project is '
'unknown to reads and writes.';
revoke all on function memory_v1.suspend_project(text, boolean) from public;
grant execute on function memory_v1.suspend_project(text, boolean) to taisce_admin;
