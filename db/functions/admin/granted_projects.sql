-- taisce.granted_projects(access)
-- The projects the caller may reach. Every row security policy asks this one function. access:
-- read, write, admin (projects in service), any, manage (any access, or admin access, suspended
-- projects included). A superuser counts for himself only: membership in every role is not a grant.
-- Returns: one array, empty if nothing is granted.   Runs as: owner.   Since: 0.1

create or replace function taisce.granted_projects(access text default 'read')
returns bigint[]
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
-- Asked for each table of each statement: planning it anew cost five times as much as running it.
set plan_cache_mode = force_generic_plan
as $func$
declare
    v_role constant text := current_setting('role');
    v_caller constant name := case when v_role = 'none' then session_user else v_role::name end;
    -- Follows SET ROLE, and is not touched by running as the owner here.
    v_superuser constant boolean := current_setting('is_superuser');
    -- Not distinct at once: an index would be read for the order.
    v_granted constant bigint[] := array(
        select g.project_id
        from taisce.project_grant as g
        where (
                granted_projects.access in ('read', 'any')
                or granted_projects.access = 'write' and g.access <> 'read'
                or granted_projects.access in ('admin', 'manage') and g.access = 'admin'
            )
          and (not g.suspended or granted_projects.access in ('any', 'manage'))
          and case
                when v_superuser then g.grantee = to_regrole(quote_ident(v_caller))
                else pg_has_role(v_caller, g.grantee, 'USAGE')
            end
    );
begin
    if cardinality(v_granted) < 2 then
        return v_granted;
    end if;
    return array(
        select distinct i.project_id from unnest(v_granted) as i (project_id) order by 1);
end
$func$;
comment on function taisce.granted_projects(text) is
'Projects the caller may read, write or administer; what every row security policy asks.';
revoke all on function taisce.granted_projects(text) from public;
grant execute on function taisce.granted_projects(text)
to taisce_reader, taisce_analyst, taisce_writer, taisce_admin;
