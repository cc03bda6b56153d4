-- memory_v1.grant_project(project, grantee, access)
-- Lets a role, and everybody who is a member of it, use a project: read; write (and read); admin
-- (all of it). What the role had there before is replaced.
-- Raises: TS003, TS005.   Runs as: owner; the caller needs admin access there.   Since: 0.1

create or replace function memory_v1.grant_project(project text, grantee text, access text)
returns void
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project bigint := taisce.resolve_project(grant_project.project, 'manage');
begin
    if grant_project.access is null
        or grant_project.access not in ('read', 'write', 'admin')
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'access: read, write or admin is needed',
            hint = 'To take access away call memory_v1.revoke_project().';
    end if;
    -- One change of grants at a time, so that two cannot each take the last administrator.
    perform p.project_id from taisce.project as p where p.project_id = v_project for update;
    insert into taisce.project_grant as g (project_id, grantee, access, suspended)
    select v_project, taisce.grantee_oid(grant_project.grantee), grant_project.access,
        p.status = 'suspended'
    from taisce.project as p
    where p.project_id = v_project
    on conflict on constraint project_grant_pkey do update set access = excluded.access;
    perform taisce.keep_administrator(v_project);
end
$func$;
comment on function memory_v1.grant_project(text, text, text) is
'Let a role and its members use a project. access: read, write (and read) or admin; replaces what '
'the role had there.';
revoke all on function memory_v1.grant_project(text, text, text) from public;
grant execute on function memory_v1.grant_project(text, text, text) to taisce_admin;
