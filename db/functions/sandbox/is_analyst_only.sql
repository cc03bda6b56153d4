-- taisce.is_analyst_only(login)
-- Tells whether a login is a member of the analysts and of no role that may do more than they:
-- no superuser, none that bypasses row security, makes roles or databases, replicates, is the
-- server's own (pg_...) or another group of this memory. Groups in between are fine.
-- Returns: one boolean.   Runs as: invoker.   Since: 0.1

create or replace function taisce.is_analyst_only(login name)
returns boolean
language sql
stable
parallel safe
set search_path = pg_catalog, pg_temp
as $func$
    with recursive reach as (
        select r.oid
        from pg_roles as r
        where r.rolname = is_analyst_only.login
        union
        select m.roleid
        from pg_auth_members as m
        join reach on m.member = reach.oid
    )
    select coalesce(
        bool_or(r.rolname = 'taisce_analyst')
        and not bool_or(
            r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
            or starts_with(r.rolname, 'pg_')
            or r.rolname = any (
                array['taisce_owner', 'taisce_reader', 'taisce_writer', 'taisce_admin'])
        ),
        false
    )
    from reach
    join pg_roles as r on r.oid = reach.oid
$func$;
comment on function taisce.is_analyst_only(name) is
'Whether a login is a member of the analysts and of no role that may do more.';
revoke all on function taisce.is_analyst_only(name) from public;
