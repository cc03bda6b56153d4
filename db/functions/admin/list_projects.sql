-- memory_v1.list_projects()
-- The projects the caller may use, with his access and their size. grants lists who else may,
-- for those with admin access.
-- Returns: one row a project, by name.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.project_item') is null then
        create type memory_v1.project_item as (
            name text,
            status text,
            access text,
            default_source_roles text[],
            observations bigint,
            known_through timestamptz,
            created_at timestamptz,
            grants jsonb
        );
        comment on type memory_v1.project_item is 'A project as its users see it.';
    end if;
end
$do$;

create or replace function memory_v1.list_projects()
returns setof memory_v1.project_item
language sql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
    with mine as materialized (
        select
            taisce.granted_projects('manage') as manage,
            taisce.granted_projects('write') as write
    )
    select
        p.name,
        p.status,
        case
            when p.project_id = any (m.manage) then 'admin'
            when p.project_id = any (m.write) then 'write'
            else 'read'
        end,
        p.default_source_roles,
        c.stored,
        nullif(c.last_stamp, '-infinity'),
        p.created_at,
        case when p.project_id = any (m.manage) then (
            select jsonb_object_agg(
                coalesce(r.rolname::text, 'dropped role ' || g.grantee), g.access)
            from taisce.project_grant as g
            left join pg_roles as r on r.oid = g.grantee
            where g.project_id = p.project_id
        ) end
    from taisce.project as p
    cross join mine as m
    left join taisce.project_clock as c on c.project_id = p.project_id
    where p.project_id = any (m.manage)
       or p.status = 'active'
    order by p.name collate "C"
$func$;
comment on function memory_v1.list_projects() is
'The projects you may use: access read, write or admin, how much is stored, known_through. '
'Suspended ones and grants only with admin access.';
revoke all on function memory_v1.list_projects() from public;
grant execute on function memory_v1.list_projects()
to taisce_reader, taisce_analyst, taisce_writer, taisce_admin;
