-- memory_v1.fact_context_envelope: what is held true, as one value.
begin;
select plan(12);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'fact_context_envelope', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.fact_context_envelope'::regproc and a.place <= p.pronargs
    ),
    array['query', 'project', 'entity_ids', 'hops', 'predicate', 'k', 'evidence_per_fact',
        'time_scope', 'identity_regime', 'data_subject_id', 'source_roles', 'continuation',
        'query_embedding', 'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.fact_context_envelope'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.fact_context_envelope('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.fact_context_envelope('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'an analyst may not ask: it is for programs');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.fact_context_envelope('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.fact_context_envelope('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select memory_v1.fact_context_envelope('Marta') ->> 'contract'),
    'envelope/v1',
    'it names its contract');
select is(
    (select jsonb_array_length(memory_v1.fact_context_envelope('Acme') -> 'facts')),
    (select count(*)::integer from memory_v1.fact_context('Acme')),
    'it has as many facts as there are rows');
select is(
    (select memory_v1.fact_context_envelope('a', entity_ids => array[gen_random_uuid()]) #>> '{negative,kind}'),
    'unknown_entity',
    'an unknown entity is a negative');
select is(
    (select memory_v1.fact_context_envelope('zebra') #>> '{negative,kind}'),
    'known_empty',
    'nothing found is a negative');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.fact_context_envelope('') $t$,
    'TS005', null,
    'an empty query is refused');

select * from finish();
rollback;
