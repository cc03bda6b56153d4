-- taisce.installed_parts()
-- What belongs to the tables of the memory: columns, constraints, indexes, triggers, policies,
-- rules and extended statistics, for installed_objects(). A part is called "name on table".
-- Returns: one row a part, no order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.installed_parts()
returns table (
    class text, identity text, owner oid, definition text, acl aclitem[], usual aclitem[],
    remark text, target text, mend text, undo text
)
language sql
stable
set search_path = pg_catalog
as $func$
    with relation as materialized (
        select c.oid as id, format('%I.%I', n.nspname, c.relname) as name, quote_ident(n.nspname)
            as home, c.relowner, c.relkind, c.relispartition
        from pg_class as c
        join pg_namespace as n on n.oid = c.relnamespace
        where n.nspname in ('taisce', 'memory_v1')
          and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and not exists (
            select from pg_inherits as i
            join pg_partitioned_table as p on p.partrelid = i.inhparent
            where i.inhrelid = c.oid and p.partstrat = 'l')
    ),
    part (class, name, relation, place, definition, remark, mend, undo, acl) as (
        select 'column', a.attname::text, r.name, a.attnum::integer,
            case when r.relkind in ('v', 'm') then format_type(a.atttypid, a.atttypmod)
                else concat_ws(' ', format_type(a.atttypid, a.atttypmod),
                    case when a.attcollation <> t.typcollation
                        then 'collate ' || a.attcollation::regcollation end,
                    case when a.attnotnull then 'not null' end,
                    case
                        when a.attgenerated <> '' then 'generated ' || a.attgenerated::text
                        when d.oid is not null then 'default'
                    end,
                    pg_get_expr(d.adbin, d.adrelid),
                    nullif('identity ' || a.attidentity::text, 'identity '),
                    'statistics ' || s.target,
                    case when a.attstorage <> t.typstorage
                        then 'storage ' || a.attstorage::text end,
                    nullif('compression ' || a.attcompression::text, 'compression '),
                    a.attoptions::text) end,
            col_description(r.id, a.attnum),
            case when r.relkind in ('r', 'p', 'f') then format(
                'alter table %s alter column %I %s not null, alter column %I set statistics %s',
                r.name, a.attname, case when a.attnotnull then 'set' else 'drop' end, a.attname,
                coalesce(s.target, '-1'))
                || case when a.attgenerated = '' and a.attidentity = ''
                    then format(', alter column %I ', a.attname)
                        || coalesce('set default ' || pg_get_expr(d.adbin, d.adrelid),
                            'drop default')
                    else '' end end,
            format('alter table %s drop column %I', r.name, a.attname), a.attacl
        from relation as r
        join pg_attribute as a on a.attrelid = r.id and a.attnum > 0 and not a.attisdropped
        join pg_type as t on t.oid = a.atttypid
        left join pg_attrdef as d on d.adrelid = r.id and d.adnum = a.attnum
        cross join lateral (
            select nullif(to_jsonb(a) ->> 'attstattarget', '-1') as target
        ) as s
        where not r.relispartition or a.attacl is not null
        union all
        select 'constraint', k.conname::text, r.name, 0,
            -- Without parentheses: a restored dump groups its words otherwise.
            concat_ws(' ', pg_get_constraintdef(k.oid, true),
                case when not k.convalidated then 'not validated' end,
                nullif((
                    select string_agg(distinct g.tgenabled::text, '' order by g.tgenabled::text)
                    from pg_trigger as g
                    where g.tgconstraint = k.oid
                ), 'O'),
                case when not i.indisvalid then 'invalid' end, i.reloptions),
            obj_description(k.oid, 'pg_constraint'),
            format('alter table %s drop constraint if exists %I, add constraint %I %s', r.name,
                k.conname, k.conname, pg_get_constraintdef(k.oid)),
            format('alter table %s drop constraint %I', r.name, k.conname), null
        from relation as r
        join pg_constraint as k on k.conrelid = r.id
        left join lateral (
            select x.indisvalid, c.reloptions::text
            from pg_index as x
            join pg_class as c on c.oid = x.indexrelid
            where x.indexrelid = k.conindid and k.contype in ('p', 'u', 'x')
        ) as i on true
        where k.conparentid = 0 and k.contype not in ('n', 't')
        union all
        select 'index', c.relname::text, r.name, 0,
            concat_ws(' ', pg_get_indexdef(c.oid), case when not x.indisvalid then 'invalid' end,
                s.words),
            obj_description(c.oid, 'pg_class'),
            -- ON ONLY would make the index of a partitioned table anew without those of its parts.
            concat_ws('; ', format('drop index if exists %s.%I', r.home, c.relname),
                case c.relkind when 'I'
                    then regexp_replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ')
                    else pg_get_indexdef(c.oid) end,
                s.statement),
            format('drop index %s.%I', r.home, c.relname), null
        from relation as r
        join pg_index as x on x.indrelid = r.id
        join pg_class as c on c.oid = x.indexrelid
        -- What an index keeps in statistics; those of a partitioned table have it in their parts.
        cross join lateral (
            select string_agg(format('statistics %s of column %s', u.target, u.place), ' '
                    order by u.place) as words,
                'do ' || quote_literal('declare v_part regclass; begin for v_part in '
                    || case c.relkind when 'I' then 'select inhrelid from pg_inherits where '
                        'inhparent = ' else 'select ' end
                    || quote_literal(format('%s.%I', r.home, c.relname)) || '::regclass loop '
                    || string_agg(format('execute format(%L, v_part);', format(
                        'alter index %%s alter column %s set statistics %s', u.place, u.target)),
                        ' ' order by u.place)
                    || ' end loop; end') as statement
            from (
                select a.attnum as place, string_agg(distinct v.target, '/' order by v.target)
                    as target
                from pg_attribute as a
                cross join lateral (
                    select coalesce(to_jsonb(a) ->> 'attstattarget', '-1') as target
                ) as v
                where a.attrelid = c.oid and c.relkind = 'i'
                    or c.relkind = 'I' and a.attrelid in (
                        select h.inhrelid from pg_inherits as h where h.inhparent = c.oid)
                group by a.attnum
            ) as u
            where u.target <> '-1'
        ) as s
        where not exists (
            select from pg_constraint as k
            where k.conindid = x.indexrelid and k.conrelid = r.id and k.contype in ('p', 'u', 'x'))
          and not exists (select from pg_inherits as h where h.inhrelid = c.oid)
        union all
        select 'trigger', g.tgname::text, r.name, 0,
            concat_ws(' ', pg_get_triggerdef(g.oid), case g.tgenabled when 'O' then null
                when 'D' then 'disabled' when 'A' then 'always' else 'replica' end),
            obj_description(g.oid, 'pg_trigger'),
            concat_ws('; ', format('drop trigger if exists %I on %s', g.tgname, r.name),
                pg_get_triggerdef(g.oid), case g.tgenabled when 'O' then null
                else format('alter table %s %s trigger %I', r.name, case g.tgenabled
                    when 'D' then 'disable' when 'A' then 'enable always' else 'enable replica' end,
                    g.tgname) end),
            format('drop trigger %I on %s', g.tgname, r.name), null
        from relation as r
        join pg_trigger as g on g.tgrelid = r.id
        where not g.tgisinternal
        union all
        select 'policy', w.polname::text, r.name, 0, w.words, obj_description(w.oid, 'pg_policy'),
            format('drop policy if exists %I on %s; create policy %I on %s %s', w.polname, r.name,
                w.polname, r.name, w.words),
            format('drop policy %I on %s', w.polname, r.name), null
        from relation as r
        join lateral (
            select p.oid, p.polname, concat_ws(' ',
                'as', case when p.polpermissive then 'permissive' else 'restrictive' end,
                'for', case p.polcmd when 'r' then 'select' when 'a' then 'insert'
                    when 'w' then 'update' when 'd' then 'delete' else 'all' end,
                'to', (
                    select string_agg(case u.id when 0 then 'public' else quote_ident(
                        pg_get_userbyid(u.id)) end, ', ' order by u.id)
                    from unnest(p.polroles) as u (id)
                ),
                'using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
                'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') as words
            from pg_policy as p
            where p.polrelid = r.id
        ) as w on true
        union all
        select 'rule', w.rulename::text, r.name, 0,
            concat_ws(' ', pg_get_ruledef(w.oid), nullif(w.ev_enabled::text, 'O')),
            obj_description(w.oid, 'pg_rewrite'),
            concat_ws('; ', format('drop rule if exists %I on %s', w.rulename, r.name),
                pg_get_ruledef(w.oid)),
            format('drop rule %I on %s', w.rulename, r.name), null
        from relation as r
        join pg_rewrite as w on w.ev_class = r.id
        where w.rulename <> '_RETURN'
        union all
        select 'statistics', x.stxname::text, r.name, 0,
            concat_ws(' ', pg_get_statisticsobjdef(x.oid),
                'statistics ' || nullif(to_jsonb(x) ->> 'stxstattarget', '-1')),
            obj_description(x.oid, 'pg_statistic_ext'),
            concat_ws('; ', format('drop statistics if exists %s', n.name),
                pg_get_statisticsobjdef(x.oid)),
            format('drop statistics %s', n.name), null
        from relation as r
        join pg_statistic_ext as x on x.stxrelid = r.id
        cross join lateral (
            select format('%I.%I', h.nspname, x.stxname) as name
            from pg_namespace as h where h.oid = x.stxnamespace
        ) as n
    )
    select p.class, format('%I on %s', p.name, p.relation),
        case p.class when 'column' then r.relowner else 0 end, p.definition,
        p.acl, acldefault('c', r.relowner), p.remark,
        case p.class when 'column' then format('(%I) on table %s', p.name, p.relation) end,
        p.mend, p.undo
    from part as p
    join relation as r on r.name = p.relation
$func$;
comment on function taisce.installed_parts() is
'Columns, constraints, indexes, triggers, policies, rules and statistics of the tables.';
revoke all on function taisce.installed_parts() from public;
