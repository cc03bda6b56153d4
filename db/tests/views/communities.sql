-- memory_v1.communities
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'communities', 'it is a view');
select columns_are(
    'memory_v1', 'communities',
    array[
        'project', 'community_id', 'level', 'parent_id', 'member_count', 'member_ids',
        'created_at', 'key'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.communities'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.communities'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'communities', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'communities', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'communities', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select community_id, level, parent_id, member_count, member_ids
    from memory_v1.communities order by level $$,
    $$ values
    (pg_temp.id(1, 'g', 2), 0, pg_temp.id(1, 'g', 1), 2, array[pg_temp.id(1, 'e', 1),
        pg_temp.id(1, 'e', 3)]),
    (pg_temp.id(1, 'g', 1), 1, null, 0, '{}') $$,
    'a community is shown with its members');
select results_eq(
    $$ select distinct project from memory_v1.communities $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
