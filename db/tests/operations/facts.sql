-- memory_v1.facts: facts by id.
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'facts', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.facts'::regproc and a.place <= p.pronargs
    ),
    array['fact_ids', 'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.facts'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.facts((select array_agg(f.fact_id) from memory_v1.fact_context('Marta', project => 'north') as f), project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.facts((select array_agg(f.fact_id) from memory_v1.fact_context('Marta', project => 'north') as f), project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.facts((select array_agg(f.fact_id) from memory_v1.fact_context('Marta', project => 'north') as f), project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.facts((select array_agg(f.fact_id) from memory_v1.fact_context('Marta', project => 'north') as f), project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select f.statement from memory_v1.facts(array[pg_temp.fact('Acme sits in Brno')]) as f),
    'Acme sits in Brno',
    'a fact is read by its id');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.facts(array[gen_random_uuid()]) $t$,
    'TS004', null,
    'an unknown id is not found');
select throws_ok(
    $t$ select * from memory_v1.facts('{}') $t$,
    'TS005', null,
    'no id is refused');

select * from finish();
rollback;
