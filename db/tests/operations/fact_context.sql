-- memory_v1.fact_context: what is held true.
begin;
select plan(13);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'fact_context', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.fact_context'::regproc and a.place <= p.pronargs
    ),
    array['query', 'project', 'entity_ids', 'hops', 'predicate', 'k', 'evidence_per_fact',
        'time_scope', 'identity_regime', 'data_subject_id', 'source_roles', 'continuation',
        'query_embedding', 'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.fact_context'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.fact_context('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.fact_context('Marta', project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.fact_context('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.fact_context('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select f.label from memory_v1.fact_context('Where does Marta work?', k => 1) as f),
    'Marta works at Acme (since 2024-03)',
    'the text of a fact carries its date');
select is(
    (select f.contradiction #>> '{co_members,0,label}' from memory_v1.fact_context('Prague', k => 1) as f),
    'Acme sits in Brno',
    'a disputed fact comes with its other side');
select is(
    (select f.evidence #>> '{0,quote}' from memory_v1.fact_context('Brno', k => 1) as f),
    'Acme sits in Brno',
    'and with the words behind it');
select is(
    (select count(*) from memory_v1.fact_context('Marta', time_scope => '{"mode": "at", "at": "2024-02-01T00:00:00Z"}') as f where f.subject = 'Marta'),
    0::bigint,
    'what did not hold yet is not there');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.fact_context('a', hops => 3) $t$,
    'TS005', null,
    'three hops are refused');
select throws_ok(
    $t$ select * from memory_v1.fact_context('a', entity_ids => array[gen_random_uuid()]) $t$,
    'TS004', null,
    'an unknown entity is an error of the row form');

select * from finish();
rollback;
