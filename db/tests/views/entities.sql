-- memory_v1.entities
begin;
select plan(10);

-- Given
\ir memory.psql

-- Contract
select has_view('memory_v1', 'entities', 'it is a view');
select columns_are(
    'memory_v1', 'entities',
    array[
        'project', 'entity_id', 'canonical_name', 'entity_type', 'identity_kind',
        'profile', 'first_seen_at', 'fact_count', 'speaker_subject_id'
    ],
    'it has these columns');
select ok(
    (select c.reloptions @> array['security_barrier=true'] from pg_class as c
        where c.oid = 'memory_v1.entities'::regclass),
    'it is a security barrier');
select ok(
    not coalesce((select c.reloptions @> array['security_invoker=true'] from pg_class as c
        where c.oid = 'memory_v1.entities'::regclass), false),
    'it runs with the rights of its owner');

-- Rights
select table_privs_are(
    'memory_v1', 'entities', 'taisce_analyst', array['SELECT'],
    'an analyst may read it');
select table_privs_are('memory_v1', 'entities', 'taisce_reader', '{}'::text[],
    'a reader may not');
select table_privs_are(
    'memory_v1', 'entities', 'public', '{}'::text[], 'the public may not');

-- Result
set local role view_analyst;
select results_eq(
    $$ select entity_id, canonical_name, identity_kind, fact_count, speaker_subject_id
    from memory_v1.entities order by entity_id $$,
    $$ values
    (pg_temp.id(1, 'e', 1), 'Marta', 'named', 5, null::text),
    (pg_temp.id(1, 'e', 2), 'Dublin', 'named', 1, null),
    (pg_temp.id(1, 'e', 3), 'Cork', 'named', 2, null),
    (pg_temp.id(1, 'e', 4), 'speaker', 'speaker', 0, 's1') $$,
    'merged entities are not shown, and facts are counted by either end');
select results_eq(
    $$ select canonical_name, profile from memory_v1.entities where entity_type is not null
    order by canonical_name $$,
    $$ values ('Cork', null::text), ('Dublin', null), ('Marta', 'Engineer.') $$,
    'a profile goes with its source');
select results_eq(
    $$ select distinct project from memory_v1.entities $$,
    $$ values ('north') $$,
    'no other project is shown');

select * from finish();
rollback;
