-- taisce.are_query_parameters(parameters)
-- Tells whether a value describes the parameters of a saved query: a list of at most 20 objects,
-- each with a name of its own and a type.
-- Returns: one boolean.   Runs as: invoker.   Since: 0.1

create or replace function taisce.are_query_parameters(parameters jsonb)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $func$
    select jsonb_typeof(are_query_parameters.parameters) = 'array' and coalesce(
        (
            select count(*) <= 20
                and count(*) = count(distinct p.item ->> 'name')
                and bool_and(
                    coalesce(p.item ->> 'name', '') ~ '^[a-z][a-z0-9_]{0,62}$'
                    and coalesce(p.item ->> 'type', '') ~ '^[a-z][a-z0-9_ \[\]]{0,62}$'
                )
            from jsonb_array_elements(case jsonb_typeof(are_query_parameters.parameters)
                when 'array' then are_query_parameters.parameters
                else '[]'
            end) as p (item)
        ),
        true
    )
$func$;
comment on function taisce.are_query_parameters(jsonb) is
'Whether a value describes the parameters of a saved query.';
revoke all on function taisce.are_query_parameters(jsonb) from public;
