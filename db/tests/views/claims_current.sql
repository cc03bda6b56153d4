-- memory_v1.claims_current
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'claims_current', 'it is a view');
select columns_are(
    'memory_v1', 'claims_current',
    array[
        'project', 'claim_id', 'passage_id', 'observation_id', 'ordinal', 'role',
        'claim_text', 'quote', 'byte_start', 'byte_end', 'asserted_at',
        'claim_valid_from', 'claim_valid_until', 'claim_valid_precision', 'is_attributed',
        'lineage', 'ingested_at', 'data_subject_id'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.claims_current'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.claims_current'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'claims_current', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'claims_current', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'claims_current', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select claim_id, passage_id, observation_id, ordinal, role, quote, byte_start, lineage
    from memory_v1.claims_current order by claim_id $$,
    $$ values
    (pg_temp.id(1, 'c', 1), pg_temp.id(1, 'p', 1), pg_temp.id(1, 'o', 1), 0, 'user',
        'Marta moved to Cork', 0, 'l1'),
    (pg_temp.id(1, 'c', 2), pg_temp.id(1, 'p', 2), pg_temp.id(1, 'o', 2), 0, 'document',
        'Marta: Dublin', 0, 'l2'),
    (pg_temp.id(1, 'c', 5), pg_temp.id(1, 'p', 5), pg_temp.id(1, 'o', 5), 0, 'tool',
        'Cork is a port', 0, 'l2') $$,
    'claims are shown that their source still makes');
select results_eq(
    $$ select claim_valid_from, claim_valid_until, claim_valid_precision, is_attributed
    from memory_v1.claims_current order by claim_id limit 2 $$,
    $$ values
    (timestamptz '2025-01-01', null::timestamptz, 'month', false),
    (null, null, 'open', true) $$,
    'the time a source speaks of is shown with how exactly it was said');
select results_eq(
    $$ select distinct project from memory_v1.claims_current $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
