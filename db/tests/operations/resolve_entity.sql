-- memory_v1.resolve_entity: the entities of a name.
begin;
select plan(12);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'resolve_entity', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.resolve_entity'::regproc and a.place <= p.pronargs
    ),
    array['name', 'entity_type', 'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.resolve_entity'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.resolve_entity('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.resolve_entity('Marta', project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.resolve_entity('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.resolve_entity('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select r.matched_as from memory_v1.resolve_entity('MARTA') as r),
    'canonical',
    'a canonical name leads to its entity');
select is(
    (select r.spelling from memory_v1.resolve_entity('marta nowak') as r),
    'Marta Nowak',
    'and so does an alias');
select is(
    (select r.fact_count from memory_v1.resolve_entity('Acme') as r),
    3::bigint,
    'current facts naming it are counted');
select is(
    (select count(*) from memory_v1.resolve_entity('Mart')),
    0::bigint,
    'nothing is guessed');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.resolve_entity(' ') $t$,
    'TS005', null,
    'a blank name is refused');

select * from finish();
rollback;
