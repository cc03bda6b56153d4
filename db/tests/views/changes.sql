-- memory_v1.changes
begin;
select plan(12);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'changes', 'it is a view');
select columns_are(
    'memory_v1', 'changes',
    array[
        'project', 'changed_at', 'kind', 'event', 'fact_id', 'claim_id', 'entity_id',
        'survivor_id', 'observation_id'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.changes'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.changes'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'changes', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'changes', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'changes', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select kind, event, fact_id, claim_id, entity_id from memory_v1.changes
    where changed_at >= pg_temp.day(8) order by changed_at desc, fact_id $$,
    $$ values
    ('identity', 'unmerged', null::uuid, null::uuid, pg_temp.id(1, 'e', 3)),
    ('identity', 'merged', null, null, pg_temp.id(1, 'e', 3)),
    ('identity', 'merged', null, null, pg_temp.id(1, 'e', 5)),
    ('fact', 'superseded', pg_temp.id(1, 'f', 11), null, pg_temp.id(1, 'e', 1)),
    ('fact', 'retracted', pg_temp.id(1, 'f', 10), null, pg_temp.id(1, 'e', 1)),
    ('fact', 'asserted', pg_temp.id(1, 'f', 10), null, pg_temp.id(1, 'e', 1)),
    ('fact', 'asserted', pg_temp.id(1, 'f', 9), null, pg_temp.id(1, 'e', 1)),
    ('fact', 'asserted', pg_temp.id(1, 'f', 8), null, pg_temp.id(1, 'e', 1)) $$,
    'events are shown newest first');
select results_eq(
    $$ select event
    from memory_v1.changes where fact_id = pg_temp.id(1, 'f', 1) order by changed_at $$,
    $$ values ('asserted'), ('superseded') $$,
    'a replacement is one event of the fact that was replaced');
select results_eq(
    $$ select distinct survivor_id from memory_v1.changes where kind = 'identity' $$,
    $$ values (pg_temp.id(1, 'e', 1)) $$,
    'a merge names the entity that stayed');
select results_eq(
    $$ select claim_id, event, observation_id
    from memory_v1.changes where kind = 'claim' order by claim_id $$,
    $$ values
    (pg_temp.id(1, 'c', 1), 'claimed', pg_temp.id(1, 'o', 1)),
    (pg_temp.id(1, 'c', 2), 'claimed', pg_temp.id(1, 'o', 2)),
    (pg_temp.id(1, 'c', 4), 'claimed', pg_temp.id(1, 'o', 2)),
    (pg_temp.id(1, 'c', 5), 'claimed', pg_temp.id(1, 'o', 5)) $$,
    'claims are events, expired ones are not');
select results_eq(
    $$ select distinct project from memory_v1.changes $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
