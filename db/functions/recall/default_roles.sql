-- taisce.default_roles(project_id)
-- The message roles that a read of the project looks at when the caller names none.
-- Returns: one array.   Runs as: invoker.   Since: 0.1

create or replace function taisce.default_roles(project_id bigint)
returns text[]
language plpgsql
stable
parallel safe
as $func$
begin
    return (
        select p.default_source_roles
        from taisce.project as p
        where p.project_id = default_roles.project_id
    );
end
$func$;
comment on function taisce.default_roles(bigint) is
'The message roles that a read of the project looks at when the caller names none.';
revoke all on function taisce.default_roles(bigint) from public;
