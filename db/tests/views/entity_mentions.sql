-- memory_v1.entity_mentions
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'entity_mentions', 'it is a view');
select columns_are(
    'memory_v1', 'entity_mentions',
    array[
        'project', 'entity_id', 'entity', 'observation_id', 'ordinal', 'passage_id',
        'claim_id', 'role', 'data_subject_id', 'occurred_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.entity_mentions'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.entity_mentions'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'entity_mentions', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'entity_mentions', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'entity_mentions', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select entity_id, entity, passage_id, claim_id, role, data_subject_id
    from memory_v1.entity_mentions order by entity_id $$,
    $$ values
    (pg_temp.id(1, 'e', 1), 'Marta', pg_temp.id(1, 'p', 1), pg_temp.id(1, 'c', 1), 'user', 's1'),
    (pg_temp.id(1, 'e', 2), 'Dublin', pg_temp.id(1, 'p', 2), null, 'document', null),
    (pg_temp.id(1, 'e', 3), 'Cork', pg_temp.id(1, 'p', 1), pg_temp.id(1, 'c', 1), 'user', 's1') $$,
    'mentions are shown with or without a claim, expired ones are not');
select results_eq(
    $$ select distinct project from memory_v1.entity_mentions $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
