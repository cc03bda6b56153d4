-- memory_v1.segments
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'segments', 'it is a view');
select columns_are(
    'memory_v1', 'segments',
    array[
        'project', 'segment_id', 'data_subject_id', 'level', 'from_offset', 'to_offset',
        'covered', 'summary', 'characters', 'created_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.segments'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.segments'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'segments', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'segments', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'segments', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select segment_id, data_subject_id, level, from_offset, to_offset, summary
    from memory_v1.segments $$,
    $$ values (pg_temp.id(1, 's', 1), 's1', 1, 1::bigint, 2::bigint, 'Cork.') $$,
    'a segment over an expired turn is not shown');
select results_eq(
    $$ select distinct project from memory_v1.segments $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
