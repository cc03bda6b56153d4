-- memory_v1.contradiction_members: the sides of a contradiction.
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'contradiction_members', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.contradiction_members'::regproc and a.place <= p.pronargs
    ),
    array['group_id', 'continuation', 'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.contradiction_members'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.contradiction_members((select (f.contradiction ->> 'group_id')::uuid from memory_v1.fact_context('Brno', project => 'north', k => 1) as f), project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.contradiction_members((select (f.contradiction ->> 'group_id')::uuid from memory_v1.fact_context('Brno', project => 'north', k => 1) as f), project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.contradiction_members((select (f.contradiction ->> 'group_id')::uuid from memory_v1.fact_context('Brno', project => 'north', k => 1) as f), project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.contradiction_members((select (f.contradiction ->> 'group_id')::uuid from memory_v1.fact_context('Brno', project => 'north', k => 1) as f), project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select count(*) from memory_v1.contradiction_members((select f.contradiction_group from taisce.fact as f where f.statement = 'Acme sits in Brno'))),
    2::bigint,
    'every side is there');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.contradiction_members(gen_random_uuid()) $t$,
    'TS004', null,
    'an unknown group is not found');
select throws_ok(
    $t$ select * from memory_v1.contradiction_members(gen_random_uuid(), 'x') $t$,
    'TS005', null,
    'a continuation of nowhere is refused');

select * from finish();
rollback;
