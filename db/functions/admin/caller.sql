-- taisce.caller()
-- The role that asks: the one chosen by SET ROLE, else the one that logged in. Inside a definer
-- function current_user is the owner, so this is the only honest answer there.
-- Returns: one name.   Runs as: invoker.   Since: 0.1

create or replace function taisce.caller()
returns name
language sql
stable
parallel safe
as $func$
    select case
        when pg_catalog.current_setting('role') = 'none' then session_user
        else pg_catalog.current_setting('role')::pg_catalog.name
    end
$func$;
comment on function taisce.caller() is 'The role that asks: chosen by SET ROLE, else the login.';
revoke all on function taisce.caller() from public;
