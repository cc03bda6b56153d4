-- taisce.open_project(project)
-- The project to load into. One that does not exist is made, and granted to the caller, if the
-- caller is an administrator.
-- Returns: one bigint.   Raises: TS003, TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.open_project(project text)
returns bigint
language plpgsql
volatile
as $func$
declare
    v_name text := coalesce(
        open_project.project, nullif(current_setting('taisce.project', true), ''));
begin
    if v_name is null or not taisce.is_admin() or exists (
        select
        from taisce.project as p
        where p.name = v_name
          and p.project_id = any (taisce.granted_projects('any'))
    ) then
        return taisce.resolve_project(open_project.project, 'write');
    end if;
    if taisce.is_blank(v_name) or octet_length(v_name) > 256 then
        return memory_v1.create_project(v_name);
    end if;
    begin
        return memory_v1.create_project(v_name);
    exception
        when sqlstate 'TS005' then
            -- It is there, for others: resolving says what it says of any project not granted.
            return taisce.resolve_project(open_project.project, 'write');
    end;
end
$func$;
comment on function taisce.open_project(text) is
'The project to load into, made if the caller is an administrator.';
revoke all on function taisce.open_project(text) from public;
