-- taisce.installed_objects()
-- Every object of the memory as the catalogue shows it now: what the two schemas hold, the parts of
-- its tables and the roles of the package, each in a form that two moments or two databases can be
-- compared by. definition is readable where it is short and its sha256 where it is long; privileges
-- holds what differs from the rights an owner has anyway. target is how GRANT and ALTER call the
-- object, mend what makes an object as it is now, undo what takes it away.
-- Returns: one row an object, no order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.installed_objects()
returns table (
    class text, identity text, owner text, definition text, privileges text, remark text,
    target text, mend text, undo text
)
language sql
stable
set search_path = pg_catalog
as $func$
    with object as materialized (
        select o.* from taisce.installed_relations() as o
        union all
        select o.* from taisce.installed_parts() as o
        union all
        select o.* from taisce.installed_roles() as o
    )
    select o.class, o.identity,
        case when o.owner = 0 or o.class = 'column' then '' else pg_get_userbyid(o.owner)::text end,
        case when octet_length(o.definition) <= 400 and o.class not in ('function', 'view')
            then o.definition
            else encode(sha256(convert_to(o.definition, 'UTF8')), 'hex') end,
        coalesce((
            select string_agg(format('%s=%s%s',
                case p.grantee when 0 then 'public' else pg_get_userbyid(p.grantee)::text end,
                p.privilege_type, case when p.is_grantable then '*' end), e'\n'
                order by p.grantee = 0 desc, pg_get_userbyid(p.grantee) collate "C",
                    p.privilege_type collate "C")
            from (
                select distinct x.grantee, x.privilege_type, x.is_grantable
                from aclexplode(o.acl) as x
                where x.grantee <> o.owner
                union all
                (
                    select d.grantee, '-' || d.privilege_type, false
                    from aclexplode(o.usual) as d
                    where d.grantee = o.owner
                    except
                    select x.grantee, '-' || x.privilege_type, false
                    from aclexplode(o.acl) as x
                )
            ) as p
        ), ''),
        coalesce(o.remark, ''), o.target, o.mend, o.undo
    from object as o
$func$;
comment on function taisce.installed_objects() is
'Every object of the memory as the catalogue shows it now, in a form that can be compared.';
revoke all on function taisce.installed_objects() from public;
