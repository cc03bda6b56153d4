-- taisce.check_graph: predicates, and both clocks or neither.
begin;
select plan(12);

-- Given
\ir ../refusal.psql
create function pg_temp.asked(
    predicates text, valid_at text default null, believed_at text default null
) returns text language sql as $$
    select pg_temp.refusal(format(
        'select taisce.check_graph(%L, %L, %L)', predicates, valid_at, believed_at))
$$;
create function pg_temp.many(count integer) returns text language sql as $$
    select array_agg('p' || n)::text from generate_series(1, count) as n
$$;

-- Result
select is(pg_temp.asked(null), 'none', 'every predicate, now');
select is(pg_temp.asked('{knows}'), 'none', 'one predicate');
select is(pg_temp.asked(pg_temp.many(100)), 'none', 'a hundred');
select is(
    pg_temp.asked(pg_temp.many(101)),
    'TS005 predicates must be 1 to 100 distinct predicates without nulls', 'and no more');
select isnt(pg_temp.asked('{}'), 'none', 'not none of them');
select isnt(pg_temp.asked('{knows,null}'), 'none', 'none without a name');
select isnt(pg_temp.asked('{knows,knows}'), 'none', 'none twice');
select isnt(pg_temp.asked('{{knows},{likes}}'), 'none', 'no table of them');
select is(pg_temp.asked(null, '2024-01-01Z', '2024-01-01Z'), 'none', 'both clocks');
select is(
    pg_temp.asked(null, '2024-01-01Z'),
    'TS005 valid_at and believed_at must be given together', 'not the first alone');
select isnt(pg_temp.asked(null, null, '2024-01-01Z'), 'none', 'nor the second');
select is(
    pg_temp.asked(null, '2024-01-01Z', 'infinity'),
    'TS005 valid_at and believed_at must be finite instants', 'and no endless one');

select * from finish();
rollback;
