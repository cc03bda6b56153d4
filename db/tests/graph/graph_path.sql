-- memory_v1.graph_path: routes between two entities.
begin;
select plan(11);

-- Given
\ir ../operations/memory.psql

-- Contract
select has_function('memory_v1', 'graph_path', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.graph_path'::regproc and a.place <= p.pronargs
    ),
    array['from_id', 'to_id', 'max_depth', 'predicates', 'valid_at', 'believed_at', 'max_paths',
        'max_edges', 'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.graph_path'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.graph_path((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), (select r.entity_id from memory_v1.resolve_entity('Brno', project => 'north') as r), project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.graph_path((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), (select r.entity_id from memory_v1.resolve_entity('Brno', project => 'north') as r), project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.graph_path((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), (select r.entity_id from memory_v1.resolve_entity('Brno', project => 'north') as r), project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.graph_path((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), (select r.entity_id from memory_v1.resolve_entity('Brno', project => 'north') as r), project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select p.entities from memory_v1.graph_path(pg_temp.entity('Marta'), pg_temp.entity('Brno')) as p),
    array['Marta', 'Acme', 'Brno'],
    'a route goes from one to the other');
select is(
    (select count(*) from memory_v1.graph_path(pg_temp.entity('Marta'), pg_temp.entity('Brno'), 1)),
    0::bigint,
    'none is longer than asked for');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.graph_path(pg_temp.entity('Marta'), pg_temp.entity('Marta')) $t$,
    'TS005', null,
    'one entity has no route to itself');
select throws_ok(
    $t$ select * from memory_v1.graph_path(pg_temp.entity('Marta'), gen_random_uuid()) $t$,
    'TS004', null,
    'an unknown entity is not found');

select * from finish();
rollback;
