-- memory_v1.messages
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'messages', 'it is a view');
select columns_are(
    'memory_v1', 'messages',
    array[
        'project', 'passage_id', 'observation_id', 'ordinal', 'role', 'content',
        'characters', 'occurred_at', 'log_offset', 'data_subject_id'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.messages'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.messages'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'messages', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'messages', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'messages', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select passage_id, observation_id, ordinal, role, content, characters, log_offset,
        data_subject_id
    from memory_v1.messages order by log_offset $$,
    $$ values
    (pg_temp.id(1, 'p', 1), pg_temp.id(1, 'o', 1), 0, 'user', 'Marta moved to Cork.', 20,
        1::bigint, 's1'),
    (pg_temp.id(1, 'p', 2), pg_temp.id(1, 'o', 2), 0, 'document', null, 31, 2, null),
    (pg_temp.id(1, 'p', 5), pg_temp.id(1, 'o', 5), 0, 'tool', 'Cork is a port.', 15, 5, 's2') $$,
    'messages are shown word for word, released ones without words, expired ones not at all');
select results_eq(
    $$ select distinct project from memory_v1.messages $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
