-- memory_v1.create_project(name, default_source_roles)
-- Makes a project and grants it to the caller with admin access. default_source_roles are the
-- message roles a read looks at unless it says otherwise; null: what people said ({user}).
-- Returns: the number of the project.   Raises: TS005.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.create_project(
    name text, default_source_roles text[] default null
)
returns bigint
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint;
begin
    if create_project.name is null
        or taisce.is_blank(create_project.name)
        or octet_length(create_project.name) > 256
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('name: 1 to 256 bytes and not blank, %s bytes given',
                coalesce(octet_length(create_project.name), 0)),
            hint = 'Give the project a short name.';
    end if;
    if create_project.default_source_roles is not null then
        perform taisce.check_source_roles(
            create_project.default_source_roles, 'default_source_roles');
    end if;

    -- Row security sees the grant only from the next statement on.
    v_project_id := nextval('taisce.project_number');
    insert into taisce.project_grant (project_id, grantee, access)
    select v_project_id, r.oid, 'admin'
    from pg_roles as r
    where r.rolname = taisce.caller();
    insert into taisce.project (project_id, name, default_source_roles)
    values (v_project_id, create_project.name,
        coalesce(create_project.default_source_roles, array['user']));
    insert into taisce.project_clock (project_id) values (v_project_id);
    return v_project_id;
exception
    when unique_violation then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'name: a project of that name exists',
            hint = 'Choose another name.';
end
$func$;
comment on function memory_v1.create_project(text, text[]) is
'Make a project, granted to the caller with admin access; returns its number. '
'default_source_roles: message roles that reads look at by default, null for {user}.';
revoke all on function memory_v1.create_project(text, text[]) from public;
grant execute on function memory_v1.create_project(text, text[]) to taisce_admin;
