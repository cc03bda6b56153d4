-- memory_v1.fact_evidence
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'fact_evidence', 'it is a view');
select columns_are(
    'memory_v1', 'fact_evidence',
    array[
        'project', 'fact_kind', 'fact_id', 'claim_id', 'stance', 'observation_id',
        'lineage', 'asserted_at', 'linked_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.fact_evidence'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.fact_evidence'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'fact_evidence', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'fact_evidence', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'fact_evidence', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select fact_kind, fact_id, claim_id, stance, observation_id, lineage, linked_at
    from memory_v1.fact_evidence order by fact_id, claim_id $$,
    $$ values
    ('relation', pg_temp.id(1, 'f', 1), pg_temp.id(1, 'c', 1), 'contradicts', pg_temp.id(1, 'o',
        1), 'l1', pg_temp.day(1)),
    ('relation', pg_temp.id(1, 'f', 1), pg_temp.id(1, 'c', 2), 'supports', pg_temp.id(1, 'o', 2),
        'l2', pg_temp.day(1)),
    ('relation', pg_temp.id(1, 'f', 1), pg_temp.id(1, 'c', 4), 'supports', pg_temp.id(1, 'o', 2),
        'l2', pg_temp.day(1)),
    ('relation', pg_temp.id(1, 'f', 1), pg_temp.id(1, 'c', 5), 'supports', pg_temp.id(1, 'o', 5),
        'l2', pg_temp.day(1)),
    ('relation', pg_temp.id(1, 'f', 2), pg_temp.id(1, 'c', 1), 'supports', pg_temp.id(1, 'o', 1),
        'l1', pg_temp.day(2)) $$,
    'each link between a fact and a claim is shown, but those that have expired');
select results_eq(
    $$ select distinct project from memory_v1.fact_evidence $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
