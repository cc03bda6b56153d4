-- memory_v1.community_reports
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'community_reports', 'it is a view');
select columns_are(
    'memory_v1', 'community_reports',
    array[
        'project', 'report_id', 'community_id', 'level', 'title', 'summary', 'importance',
        'compiled_at', 'through_offset', 'fact_ids', 'source_ids'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.community_reports'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.community_reports'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'community_reports', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'community_reports', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'community_reports', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select report_id, community_id, level, title, importance, fact_ids, source_ids
    from memory_v1.community_reports $$,
    $$ values (
        pg_temp.id(1, 'r', 1), pg_temp.id(1, 'g', 2), 0, 'Homes', 7.5::float8,
        array[pg_temp.id(1, 'f', 1), pg_temp.id(1, 'f', 4)], array[pg_temp.id(1, 'o', 1)]) $$,
    'neither withdrawn reports are shown nor those that rest on what has expired');
select results_eq(
    $$ select distinct project from memory_v1.community_reports $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
