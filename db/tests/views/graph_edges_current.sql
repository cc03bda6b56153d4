-- memory_v1.graph_edges_current
begin;
select plan(9);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'graph_edges_current', 'it is a view');
select columns_are(
    'memory_v1', 'graph_edges_current',
    array[
        'project', 'fact_id', 'subject_id', 'subject', 'predicate', 'object_id', 'object',
        'statement', 'source_role', 'data_subject_id', 'confidence', 'valid_from',
        'valid_until', 'valid', 'known_from', 'known_until', 'known',
        'contradiction_group', 'support', 'evidence_count', 'contradict_count',
        'evaluated_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.graph_edges_current'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.graph_edges_current'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'graph_edges_current', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'graph_edges_current', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'graph_edges_current', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select fact_id, subject_id, subject, predicate, object_id, object
    from memory_v1.graph_edges_current order by fact_id $$,
    $$ values
    (pg_temp.id(1, 'f', 2), pg_temp.id(1, 'e', 1), 'Marta', 'lives_in', pg_temp.id(1, 'e', 3),
        'Cork'),
    (pg_temp.id(1, 'f', 6), pg_temp.id(1, 'e', 1), 'Marta', 'born_in', pg_temp.id(1, 'e', 2),
        'Dublin'),
    (pg_temp.id(1, 'f', 7), pg_temp.id(1, 'e', 1), 'Marta', 'born_in', pg_temp.id(1, 'e', 3),
        'Cork') $$,
    'current relations are shown with both ends, attributes are not');
select results_eq(
    $$ select distinct project from memory_v1.graph_edges_current $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
