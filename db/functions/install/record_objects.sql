-- taisce.record_objects(declared)
-- Writes down how the objects of this install look, and retires functions and views that no file
-- declares any more. declared: [{"path", "applied", "functions": [signature], "views": [name]}] of
-- every file of the package; what was recorded on another major version of the server is taken down
-- anew. What note_drift() found changed by hand is not recorded, so that it goes on to be told.
-- Returns: the number of retired objects.   Runs as: invoker.   Since: 0.1

create or replace function taisce.record_objects(declared jsonb)
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

    with noted as materialized (
        select n.class, n.identity, bool_or(n.change = 'added') as added,
            bool_or(n.change = 'owner') as owner, bool_or(n.change = 'comment') as remark,
            max(n.definition) filter (where n.change = 'definition') as definition,
            string_agg(n.detail, ' ') filter (where n.change = 'privileges') as privileges
        from jsonb_to_recordset(
            coalesce(nullif(current_setting('taisce.drift', true), ''), '[]')::jsonb) as n
            (class text, identity text, change text, detail text, definition text)
        group by n.class, n.identity
    )
    insert into taisce.ledger_object as l
        (class, identity, path, owner, definition, privileges, remark, target, mend, server_major)
    select o.class, o.identity, d.path,
        case when n.owner then r.owner else o.owner end,
        case when k.kept then r.definition else o.definition end,
        array_to_string(array(
            select i.item
            from string_to_table(o.privileges, e'\n') with ordinality as i (item, place)
            where n.privileges is null
               or i.item ~ '^(public|taisce_(owner|reader|analyst|writer|admin))='
               or '+' || i.item <> all (string_to_array(n.privileges, ' '))
            order by i.place), e'\n'),
        case when n.remark and d.path is null then r.remark else o.remark end,
        o.target,
        case when k.kept then r.mend else o.mend end,
        v_major
    from taisce.installed_objects() as o
    left join jsonb_to_recordset(v_known) as d
        (class text, identity text, path text, applied boolean)
        on d.class = o.class and d.identity = o.identity
    left join taisce.ledger_object as r on r.class = o.class and r.identity = o.identity
    left join noted as n on n.class = o.class and n.identity = o.identity
    cross join lateral (
        select n.definition is not distinct from o.definition and d.path is null
            and n.definition is not null as kept
    ) as k
    where d.applied
       or (n.added is not true and (
            r.class is null
            or r.server_major <> v_major
            or o.class not in ('function', 'view')))
    on conflict (class, identity) do update
    set path = coalesce(excluded.path, l.path),
        owner = excluded.owner,
        definition = excluded.definition,
        privileges = excluded.privileges,
        remark = excluded.remark,
        target = excluded.target,
        mend = excluded.mend,
        server_major = excluded.server_major,
        retired_at = case when excluded.path is null then l.retired_at end;

    -- What a migration took away.
    delete from taisce.ledger_object as l
    where l.class not in ('function', 'view')
      and not exists (
        select from taisce.installed_objects() as o
        where o.class = l.class and o.identity = l.identity)
      and not exists (
        select from jsonb_to_recordset(
            coalesce(nullif(current_setting('taisce.drift', true), ''), '[]')::jsonb) as n
            (class text, identity text)
        where n.class = l.class and n.identity = l.identity);

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
comment on function taisce.record_objects(jsonb) is
'Writes down how the objects of an install look and retires what no file declares any more.';
revoke all on function taisce.record_objects(jsonb) from public;
