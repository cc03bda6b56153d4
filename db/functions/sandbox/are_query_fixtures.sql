-- taisce.are_query_fixtures(fixtures)
-- Tells whether a value is the fixtures of a saved query: a list of at most 40 objects with a kind
-- (hit: some rows; empty, forgotten: none; cap: more than one) and the parameters to run it with.
-- Returns: one boolean.   Runs as: invoker.   Since: 0.1

create or replace function taisce.are_query_fixtures(fixtures jsonb)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $func$
    select jsonb_typeof(are_query_fixtures.fixtures) = 'array' and coalesce(
        (
            select count(*) <= 40 and bool_and(
                coalesce(f.item ->> 'kind', '') in ('hit', 'empty', 'forgotten', 'cap')
                and coalesce(jsonb_typeof(f.item -> 'parameters'), 'object') = 'object'
            )
            from jsonb_array_elements(case jsonb_typeof(are_query_fixtures.fixtures)
                when 'array' then are_query_fixtures.fixtures
                else '[]'
            end) as f (item)
        ),
        true
    )
$func$;
comment on function taisce.are_query_fixtures(jsonb) is
'Whether a value is the fixtures of a saved query.';
revoke all on function taisce.are_query_fixtures(jsonb) from public;
