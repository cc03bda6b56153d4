-- memory_v1.answer_context: what was said and what is held.
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'answer_context', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.answer_context'::regproc and a.place <= p.pronargs
    ),
    array['query', 'project', 'entity_ids', 'hops', 'predicate', 'time_scope', 'data_subject_id',
        'source_roles', 'max_characters', 'query_embedding', 'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.answer_context'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select a.facts ->> 'operation' from memory_v1.answer_context('Marta') as a),
    'fact_context',
    'one side is what is held');
select is(
    (select a.testimony ->> 'operation' from memory_v1.answer_context('Marta') as a),
    'testimony_context',
    'the other what was said');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.answer_context('a', max_characters => 0) $t$,
    'TS005', null,
    'a budget of nothing is refused');

select * from finish();
rollback;
