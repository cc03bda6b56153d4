-- memory_v1.entity_names
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'entity_names', 'it is a view');
select columns_are(
    'memory_v1', 'entity_names',
    array[
        'project', 'entity_id', 'spelling', 'normalized_name', 'kind'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.entity_names'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.entity_names'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'entity_names', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'entity_names', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'entity_names', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select entity_id, spelling, normalized_name, kind
    from memory_v1.entity_names order by spelling $$,
    $$ values
    (pg_temp.id(1, 'e', 3), 'Cork', 'cork', 'canonical'),
    (pg_temp.id(1, 'e', 2), 'Dublin', 'dublin', 'canonical'),
    (pg_temp.id(1, 'e', 1), 'M. Nowak', 'm. nowak', 'alias'),
    (pg_temp.id(1, 'e', 1), 'Marta', 'marta', 'canonical') $$,
    'names are shown but those of an expired source');
select results_eq(
    $$ select distinct project from memory_v1.entity_names $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
