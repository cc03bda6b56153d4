-- taisce.drift()
-- What somebody changed by hand since the last install. Definitions recorded on another major
-- version of the server are not compared: they may print differently there.
-- Returns: one row a change, by class and identity.   Runs as: invoker.   Since: 0.1

create or replace function taisce.drift()
returns table (class text, identity text, path text, change text)
language sql
stable
set search_path = pg_catalog
as $func$
    with present as materialized (
        select o.class, o.identity, o.definition, o.privileges, o.remark
        from taisce.installed_objects() as o
    ),
    recorded as materialized (
        select l.class, l.identity, l.path, l.definition, l.privileges, l.remark, l.server_major
        from taisce.ledger_object as l
        where l.retired_at is null
    )
    select coalesce(t.class, n.class), coalesce(t.identity, n.identity) collate "C", t.path, c.change
    from recorded as t
    full join present as n on n.class = t.class and n.identity = t.identity
    cross join lateral (
        values
        ('missing', n.identity is null),
        ('added', t.identity is null and n.class in ('function', 'view') and not exists (
            select from taisce.ledger_object as r
            where r.class = n.class and r.identity = n.identity)),
        ('definition', t.definition <> n.definition
            and t.server_major = current_setting('server_version_num')::int / 10000),
        ('privileges', t.privileges <> n.privileges),
        ('comment', t.remark <> n.remark)
    ) as c (change, found)
    where c.found
    order by 1, 2, 4
$func$;
comment on function taisce.drift() is
'Functions, views, grants and comments that were changed by hand since the last install.';
revoke all on function taisce.drift() from public;
