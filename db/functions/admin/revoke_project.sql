-- memory_v1.revoke_project(project, grantee)
-- Takes a role's access to a project away. The last role with admin access stays.
-- Returns: whether it had any.   Raises: TS003, TS005.
-- Runs as: owner; the caller needs admin access there.   Since: 0.1

create or replace function memory_v1.revoke_project(project text, grantee text)
returns boolean
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project bigint := taisce.resolve_project(revoke_project.project, 'manage');
    v_grantee oid := taisce.grantee_oid(revoke_project.grantee);
    v_found boolean;
begin
    perform p.project_id from taisce.project as p where p.project_id = v_project for update;
    delete from taisce.project_grant as g
    where g.project_id = v_project and g.grantee = v_grantee;
    v_found := found;
    perform taisce.keep_administrator(v_project);
    return v_found;
end
$func$;
comment on function memory_v1.revoke_project(text, text) is
'Take a role''s access to a project away; true if it had any. The last administrator stays.';
revoke all on function memory_v1.revoke_project(text, text) from public;
grant execute on function memory_v1.revoke_project(text, text) to taisce_admin;
