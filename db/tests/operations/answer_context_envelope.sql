-- memory_v1.answer_context_envelope: both, as one value.
begin;
select plan(12);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'answer_context_envelope', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.answer_context_envelope'::regproc and a.place <= p.pronargs
    ),
    array['query', 'project', 'entity_ids', 'hops', 'predicate', 'time_scope', 'data_subject_id',
        'source_roles', 'max_characters', 'query_embedding', 'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.answer_context_envelope'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.answer_context_envelope('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.answer_context_envelope('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'an analyst may not ask: it is for programs');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.answer_context_envelope('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.answer_context_envelope('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select memory_v1.answer_context_envelope('Marta') ->> 'contract'),
    'ContextBundle/v1',
    'it names its contract');
select is(
    (select memory_v1.answer_context_envelope('Marta') -> 'facts' = memory_v1.fact_context_envelope('Marta')),
    true,
    'facts are those of the direct call');
select is(
    (select memory_v1.answer_context_envelope('Marta') -> 'testimony' = memory_v1.testimony_context_envelope('Marta')),
    true,
    'testimony is that of the direct call');
select is(
    (select memory_v1.answer_context_envelope('Marta', max_characters => 1) ->> 'cut'),
    'characters',
    'a budget that is too small is said');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.answer_context_envelope('a', time_scope => '[]') $t$,
    'TS005', null,
    'a time that is none is refused');

select * from finish();
rollback;
