-- memory_v1.testimony_context: what was said.
begin;
select plan(12);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'testimony_context', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.testimony_context'::regproc and a.place <= p.pronargs
    ),
    array['query', 'project', 'entity_ids', 'k', 'candidate_k', 'data_subject_id',
        'source_roles', 'continuation', 'query_embedding', 'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.testimony_context'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.testimony_context('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.testimony_context('Marta', project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.testimony_context('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.testimony_context('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select t.claim_text from memory_v1.testimony_context('Brno', k => 1) as t where t.grain = 'claim'),
    'Acme sits in Brno',
    'a claim is found by its words');
select is(
    (select t.content from memory_v1.testimony_context('Brno', k => 1) as t where t.grain = 'passage'),
    'Marta works at Acme. Acme sits in Prague. Acme sits in Brno.',
    'and so is the message');
select is(
    (select count(*) from memory_v1.testimony_context('sits', entity_ids => array[pg_temp.entity('Marta')]) as t where t.grain = 'claim'),
    0::bigint,
    'a scope of entities is a fence');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.testimony_context('a', k => 101) $t$,
    'TS005', null,
    'a page over the limit is refused');
select throws_ok(
    $t$ select * from memory_v1.testimony_context('a', entity_ids => array[gen_random_uuid()]) $t$,
    'TS004', null,
    'an unknown entity is an error of the row form');

select * from finish();
rollback;
