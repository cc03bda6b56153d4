-- taisce.check_source_roles(source_roles, argument)
-- Refuses a list of message roles that a project could not have as its default.
-- Raises: TS005 naming the argument.   Runs as: invoker.   Since: 0.1

create or replace function taisce.check_source_roles(source_roles text[], argument text)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    if coalesce(cardinality(check_source_roles.source_roles), 0) not between 1 and 5
        or array_ndims(check_source_roles.source_roles) <> 1
        or array_position(check_source_roles.source_roles, null) is not null
        or not check_source_roles.source_roles
            <@ array['user', 'assistant', 'system', 'tool', 'document']
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('%s: 1 to 5 known roles are needed, %s given',
                check_source_roles.argument,
                coalesce(cardinality(check_source_roles.source_roles), 0)),
            hint = 'Choose among user, assistant, system, tool, document.';
    end if;
end
$func$;
comment on function taisce.check_source_roles(text[], text) is
'Refuses a list of message roles that a project could not have as its default.';
revoke all on function taisce.check_source_roles(text[], text) from public;
