-- memory_v1.graph_edges_history
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'graph_edges_history', 'it is a view');
select columns_are(
    'memory_v1', 'graph_edges_history',
    array[
        'project', 'fact_id', 'subject_id', 'subject', 'predicate', 'object_id', 'object',
        'statement', 'source_role', 'data_subject_id', 'confidence', 'valid_from',
        'valid_until', 'valid', 'known_from', 'known_until', 'known',
        'contradiction_group', 'support', 'evidence_count', 'contradict_count'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.graph_edges_history'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.graph_edges_history'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'graph_edges_history', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'graph_edges_history', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'graph_edges_history', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select fact_id, known_from, object
    from memory_v1.graph_edges_history order by fact_id, known_from $$,
    $$ values
    (pg_temp.id(1, 'f', 1), pg_temp.day(1), 'Dublin'),
    (pg_temp.id(1, 'f', 1), pg_temp.day(2), 'Dublin'),
    (pg_temp.id(1, 'f', 2), pg_temp.day(2), 'Cork'),
    (pg_temp.id(1, 'f', 6), pg_temp.day(6), 'Dublin'),
    (pg_temp.id(1, 'f', 7), pg_temp.day(7), 'Cork') $$,
    'every version of a relation is shown');
select results_eq(
    $$ select distinct project from memory_v1.graph_edges_history $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
