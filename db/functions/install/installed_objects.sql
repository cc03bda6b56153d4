-- taisce.installed_objects()
-- Every object of the two schemas as the catalogue shows it now, in a form that two moments or two
-- databases can be compared by. definition and remark are sha256 in hex; privileges is readable and
-- leaves out what an owner has anyway.
-- Returns: one row an object, no order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.installed_objects()
returns table (
    class text, identity text, definition text, privileges text, remark text
)
language sql
stable
set search_path = pg_catalog
as $func$
    with home as materialized (
        select n.oid, n.nspname, n.nspowner, n.nspacl
        from pg_namespace as n
        where n.nspname in ('taisce', 'memory_v1')
    ),
    relation as materialized (
        select c.oid, c.relname, c.relkind, c.relowner, c.relacl, c.reltype, c.reloptions,
            c.relrowsecurity, c.relforcerowsecurity, h.nspname
        from pg_class as c
        join home as h on h.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'S', 'c')
          and not c.relispartition
    ),
    object (class, identity, owner, definition, acl, remark) as (
        select 'schema', quote_ident(h.nspname), h.nspowner, '',
            coalesce(h.nspacl, acldefault('n', h.nspowner)),
            obj_description(h.oid, 'pg_namespace')
        from home as h
        union all
        select 'function', p.oid::regprocedure::text, p.proowner, pg_get_functiondef(p.oid),
            coalesce(p.proacl, acldefault('f', p.proowner)), obj_description(p.oid, 'pg_proc')
        from pg_proc as p
        join home as h on h.oid = p.pronamespace
        where p.prokind in ('f', 'p')
        union all
        select case r.relkind when 'v' then 'view' when 'm' then 'view' when 'S' then 'sequence'
                when 'c' then 'type' else 'table' end,
            format('%I.%I', r.nspname, r.relname), r.relowner,
            case
                when r.relkind in ('v', 'm') then concat_ws(' ', r.reloptions::text,
                    pg_get_viewdef(r.oid))
                when r.relkind in ('r', 'p') then concat_ws(' ', r.relrowsecurity::text,
                    r.relforcerowsecurity::text, (
                        select string_agg(concat_ws(' ', w.polname, w.polcmd, w.polpermissive,
                            w.polroles::regrole[]::text, pg_get_expr(w.polqual, w.polrelid),
                            pg_get_expr(w.polwithcheck, w.polrelid)), '; ' order by w.polname)
                        from pg_policy as w
                        where w.polrelid = r.oid
                    ))
                when r.relkind = 'c' then (
                    select string_agg(concat_ws(' ', a.attname, format_type(
                        a.atttypid, a.atttypmod)), ', ' order by a.attnum)
                    from pg_attribute as a
                    where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
                )
                else '' end,
            case when r.relkind = 'c' then (
                    select coalesce(t.typacl, acldefault('T', t.typowner))
                    from pg_type as t
                    where t.oid = r.reltype
                )
                else coalesce(r.relacl, acldefault(
                    case when r.relkind = 'S' then 's' else 'r' end::"char", r.relowner)) end,
            concat_ws('; ',
                case when r.relkind = 'c' then obj_description(r.reltype, 'pg_type')
                    else obj_description(r.oid, 'pg_class') end,
                (
                    select string_agg(concat_ws(' ', a.attname, a.attacl::text,
                        col_description(r.oid, a.attnum)), '; ' order by a.attnum)
                    from pg_attribute as a
                    where a.attrelid = r.oid
                      and a.attnum > 0
                      and not a.attisdropped
                      and (a.attacl is not null or col_description(r.oid, a.attnum) is not null)
                ))
        from relation as r
        union all
        select 'type', t.oid::regtype::text, t.typowner,
            case t.typtype
                when 'e' then (
                    select string_agg(e.enumlabel, ', ' order by e.enumsortorder)
                    from pg_enum as e
                    where e.enumtypid = t.oid
                )
                else concat_ws(' ', format_type(t.typbasetype, t.typtypmod), (
                    select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname)
                    from pg_constraint as k
                    where k.contypid = t.oid
                )) end,
            coalesce(t.typacl, acldefault('T', t.typowner)), obj_description(t.oid, 'pg_type')
        from pg_type as t
        join home as h on h.oid = t.typnamespace
        where t.typtype in ('e', 'd')
    )
    select o.class, o.identity,
        encode(sha256(convert_to(concat_ws(' ', pg_get_userbyid(o.owner), o.definition), 'UTF8')),
            'hex'),
        coalesce((
            select string_agg(format('%s=%s%s',
                case x.grantee when 0 then 'public' else pg_get_userbyid(x.grantee)::text end,
                x.privilege_type, case when x.is_grantable then '*' end), ' '
                order by x.grantee = 0 desc, pg_get_userbyid(x.grantee) collate "C",
                    x.privilege_type collate "C")
            from aclexplode(o.acl) as x
            where x.grantee <> o.owner
        ), ''),
        encode(sha256(convert_to(coalesce(o.remark, ''), 'UTF8')), 'hex')
    from object as o
$func$;
comment on function taisce.installed_objects() is
'Every object of the memory as the catalogue shows it now, hashed for comparison.';
revoke all on function taisce.installed_objects() from public;
