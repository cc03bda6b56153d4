-- taisce.installed_roles()
-- The five roles of the package: what each may by itself, the roles it is a member of, and default
-- privileges that reach the two schemas, for installed_objects(). Who is a member of them is the
-- business of whoever makes logins and is left out.
-- Returns: one row a role, membership or default, no order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.installed_roles()
returns table (
    class text, identity text, owner oid, definition text, acl aclitem[], usual aclitem[],
    remark text, target text, mend text, undo text
)
language sql
stable
set search_path = pg_catalog
as $func$
    with role as materialized (
        select r.*, quote_ident(r.rolname) as name
        from pg_roles as r
        where r.rolname in ('taisce_owner', 'taisce_reader', 'taisce_analyst', 'taisce_writer',
            'taisce_admin')
    )
    select 'role', r.name, 0::oid, concat_ws(', ', w.words, c.settings), null::aclitem[],
        null::aclitem[], shobj_description(r.oid, 'pg_authid'), null,
        null,
        'drop role ' || r.name
    from role as r
    cross join lateral (
        select concat_ws(', ',
            case when r.rolsuper then 'superuser' else 'nosuperuser' end,
            case when r.rolinherit then 'inherit' else 'noinherit' end,
            case when r.rolcreaterole then 'createrole' else 'nocreaterole' end,
            case when r.rolcreatedb then 'createdb' else 'nocreatedb' end,
            case when r.rolcanlogin then 'login' else 'nologin' end,
            case when r.rolreplication then 'replication' else 'noreplication' end,
            case when r.rolbypassrls then 'bypassrls' else 'nobypassrls' end,
            'connection limit ' || r.rolconnlimit,
            'valid until ' || quote_literal(r.rolvaliduntil)) as words
    ) as w
    cross join lateral (
        select string_agg(concat(case when g.setdatabase <> 0 then 'here ' end, u.setting), ', '
            order by g.setdatabase, u.setting) as settings
        from pg_db_role_setting as g
        cross join unnest(g.setconfig) as u (setting)
        where g.setrole = r.oid
          and g.setdatabase in (0, (
            select d.oid from pg_database as d where d.datname = current_database()))
    ) as c
    union all
    select 'membership', format('%I in %I', r.rolname, g.rolname), 0,
        string_agg(distinct concat_ws(', ', case when m.admin_option then 'admin' else 'member' end,
            case to_jsonb(m) ->> 'inherit_option' when 'false' then 'no inherit' end,
            case to_jsonb(m) ->> 'set_option' when 'false' then 'no set' end), '; '),
        null, null, null, null,
        format('grant %I to %I', g.rolname, r.rolname)
            || case when bool_or(m.admin_option) then ' with admin option' else format(
                '; revoke admin option for %I from %I', g.rolname, r.rolname) end,
        format('revoke %I from %I', g.rolname, r.rolname)
    from role as r
    join pg_auth_members as m on m.member = r.oid
    join pg_roles as g on g.oid = m.roleid
    group by r.rolname, g.rolname
    union all
    select 'default privileges', format('%s of %I%s', w.kind, pg_get_userbyid(d.defaclrole),
            ' in ' || quote_ident(n.nspname)), 0,
        array_to_string(array(
            select concat_ws('=', case x.grantee when 0 then 'public' else
                pg_get_userbyid(x.grantee)::text end, x.privilege_type)
            from aclexplode(d.defaclacl) as x order by 1), ' '),
        null, null, null, null, null,
        (
            select string_agg(format('alter default privileges for role %I%s %s %s on %s %s %s',
                pg_get_userbyid(d.defaclrole), ' in schema ' || quote_ident(n.nspname), 'revoke',
                x.privilege_type, w.kind, 'from',
                case x.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(x.grantee))
                    end), '; ')
            from aclexplode(d.defaclacl) as x
            where x.grantee <> d.defaclrole
        )
    from pg_default_acl as d
    left join pg_namespace as n on n.oid = d.defaclnamespace
    cross join lateral (
        select case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences'
            when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas'
            else 'large objects' end as kind
    ) as w
    where n.nspname in ('taisce', 'memory_v1')
       or (d.defaclrole in (select r.oid from role as r) and d.defaclnamespace = 0)
$func$;
comment on function taisce.installed_roles() is
'The roles of the package, their memberships and default privileges, as they are.';
revoke all on function taisce.installed_roles() from public;
