-- memory_v1.facts_history
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'facts_history', 'it is a view');
select columns_are(
    'memory_v1', 'facts_history',
    array[
        'project', 'fact_id', 'fact_kind', 'subject_id', 'subject', 'predicate',
        'object_id', 'object', 'value', 'statement', 'source_role', 'data_subject_id',
        'confidence', 'valid_from', 'valid_until', 'valid', 'known_from', 'known_until',
        'known', 'evidence_count', 'contradict_count', 'contradiction_group', 'support',
        'recorded_at', 'superseded_by', 'version_cause', 'closing_cause'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.facts_history'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.facts_history'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'facts_history', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'facts_history', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'facts_history', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select fact_id, known_from, known_until, version_cause, closing_cause
    from memory_v1.facts_history order by fact_id, known_from $$,
    $$ values
    (pg_temp.id(1, 'f', 1), pg_temp.day(1), pg_temp.day(2), 'asserted', 'superseded'),
    (pg_temp.id(1, 'f', 1), pg_temp.day(2), null::timestamptz, 'superseded', null::text),
    (pg_temp.id(1, 'f', 2), pg_temp.day(2), null, 'asserted', null),
    (pg_temp.id(1, 'f', 4), pg_temp.day(4), null, 'asserted', null),
    (pg_temp.id(1, 'f', 5), pg_temp.day(5), null, 'asserted', null),
    (pg_temp.id(1, 'f', 6), pg_temp.day(6), null, 'asserted', null),
    (pg_temp.id(1, 'f', 7), pg_temp.day(7), null, 'asserted', null),
    (pg_temp.id(1, 'f', 8), pg_temp.day(8), null, 'asserted', null),
    (pg_temp.id(1, 'f', 9), pg_temp.day(9), null, 'asserted', null),
    (pg_temp.id(1, 'f', 10), pg_temp.day(10), pg_temp.day(11), 'asserted', 'retracted'),
    (pg_temp.id(1, 'f', 11), pg_temp.day(12), null, 'superseded', null) $$,
    'every version is shown but those of expired facts');
select results_eq(
    $$ select valid_until, superseded_by, evidence_count, contradict_count
    from memory_v1.facts_history
    where fact_id = pg_temp.id(1, 'f', 1) order by known_from $$,
    $$ values
    (null::timestamptz, pg_temp.id(1, 'f', 2), 3, 1),
    (pg_temp.day(2), pg_temp.id(1, 'f', 2), 3, 1) $$,
    'what was believed before a replacement is told from what is believed since');
select results_eq(
    $$ select distinct project from memory_v1.facts_history $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
