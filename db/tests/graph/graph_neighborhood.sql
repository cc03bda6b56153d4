-- memory_v1.graph_neighborhood: relations around an entity.
begin;
select plan(13);

-- Given
\ir ../operations/memory.psql

-- Contract
select has_function('memory_v1', 'graph_neighborhood', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.graph_neighborhood'::regproc and a.place <= p.pronargs
    ),
    array['entity_id', 'max_depth', 'predicates', 'valid_at', 'believed_at', 'max_edges',
        'project'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.graph_neighborhood'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.graph_neighborhood((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.graph_neighborhood((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.graph_neighborhood((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.graph_neighborhood((select r.entity_id from memory_v1.resolve_entity('Marta', project => 'north') as r), project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select count(*) from memory_v1.graph_neighborhood(pg_temp.entity('Marta'), 1)),
    1::bigint,
    'one step away is one relation');
select is(
    (select count(*) from memory_v1.graph_neighborhood(pg_temp.entity('Marta'))),
    3::bigint,
    'two steps away are two more');
select is(
    (select bool_and(g.capped) from memory_v1.graph_neighborhood(pg_temp.entity('Marta'), max_edges => 2) as g),
    true,
    'a cap is said');
select is(
    (select count(*) from memory_v1.graph_neighborhood(pg_temp.entity('Marta'), predicates => '{works_at}')),
    1::bigint,
    'predicates narrow it');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.graph_neighborhood(gen_random_uuid()) $t$,
    'TS004', null,
    'an unknown entity is not found');
select throws_ok(
    $t$ select * from memory_v1.graph_neighborhood(pg_temp.entity('Marta'), valid_at => now()) $t$,
    'TS005', null,
    'one clock alone is refused');

select * from finish();
rollback;
