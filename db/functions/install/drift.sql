-- taisce.drift()
-- What somebody changed by hand since the last install: anything that the installer made and that
-- is gone or different, and anything added to its tables, schemas and roles. Definitions recorded
-- on another major version of the server are not compared: they may print differently there. Parts
-- of a table that is itself gone or added are not told one by one.
-- Returns: one row a change (missing, added, owner, definition, privileges, comment) by class and
-- identity; detail: what differs, where that is short; mend: SQL that takes the change back, null
-- where a file of the package does it or nothing can.   Runs as: invoker.   Since: 0.1

create or replace function taisce.drift()
returns table (class text, identity text, path text, change text, detail text, mend text)
language sql
stable
set search_path = pg_catalog
as $func$
    with present as materialized (
        select o.*, substring(o.identity from ' on (.*)$') as whole
        from taisce.installed_objects() as o
    ),
    recorded as materialized (
        select l.*, substring(l.identity from ' on (.*)$') as whole
        from taisce.ledger_object as l
        where l.retired_at is null
    ),
    pair as (
        select coalesce(t.class, n.class) as class, coalesce(t.identity, n.identity) as identity,
            coalesce(t.whole, n.whole) as whole, t.path, t.identity as was, n.identity as is,
            t.server_major = current_setting('server_version_num')::int / 10000 as comparable,
            coalesce(n.target, t.target) as target, t.mend, n.undo,
            t.owner as old_owner, n.owner as new_owner,
            t.definition as old_definition, n.definition as new_definition,
            t.remark as old_remark, n.remark as new_remark,
            array(select o.item from string_to_table(t.privileges, e'\n') as o (item)
                except select o.item from string_to_table(n.privileges, e'\n') as o (item)) as lost,
            array(select o.item from string_to_table(n.privileges, e'\n') as o (item)
                except select o.item from string_to_table(t.privileges, e'\n') as o (item)) as won
        from recorded as t
        full join present as n on n.class = t.class and n.identity = t.identity
    ),
    told as (
        select p.*, c.change, case when p.class = 'column' then p.target else 'on ' || p.target end
            as reach
        from pair as p
        cross join lateral (
            values
            ('missing', p.is is null and (p.whole is null or exists (
                select from present as w
                where w.class in ('table', 'view') and w.identity = p.whole))),
            ('added', p.was is null and (p.whole is null or exists (
                    select from recorded as w
                    where w.class in ('table', 'view') and w.identity = p.whole))
                and not exists (
                    select from taisce.ledger_object as r
                    where r.class = p.class and r.identity = p.identity)),
            ('owner', p.old_owner <> p.new_owner),
            ('definition', p.old_definition <> p.new_definition and p.comparable),
            ('privileges', p.was is not null and p.is is not null and p.won || p.lost <> '{}'),
            ('comment', p.old_remark <> p.new_remark)
        ) as c (change, found)
        where c.found
    )
    select d.class, d.identity collate "C",
        coalesce(d.path, (
            select v.path from recorded as v where v.class = 'view' and v.identity = d.whole
        )),
        d.change,
        case d.change
            when 'owner' then format('belongs to %s, not to %s', d.new_owner, d.old_owner)
            when 'privileges' then array_to_string(array(
                select '+' || i from unnest(d.won) as i
                union all
                select '-' || i from unnest(d.lost) as i
                order by 1), ' ')
            when 'definition' then case
                when d.old_definition ~ '^[0-9a-f]{64}$' or d.new_definition ~ '^[0-9a-f]{64}$'
                    then null
                when d.class in ('role', 'membership') then 'now ' || array_to_string(array(
                    select i from unnest(string_to_array(d.new_definition, ', ')) as i
                    except
                    select i from unnest(string_to_array(d.old_definition, ', ')) as i
                    order by 1), ', ')
                else (
                    select case
                        when starts_with(t.old, t.new || ' ')
                            then 'without ' || substr(t.old, length(t.new) + 2)
                        when starts_with(t.new, t.old || ' ')
                            then 'now also ' || substr(t.new, length(t.old) + 2)
                        when length(t.new) <= 160 then 'now ' || t.new
                        else 'now ... ' || left(substr(t.new, 1 + length(substring(
                            left(t.new, t.same) from '^.* '))), 160) end
                    from (
                        select s.*, (
                            select count(*)::integer
                            from generate_series(1, length(s.new)) as n
                            where left(s.new, n) = left(s.old, n)
                        ) as same
                        from (
                            select regexp_replace(d.old_definition, '\s+', ' ', 'g') as old,
                                regexp_replace(d.new_definition, '\s+', ' ', 'g') as new
                        ) as s
                    ) as t
                ) end
        end,
        case d.change
            when 'missing' then case
                when d.class not in ('table', 'column', 'sequence', 'type', 'schema')
                    then m.statement
                end
            when 'added' then d.undo
            when 'owner' then format('alter %s owner to %I', d.target, d.old_owner)
            when 'definition' then case when d.class <> 'role' then m.statement else (
                select string_agg(format('alter role %s %s', d.identity, w.words), '; ')
                from (
                    select case when i like 'here %=%' then null when i like '%=%' then format(
                        'set %s to %L', split_part(i, '=', 1), substr(i, strpos(i, '=') + 1))
                        else i end as words
                    from unnest(string_to_array(d.old_definition, ', ')) as i
                    where i <> all (string_to_array(d.new_definition, ', '))
                    union all
                    select case when i like 'here %' then format('in database %I reset %s',
                            current_database(), split_part(substr(i, 6), '=', 1))
                        else 'reset ' || split_part(i, '=', 1) end
                    from unnest(string_to_array(d.new_definition, ', ')) as i
                    where i like '%=%' and i <> all (string_to_array(d.old_definition, ', '))
                      and not exists (
                        select from unnest(string_to_array(d.old_definition, ', ')) as o
                        where split_part(o, '=', 1) = split_part(i, '=', 1))
                ) as w
            ) end
            when 'privileges' then (
                select string_agg(case when (g.lost and not g.lacks) or (g.won and g.lacks)
                    then format('grant %s %s to %s%s', g.privilege, d.reach, g.grantee,
                        case when g.item like '%*' then ' with grant option' end)
                    else format('revoke %s %s from %s cascade', g.privilege, d.reach, g.grantee)
                    end, '; ' order by g.lost)
                from (
                    select i.item, i.lost, not i.lost as won,
                        substring(i.item from '^.*=(-?)') = '-' as lacks,
                        rtrim(substring(i.item from '^.*=-?([^=]*)$'), '*') as privilege,
                        case when w.name = 'public' then w.name else quote_ident(w.name) end
                            as grantee
                    from (
                        select u.item, true from unnest(d.lost) as u (item)
                        union all
                        select u.item, false from unnest(d.won) as u (item)
                    ) as i (item, lost)
                    cross join lateral (
                        select substring(i.item from '^(.*)=[^=]*$') as name
                    ) as w
                ) as g
            )
            when 'comment' then n.statement
        end
    from told as d
    cross join lateral (
        select format('comment on %s is %L', case
            when d.class = 'column' then 'column '
                || regexp_replace(d.identity, '^(.*) on (.*)$', '\2.\1')
            when d.class in ('constraint', 'trigger', 'policy', 'rule', 'role')
                then d.class || ' ' || d.identity
            when d.class in ('index', 'statistics') then d.class || ' '
                || regexp_replace(d.identity, '^(.*) on (.*)[.].*$', '\2.\1')
            when d.class = 'view' then 'view ' || d.identity
            else d.target end, nullif(d.old_remark, '')) as statement
    ) as n
    cross join lateral (
        -- Making a part anew loses its comment; what its columns keep in statistics needs no new index.
        select case
            when d.change = 'definition' and s.same then s.statements
            when d.old_remark <> '' and d.class in ('constraint', 'index', 'statistics', 'trigger',
                'policy', 'rule') then concat_ws('; ', d.mend, n.statement)
            else d.mend end as statement
        from (select) as o
        left join (
            select regexp_replace(d.old_definition, w.tail, '')
                    = regexp_replace(d.new_definition, w.tail, '') as same,
                (
                    select string_agg(format('alter index %s alter column %s set statistics %s',
                        x.part, i.place, coalesce(o.target, '-1')), '; '
                        order by x.part::text, i.place::integer)
                    from (
                        select a[2] from regexp_matches(d.old_definition, w.one, 'g') as a
                        union
                        select a[2] from regexp_matches(d.new_definition, w.one, 'g') as a
                    ) as i (place)
                    left join (
                        select a[1], a[2] from regexp_matches(d.old_definition, w.one, 'g') as a
                    ) as o (target, place) on o.place = i.place
                    cross join (
                        select c.oid::regclass
                        from pg_class as c
                        where c.oid = w.index and c.relkind = 'i'
                        union all
                        select h.inhrelid::regclass from pg_inherits as h where h.inhparent = w.index
                    ) as x (part)
                ) as statements
            from (
                values ('( statistics [-/0-9]+ of column \d+)+$',
                    ' statistics ([-/0-9]+) of column (\d+)',
                    to_regclass(regexp_replace(d.identity, '^(.*) on (.*)[.].*$', '\2.\1')))
            ) as w (tail, one, index)
            where d.class = 'index'
        ) as s on true
    ) as m
    order by 1, 2, 4
$func$;
comment on function taisce.drift() is
'Whatever was changed by hand since the last install, with what takes it back.';
revoke all on function taisce.drift() from public;
