-- taisce.keep_administrator(project_id)
-- Refuses to leave a project without a role that has admin access.
-- Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.keep_administrator(project_id bigint)
returns void
language plpgsql
volatile
as $func$
begin
    if not exists (
        select from taisce.project_grant as g
        join pg_catalog.pg_roles as r on r.oid = g.grantee
        where g.project_id = keep_administrator.project_id and g.access = 'admin'
    ) then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'grantee: nobody would be left with admin access to the project',
            hint = 'Grant admin access to another role first.';
    end if;
end
$func$;
comment on function taisce.keep_administrator(bigint) is
'Refuses to leave a project without a role that has admin access.';
revoke all on function taisce.keep_administrator(bigint) from public;
