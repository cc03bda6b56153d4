-- memory_v1.project_freshness
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'project_freshness', 'it is a view');
select columns_are(
    'memory_v1', 'project_freshness',
    array[
        'project', 'stored', 'formed', 'parked', 'known_through', 'rebuilding_from',
        'rebuilding_to', 'rebuilding_at', 'read_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.project_freshness'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.project_freshness'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'project_freshness', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'project_freshness', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'project_freshness', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select project, stored, formed, parked, known_through, rebuilding_from, rebuilding_to,
        rebuilding_at
    from memory_v1.project_freshness $$,
    $$ values ('north', 5::bigint, 2::bigint, 1::bigint, pg_temp.day(30), 2::bigint, 5::bigint,
        3::bigint) $$,
    'it tells how far the memory has come');
select results_eq(
    $$ select distinct project from memory_v1.project_freshness $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
