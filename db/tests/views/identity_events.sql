-- memory_v1.identity_events
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'identity_events', 'it is a view');
select columns_are(
    'memory_v1', 'identity_events',
    array[
        'project', 'event_at', 'event', 'merge_id', 'absorbed_id', 'absorbed',
        'survivor_id', 'survivor', 'done_by'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.identity_events'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.identity_events'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'identity_events', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'identity_events', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'identity_events', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select event_at, event, absorbed, survivor, done_by
    from memory_v1.identity_events order by event_at $$,
    $$ values
    (pg_temp.day(20), 'merged', 'M. Nowak', 'Marta', 'boss'),
    (pg_temp.day(21), 'merged', 'Cork', 'Marta', 'boss'),
    (pg_temp.day(22), 'unmerged', 'Cork', 'Marta', 'chief') $$,
    'a merge that was undone is two events');
select results_eq(
    $$ select distinct project from memory_v1.identity_events $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
