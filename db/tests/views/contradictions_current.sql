-- memory_v1.contradictions_current
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'contradictions_current', 'it is a view');
select columns_are(
    'memory_v1', 'contradictions_current',
    array[
        'project', 'contradiction_group', 'fact_id', 'fact_kind', 'subject_id', 'subject',
        'predicate', 'object_id', 'object', 'value', 'statement', 'source_role',
        'data_subject_id', 'valid_from', 'valid_until', 'known_from', 'support',
        'recorded_at', 'evaluated_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.contradictions_current'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.contradictions_current'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'contradictions_current', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'contradictions_current', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'contradictions_current', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select contradiction_group, fact_id, object, source_role, data_subject_id
    from memory_v1.contradictions_current order by fact_id $$,
    $$ values
    (pg_temp.id(1, 'd', 1), pg_temp.id(1, 'f', 6), 'Dublin', 'user', 's1'),
    (pg_temp.id(1, 'd', 1), pg_temp.id(1, 'f', 7), 'Cork', 'tool', 's2') $$,
    'sides are shown together, and a side whose rival has ended is not');
select results_eq(
    $$ select distinct project from memory_v1.contradictions_current $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
