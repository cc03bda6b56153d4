-- taisce.is_admin()
-- Returns: whether the caller is a member of taisce_admin.   Runs as: invoker.   Since: 0.1

create or replace function taisce.is_admin()
returns boolean
language sql
stable
as $func$
    select pg_catalog.pg_has_role(taisce.caller(), 'taisce_admin', 'USAGE')
$func$;
comment on function taisce.is_admin() is 'Whether the caller is a member of taisce_admin.';
revoke all on function taisce.is_admin() from public;
