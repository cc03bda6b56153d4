-- memory_v1.evidence_lineage
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'evidence_lineage', 'it is a view');
select columns_are(
    'memory_v1', 'evidence_lineage',
    array[
        'project', 'fact_kind', 'fact_id', 'stance', 'lineage', 'claim_count',
        'first_linked_at', 'last_linked_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.evidence_lineage'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.evidence_lineage'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'evidence_lineage', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'evidence_lineage', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'evidence_lineage', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select fact_id, stance, lineage, claim_count, first_linked_at, last_linked_at
    from memory_v1.evidence_lineage order by fact_id, stance $$,
    $$ values
    (pg_temp.id(1, 'f', 1), 'contradicts', 'l1', 1, pg_temp.day(1), pg_temp.day(1)),
    (pg_temp.id(1, 'f', 1), 'supports', 'l2', 3, pg_temp.day(1), pg_temp.day(1)),
    (pg_temp.id(1, 'f', 2), 'supports', 'l1', 1, pg_temp.day(2), pg_temp.day(2)) $$,
    'three claims of one lineage are one row');
select results_eq(
    $$ select distinct project from memory_v1.evidence_lineage $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
