-- memory_v1.facts_current
begin;
select plan(13);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'facts_current', 'it is a view');
select columns_are(
    'memory_v1', 'facts_current',
    array[
        'project', 'fact_id', 'fact_kind', 'subject_id', 'subject', 'predicate',
        'object_id', 'object', 'value', 'statement', 'source_role', 'data_subject_id',
        'confidence', 'valid_from', 'valid_until', 'valid', 'known_from', 'known_until',
        'known', 'evidence_count', 'contradict_count', 'contradiction_group', 'support',
        'recorded_at', 'evaluated_at'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.facts_current'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.facts_current'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'facts_current', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'facts_current', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'facts_current', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select fact_id, fact_kind, subject, predicate, object, value, valid_from, support
    from memory_v1.facts_current order by fact_id $$,
    $$ values
    (pg_temp.id(1, 'f', 2), 'relation', 'Marta', 'lives_in', 'Cork', null::text, pg_temp.day(2),
        'current'),
    (pg_temp.id(1, 'f', 4), 'attribute', 'Marta', 'pays', null, '5', pg_temp.day(4),
        'withdrawn'),
    (pg_temp.id(1, 'f', 6), 'relation', 'Marta', 'born_in', 'Dublin', null, pg_temp.day(6),
        'current'),
    (pg_temp.id(1, 'f', 7), 'relation', 'Marta', 'born_in', 'Cork', null, pg_temp.day(7),
        'current'),
    (pg_temp.id(1, 'f', 8), 'attribute', 'Marta', 'age', null, '40', pg_temp.day(8), 'current') $$,
    'what holds and is believed now is shown, and nothing else');
select results_eq(
    $$ select valid_until, known_until, valid, known from memory_v1.facts_current
    where fact_id = pg_temp.id(1, 'f', 2) $$,
    $$ values (null::timestamptz, null::timestamptz, tstzrange(pg_temp.day(2), null),
        tstzrange(pg_temp.day(2), null)) $$,
    'an open end is null and the ranges say the same');
select results_eq(
    $$ select valid_until > now()
    from memory_v1.facts_current where fact_id = pg_temp.id(1, 'f', 4) $$,
    $$ values (true) $$,
    'a stated end ahead is shown');
select results_eq(
    $$ select evidence_count, contradict_count
    from memory_v1.facts_current where fact_id = pg_temp.id(1, 'f', 2) $$,
    $$ values (1, 0) $$,
    'evidence that has expired does not count');
select results_eq(
    $$ select distinct evaluated_at between now() and clock_timestamp()
    from memory_v1.facts_current $$,
    $$ values (true) $$,
    'it says when it was evaluated');
select results_eq(
    $$ select distinct project from memory_v1.facts_current $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
