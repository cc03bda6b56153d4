-- memory_v1.observations
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'observations', 'it is a view');
select columns_are(
    'memory_v1', 'observations',
    array[
        'project', 'observation_id', 'log_offset', 'kind', 'source_role',
        'data_subject_id', 'occurred_at', 'ingested_at', 'lineage', 'title',
        'source_kind', 'source_ref', 'formed_at', 'parked_at', 'message_count'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.observations'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.observations'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'observations', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'observations', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'observations', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select observation_id, log_offset, kind, source_role, lineage, title, formed_at,
        message_count
    from memory_v1.observations order by log_offset $$,
    $$ values
    (pg_temp.id(1, 'o', 1), 1::bigint, 'turn', 'user', 'l1', null::text, pg_temp.day(1), 1),
    (pg_temp.id(1, 'o', 2), 2, 'document', 'document', 'l2', 'Register', pg_temp.day(2), 1),
    (pg_temp.id(1, 'o', 5), 5, 'turn', 'tool', 'l2', null, null, 1) $$,
    'neither expired nor erased observations are shown');
select results_eq(
    $$ select distinct project from memory_v1.observations $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
