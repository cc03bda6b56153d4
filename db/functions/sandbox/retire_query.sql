-- memory_v1.retire_query(namespace, name, version, project)
-- Takes a version of a saved query out of service for good; a draft too.
-- Returns: whether that changed anything.   Raises: TS003, TS004.
-- Runs as: owner; the caller needs write access to the project.   Since: 0.1

create or replace function memory_v1.retire_query(
    namespace text, name text, version integer, project text default null
)
returns boolean
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project constant bigint := taisce.resolve_project(retire_query.project, 'write');
    v_status text;
begin
    select q.status
    into v_status
    from taisce.saved_query as q
    where q.project_id = v_project
      and q.namespace = retire_query.namespace
      and q.name = retire_query.name
      and q.version = retire_query.version
    for update;
    if v_status is null then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'namespace, name and version lead to no saved query',
            hint = 'List them with memory_v1.saved_queries().';
    end if;
    update taisce.saved_query as q
    set status = 'retired'
    where q.project_id = v_project
      and q.namespace = retire_query.namespace
      and q.name = retire_query.name
      and q.version = retire_query.version
      and q.status <> 'retired';
    return found;
end
$func$;
comment on function memory_v1.retire_query(text, text, integer, text) is
'Take a version of a saved query out of service; true if it was in service or a draft.';
revoke all on function memory_v1.retire_query(text, text, integer, text) from public;
grant execute on function memory_v1.retire_query(text, text, integer, text) to taisce_admin;
