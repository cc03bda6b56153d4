-- taisce.record_objects(declared, migrated)
-- Writes down how the objects of this install look, and retires functions and views that no file
-- declares any more. declared: [{"path", "applied", "functions": [signature], "views": [name]}] of
-- every file of the package; migrated: tables may have changed, look at them again. What was
-- recorded on another major version of the server is taken down anew.
-- Returns: the number of retired objects.   Runs as: invoker.   Since: 0.1

create or replace function taisce.record_objects(declared jsonb, migrated boolean)
returns integer
language plpgsql
set search_path = pg_catalog
as $func$
declare
    v_major integer := current_setting('server_version_num')::int / 10000;
    v_known jsonb;
    v_retired integer;
begin
    -- A function that a migration and a later file both declare belongs to the later file.
    select coalesce(jsonb_agg(to_jsonb(d)), '[]')
    into v_known
    from (
        select distinct on (e.class, e.identity) e.class, e.identity, f.file ->> 'path' as path,
            bool_or((f.file ->> 'applied')::boolean)
                over (partition by e.class, e.identity) as applied
        from jsonb_array_elements(record_objects.declared) with ordinality as f (file, place)
        cross join lateral (
            select 'function', to_regprocedure(s.name)::text
            from jsonb_array_elements_text(f.file -> 'functions') as s (name)
            union all
            select 'view', format('%I.%I', n.nspname, c.relname)
            from jsonb_array_elements_text(f.file -> 'views') as s (name)
            join pg_class as c on c.oid = to_regclass(s.name)
            join pg_namespace as n on n.oid = c.relnamespace
        ) as e (class, identity)
        where e.identity is not null
        order by e.class, e.identity, f.place desc
    ) as d;

    insert into taisce.ledger_object as l
        (class, identity, path, definition, privileges, remark, server_major)
    select o.class, o.identity, d.path, o.definition, o.privileges, o.remark, v_major
    from taisce.installed_objects() as o
    left join jsonb_to_recordset(v_known) as d
        (class text, identity text, path text, applied boolean)
        on d.class = o.class and d.identity = o.identity
    where d.applied
       or (record_objects.migrated and o.class not in ('function', 'view'))
       or (o.class not in ('function', 'view') and not exists (
            select from taisce.ledger_object as r
            where r.class = o.class and r.identity = o.identity))
       or exists (
            select from taisce.ledger_object as r
            where r.class = o.class and r.identity = o.identity and r.server_major <> v_major
        )
    on conflict (class, identity) do update
    set path = coalesce(excluded.path, l.path),
        definition = excluded.definition,
        privileges = excluded.privileges,
        remark = excluded.remark,
        server_major = excluded.server_major,
        retired_at = case when excluded.path is null then l.retired_at end;

    update taisce.ledger_object as l
    set retired_at = now()
    where l.class in ('function', 'view')
      and l.retired_at is null
      and not exists (
        select from jsonb_to_recordset(v_known) as d (class text, identity text)
        where d.class = l.class and d.identity = l.identity
      );
    get diagnostics v_retired = row_count;
    return v_retired;
end
$func$;
comment on function taisce.record_objects(jsonb, boolean) is
'Writes down how the objects of an install look and retires what no file declares any more.';
revoke all on function taisce.record_objects(jsonb, boolean) from public;
