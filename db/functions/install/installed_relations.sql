-- taisce.installed_relations()
-- The two schemas, and the functions, tables, views, sequences and types in them, for
-- installed_objects(); any other kind of object there by its name alone. Partitions of a table that
-- is cut by list come and go as the memory is used and are left out.
-- Returns: one row an object, no order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.installed_relations()
returns table (
    class text, identity text, owner oid, definition text, acl aclitem[], usual aclitem[],
    remark text, target text, mend text, undo text
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
        select c.*, c.oid as id, format('%I.%I', h.nspname, c.relname) as name
        from pg_class as c
        join home as h on h.oid = c.relnamespace
        where c.relkind not in ('i', 'I', 't')
          and not exists (
            select from pg_inherits as i
            join pg_partitioned_table as p on p.partrelid = i.inhparent
            where i.inhrelid = c.oid and p.partstrat = 'l')
    ),
    made as (
        select 'schema' as class, quote_ident(h.nspname) as identity, h.nspowner as owner,
            '' as definition, h.nspacl as acl, acldefault('n', h.nspowner) as usual,
            obj_description(h.oid, 'pg_namespace') as remark,
            'schema ' || quote_ident(h.nspname) as target, null::text as mend
        from home as h
        union all
        select 'function', p.oid::regprocedure::text, p.proowner,
            case p.prokind when 'a' then (
                    select (to_jsonb(a) - 'aggfnoid')::text
                    from pg_aggregate as a
                    where a.aggfnoid = p.oid)
                else pg_get_functiondef(p.oid) end,
            p.proacl, acldefault('f', p.proowner), obj_description(p.oid, 'pg_proc'),
            'routine ' || p.oid::regprocedure::text, null
        from pg_proc as p
        join home as h on h.oid = p.pronamespace
        union all
        select case when r.relkind in ('v', 'm') then 'view' else 'table' end, r.name, r.relowner,
            case when r.relkind in ('v', 'm') then concat_ws(' ', r.relkind, r.reloptions::text,
                    pg_get_viewdef(r.id))
                else concat_ws(', ',
                    case r.relkind when 'p' then 'cut by ' || pg_get_partkeydef(r.id)
                        when 'f' then 'foreign' end,
                    case r.relpersistence when 'u' then 'unlogged' end,
                    case when r.relrowsecurity then 'row security' end,
                    case when r.relforcerowsecurity then 'forced' end,
                    array_to_string(
                        array(select o from unnest(r.reloptions) as o order by 1), ', '),
                    case when r.relreplident <> 'd'
                        then 'replica identity ' || r.relreplident::text end,
                    (
                        select string_agg(concat_ws(' ', 'part of', i.inhparent::regclass,
                            pg_get_expr(r.relpartbound, r.id)), ', ' order by i.inhseqno)
                        from pg_inherits as i
                        where i.inhrelid = r.id
                    )) end,
            r.relacl, acldefault('r', r.relowner), obj_description(r.id, 'pg_class'),
            'table ' || r.name,
            case when r.relkind in ('r', 'p') then concat_ws('; ',
                format('alter table %s %s row level security, %s force row level security', r.name,
                    case when r.relrowsecurity then 'enable' else 'disable' end,
                    case when r.relforcerowsecurity then '' else 'no' end),
                (
                    select format('alter table %s reset (%s)', r.name, string_agg(
                        s.name, ', ' order by s.place))
                    from unnest(array['fillfactor', 'autovacuum_enabled', 'parallel_workers',
                        'autovacuum_vacuum_insert_scale_factor', 'toast_tuple_target',
                        'autovacuum_vacuum_insert_threshold', 'autovacuum_vacuum_scale_factor',
                        'autovacuum_vacuum_threshold', 'autovacuum_analyze_scale_factor',
                        'autovacuum_analyze_threshold', 'autovacuum_freeze_max_age',
                        'autovacuum_vacuum_cost_delay', 'autovacuum_vacuum_cost_limit'])
                        with ordinality as s (name, place)
                    where r.relkind = 'r'
                ),
                'alter table ' || r.name || ' set (' || (
                    select string_agg(o, ', ' order by o) from unnest(r.reloptions) as o
                ) || ')',
                case when r.relkind = 'r' then format('alter table %s set %s', r.name,
                    case r.relpersistence when 'u' then 'unlogged' else 'logged' end) end
            ) end
        from relation as r
        where r.relkind not in ('S', 'c')
        union all
        select 'sequence', r.name, r.relowner,
            format('%s from %s to %s by %s starts %s cache %s%s, of %s', s.seqtypid::regtype,
                s.seqmin, s.seqmax, s.seqincrement, s.seqstart, s.seqcache,
                case when s.seqcycle then ' cycle' end, owned.column),
            r.relacl, acldefault('s', r.relowner), obj_description(r.id, 'pg_class'),
            'sequence ' || r.name,
            format('alter sequence %s as %s minvalue %s maxvalue %s increment %s start %s cache %s '
                '%s cycle owned by %s', r.name, s.seqtypid::regtype, s.seqmin, s.seqmax,
                s.seqincrement, s.seqstart, s.seqcache, case when s.seqcycle then '' else 'no' end,
                owned.column)
        from relation as r
        join pg_sequence as s on s.seqrelid = r.id
        cross join lateral (
            select coalesce(min(format('%s.%I', d.refobjid::regclass, a.attname)), 'none')
                as column
            from pg_depend as d
            join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
            where d.classid = 'pg_class'::regclass and d.objid = r.id
              and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
        ) as owned
        union all
        select 'type', t.oid::regtype::text, t.typowner,
            case t.typtype
                when 'e' then (
                    select string_agg(e.enumlabel, ', ' order by e.enumsortorder)
                    from pg_enum as e
                    where e.enumtypid = t.oid
                )
                when 'c' then (
                    select string_agg(concat_ws(' ', a.attname, format_type(
                        a.atttypid, a.atttypmod)), ', ' order by a.attnum)
                    from pg_attribute as a
                    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
                )
                else concat_ws(' ', format_type(t.typbasetype, t.typtypmod), t.typdefault,
                    case when t.typnotnull then 'not null' end, (
                        select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname)
                        from pg_constraint as k
                        where k.contypid = t.oid
                    )) end,
            t.typacl, acldefault('T', t.typowner), obj_description(t.oid, 'pg_type'),
            'type ' || t.oid::regtype::text, null
        from pg_type as t
        join home as h on h.oid = t.typnamespace
        where t.typelem = 0 and t.typtype <> 'm'
          and (t.typrelid = 0 or exists (
            select from pg_class as c where c.oid = t.typrelid and c.relkind = 'c'))
        union all
        select 'other', concat_ws(' ', i.type, i.identity), 0, '', null, null, null, null, null
        from home as h
        join pg_depend as d on d.refclassid = 'pg_namespace'::regclass and d.refobjid = h.oid
        cross join lateral pg_identify_object(d.classid, d.objid, 0) as i
        where d.classid not in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass,
            'pg_default_acl'::regclass, 'pg_constraint'::regclass, 'pg_statistic_ext'::regclass)
    )
    select m.class, m.identity, m.owner, m.definition, coalesce(m.acl, m.usual), m.usual, m.remark,
        m.target, m.mend,
        case m.class when 'view' then 'drop view ' || m.identity
            when 'other' then 'drop ' || m.identity
            else 'drop ' || m.target end
    from made as m
$func$;
comment on function taisce.installed_relations() is
'The two schemas and what lies in them, as the catalogue shows it now.';
revoke all on function taisce.installed_relations() from public;
