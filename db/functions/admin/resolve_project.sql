-- taisce.resolve_project(project, access)
-- The number of the project a call means: the one named; else the setting taisce.project; else the
-- only one granted. Unknown, suspended and not granted are one and the same error.
-- Returns: one bigint.   Raises: TS003, TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.resolve_project(project text, access text default 'read')
returns bigint
language plpgsql
stable
parallel safe
as $func$
declare
    v_name text := coalesce(
        resolve_project.project,
        nullif(pg_catalog.current_setting('taisce.project', true), '')
    );
    v_granted bigint[] := taisce.granted_projects(resolve_project.access);
    v_project_id bigint;
begin
    if v_name is null then
        if cardinality(v_granted) = 1 then
            return v_granted[1];
        elsif cardinality(v_granted) > 1 then
            raise exception using
                errcode = 'TS005',
                message = 'invalid_argument',
                detail = format('project is not given and %s projects are granted',
                    cardinality(v_granted)),
                hint = 'Name one with the argument project, or set taisce.project.';
        end if;
    else
        select p.project_id
        into v_project_id
        from taisce.project as p
        where p.name = v_name
          and p.project_id = any (v_granted);
    end if;
    if v_project_id is null then
        raise exception using
            errcode = 'TS003',
            message = 'unknown_project',
            detail = 'no project of that name is granted to the caller',
            hint = 'List what is granted with memory_v1.list_projects(), or ask an administrator '
                'for a grant.';
    end if;
    return v_project_id;
end
$func$;
comment on function taisce.resolve_project(text, text) is
'The project a call means, if the caller may reach it so; TS003 or TS005 otherwise.';
revoke all on function taisce.resolve_project(text, text) from public;
