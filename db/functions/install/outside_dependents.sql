-- taisce.outside_dependents()
-- Objects of other schemas that would go if the memory were removed: views and functions that
-- somebody built on it.
-- Returns: one row an object, by name.   Runs as: invoker.   Since: 0.1

create or replace function taisce.outside_dependents()
returns table (class text, identity text)
language sql
stable
set search_path = pg_catalog
as $func$
    with recursive needed (classid, objid) as (
        select 'pg_class'::regclass::oid, c.oid
        from pg_class as c
        where c.relnamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)
        union
        select 'pg_proc'::regclass::oid, p.oid
        from pg_proc as p
        where p.pronamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)
        union
        select 'pg_type'::regclass::oid, t.oid
        from pg_type as t
        where t.typnamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)
    ),
    reached (classid, objid) as (
        select n.classid, n.objid
        from needed as n
        union
        select case when w.oid is null then d.classid else 'pg_class'::regclass::oid end,
            coalesce(w.ev_class, d.objid)
        from reached as r
        join pg_depend as d on d.refclassid = r.classid and d.refobjid = r.objid
        left join pg_rewrite as w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
        where d.deptype in ('n', 'a', 'i')
    )
    select distinct i.type, i.identity
    from reached as r
    cross join lateral pg_identify_object(r.classid, r.objid, 0) as i
    where i.schema is not null
      and i.schema not in ('taisce', 'memory_v1', 'pg_toast')
      and i.type in ('view', 'materialized view', 'table', 'function', 'procedure')
    order by 2, 1
$func$;
comment on function taisce.outside_dependents() is
'Views, tables and functions of other schemas that were built on the memory.';
revoke all on function taisce.outside_dependents() from public;
