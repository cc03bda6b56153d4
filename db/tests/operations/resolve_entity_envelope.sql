-- memory_v1.resolve_entity_envelope: the entities of a name, as one value.
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'resolve_entity_envelope', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.resolve_entity_envelope'::regproc and a.place <= p.pronargs
    ),
    array['name', 'entity_type', 'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.resolve_entity_envelope'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.resolve_entity_envelope('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.resolve_entity_envelope('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'an analyst may not ask: it is for programs');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.resolve_entity_envelope('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.resolve_entity_envelope('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select memory_v1.resolve_entity_envelope('Marta') #>> '{entities,0,canonical_name}'),
    'Marta',
    'the entity is there');
select is(
    (select memory_v1.resolve_entity_envelope('Nowak') #>> '{negative,suggestions,0}'),
    'Marta',
    'an unknown name brings names to try');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.resolve_entity_envelope(repeat('a', 4097)) $t$,
    'TS005', null,
    'a long name is refused');

select * from finish();
rollback;
