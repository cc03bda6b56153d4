-- memory_v1.activate_query(namespace, name, version, passed, project)
-- Puts a draft into service, and an older version of it out of service. passed: kinds of its
-- fixtures that the executor saw pass just now; all of hit, empty, forgotten and cap are needed.
-- Another role than the author does this. Where nobody else could (no other role has write access
-- to the project), an administrator may activate his own, and that is recorded.
-- Returns: whether the author did it himself.   Raises: TS003, TS004, TS005.
-- Runs as: owner; the caller needs write access to the project.   Since: 0.1

create or replace function memory_v1.activate_query(
    namespace text, name text, version integer, passed text[], project text default null
)
returns boolean
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project constant bigint := taisce.resolve_project(activate_query.project, 'write');
    v_caller constant name := taisce.caller();
    v_query taisce.saved_query;
    v_self boolean;
    v_fault text;
begin
    perform p.project_id from taisce.project as p where p.project_id = v_project for update;
    select q.*
    into v_query
    from taisce.saved_query as q
    where q.project_id = v_project
      and q.namespace = activate_query.namespace
      and q.name = activate_query.name
      and q.version = activate_query.version;
    if v_query.project_id is null then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'namespace, name and version lead to no saved query',
            hint = 'List them with memory_v1.saved_queries().';
    end if;
    v_self := v_query.author = v_caller;
    v_fault := case
        when v_query.status <> 'draft' then 'version: only a draft can be activated'
        when activate_query.passed is null
            or not activate_query.passed @> array['hit', 'empty', 'forgotten', 'cap']
            then 'passed: a hit, an empty, a forgotten and a cap are needed'
        when (
            select count(distinct f.item ->> 'kind') < 4
            from jsonb_array_elements(v_query.fixtures) as f (item)
        ) then 'version: its fixtures are not a hit, an empty, a forgotten and a cap'
        when v_self and exists (
            select from taisce.project_grant as g
            join pg_roles as r on r.oid = g.grantee
            where g.project_id = v_project
              and g.access <> 'read'
              and r.rolname <> v_caller
        ) then 'version: its author may not activate it; another role has to'
    end;
    if v_fault is not null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = v_fault,
            hint = 'Run its fixtures: taisce-pg saved activate NAMESPACE.NAME';
    end if;

    update taisce.saved_query as q
    set status = 'retired'
    where q.project_id = v_project
      and q.namespace = activate_query.namespace
      and q.name = activate_query.name
      and q.status = 'active';
    update taisce.saved_query as q
    set status = 'active',
        activated_by = v_caller,
        activated_at = clock_timestamp(),
        self_activated = v_self
    where q.project_id = v_project
      and q.namespace = activate_query.namespace
      and q.name = activate_query.name
      and q.version = activate_query.version;
    return v_self;
end
$func$;
comment on function memory_v1.activate_query(text, text, integer, text[], text) is
'Put a draft of a saved query into service, after its fixtures passed; another role than its '
'author does it. Returns true if the author did, being the only one.';
revoke all on function memory_v1.activate_query(text, text, integer, text[], text) from public;
grant execute on function memory_v1.activate_query(text, text, integer, text[], text)
to taisce_admin;
