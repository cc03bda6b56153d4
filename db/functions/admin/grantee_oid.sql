-- taisce.grantee_oid(grantee)
-- Returns: the oid of a role by its plain name.   Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.grantee_oid(grantee text)
returns oid
language plpgsql
stable
parallel safe
as $func$
declare
    v_oid oid := (
        select r.oid from pg_catalog.pg_roles as r where r.rolname = grantee_oid.grantee);
begin
    if v_oid is null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'grantee: there is no role of that name',
            hint = 'Give the name of a role as pg_roles shows it, without quotes.';
    end if;
    return v_oid;
end
$func$;
comment on function taisce.grantee_oid(text) is 'The oid of a role by its plain name.';
revoke all on function taisce.grantee_oid(text) from public;
