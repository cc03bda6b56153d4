-- memory_v1.claims_history
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'claims_history', 'it is a view');
select columns_are(
    'memory_v1', 'claims_history',
    array[
        'project', 'claim_id', 'passage_id', 'observation_id', 'ordinal', 'role',
        'claim_text', 'quote', 'byte_start', 'byte_end', 'asserted_at',
        'claim_valid_from', 'claim_valid_until', 'claim_valid_precision', 'is_attributed',
        'lineage', 'ingested_at', 'is_current_testimony', 'data_subject_id'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.claims_history'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.claims_history'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'claims_history', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'claims_history', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'claims_history', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select claim_id, is_current_testimony, data_subject_id
    from memory_v1.claims_history order by claim_id $$,
    $$ values
    (pg_temp.id(1, 'c', 1), true, 's1'),
    (pg_temp.id(1, 'c', 2), true, null),
    (pg_temp.id(1, 'c', 4), false, null),
    (pg_temp.id(1, 'c', 5), true, 's2') $$,
    'claims that the source dropped are shown too, expired ones are not');
select results_eq(
    $$ select distinct project from memory_v1.claims_history $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
