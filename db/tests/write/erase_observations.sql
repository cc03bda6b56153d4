-- memory_v1.erase_observations: erases observations and all that rests on them alone.
begin;
select plan(23);

-- Given
create role erasing_admin nologin;
create role erasing_writer nologin;
grant taisce_admin to erasing_admin;
grant taisce_writer to erasing_writer;
\ir ../as_role.psql
create function pg_temp.told(key text, place text) returns jsonb language sql as $$
    select jsonb_build_object('type', 'observation', 'key', key, 'data_subject_id', 's1',
        'title', 'of ' || place, 'messages', jsonb_build_array(jsonb_build_object(
            'role', 'user', 'content', 'I live in ' || place)))
$$;
create function pg_temp.lives(key text, place text, since text) returns jsonb language sql as $$
    select jsonb_build_object('type', 'fact', 'key', 'f' || key,
        'subject', '{"speaker": "s1"}'::jsonb, 'predicate', 'lives_in', 'object', place,
        'cardinality', 'one',
        'statement', 'lives in ' || place, 'valid_from', since,
        'evidence', jsonb_build_array(jsonb_build_object(
            'observation', key, 'quote', 'live in ' || place)))
$$;
insert into memory_v1.load_stage (line, body)
select b.ordinality, b.body
from unnest(array[
    pg_temp.told('t1', 'Dublin'), pg_temp.told('t2', 'Cork'),
    pg_temp.lives('t1', 'Dublin', '2020-01-01T00:00:00Z'),
    pg_temp.lives('t2', 'Cork', '2024-01-01T00:00:00Z')
]) with ordinality as b (body, ordinality);
select memory_v1.create_project('erased');
select count(*) from memory_v1.load('erased');
select memory_v1.grant_project('erased', 'erasing_admin', 'admin');
select memory_v1.grant_project('erased', 'erasing_writer', 'write');
select memory_v1.create_project('foreign');
select set_config('given.t2', (
    select observation_id::text from taisce.observation where idempotency_key = 't2'), true);

-- Contract
select has_function(
    'memory_v1', 'erase_observations', array['uuid[]', 'boolean', 'text'], 'it takes ids');
select function_returns(
    'memory_v1', 'erase_observations', array['uuid[]', 'boolean', 'text'],
    'setof memory_v1.erased_rows');
select volatility_is(
    'memory_v1', 'erase_observations', array['uuid[]', 'boolean', 'text'], 'volatile');
select is_definer('memory_v1', 'erase_observations', array['uuid[]', 'boolean', 'text']);

-- Rights
select function_privs_are(
    'memory_v1', 'erase_observations', array['uuid[]', 'boolean', 'text'], 'taisce_admin',
    array['EXECUTE'], 'an administrator may erase');
select function_privs_are(
    'memory_v1', 'erase_observations', array['uuid[]', 'boolean', 'text'], 'taisce_writer',
    '{}'::text[], 'a writer may not');
select throws_ok(
    format($$ select pg_temp.as_role('erasing_admin',
        'select count(*) from memory_v1.erase_observations(
            array[''%s''::uuid], project => ''foreign'')') $$, current_setting('given.t2')),
    'TS003', 'unknown_project', 'nobody erases in a project that is not granted');
select set_config('role', 'none', true);

-- Refused
select throws_ok(
    $$ select memory_v1.erase_observations('{}', project => 'erased') $$,
    'TS005', 'invalid_argument', 'no ids');
select throws_ok(
    $$ select memory_v1.erase_observations(null, project => 'erased') $$,
    'TS005', 'invalid_argument', 'no list');
select throws_ok(
    $$ select memory_v1.erase_observations(array[gen_random_uuid()], project => 'erased') $$,
    'TS004', 'not_found', 'an unknown id');
select throws_ok(
    $$ select memory_v1.erase_observations(array[null::uuid], project => 'erased') $$,
    'TS004', 'not_found', 'a null id');
select throws_ok(
    format($$ select memory_v1.erase_observations(array[%L::uuid], project => 'foreign') $$,
        current_setting('given.t2')),
    'TS004', 'not_found', 'the id of another project');

-- A dry run
create temporary table planned as
select * from memory_v1.erase_observations(
    array[current_setting('given.t2')::uuid], dry_run => true, project => 'erased');
select is(
    (select count(*) from taisce.message), 2::bigint, 'a dry run leaves everything as it was');
select ok(
    (select erased is false from taisce.observation where idempotency_key = 't2'),
    'also the observation');

-- When
create temporary table done as
select * from memory_v1.erase_observations(
    array[current_setting('given.t2')::uuid], project => 'erased');

-- Then
select set_eq('table done', 'table planned', 'the counts are those of the dry run');
select results_eq(
    $$ select "table", rows from done where rows > 0 and "table" <> 'word_document' order by 1 $$,
    $$ values ('claim', 1::bigint), ('entity', 1), ('entity_mention', 2), ('entity_name', 1),
        ('fact', 1), ('fact_evidence', 1), ('fact_version', 2), ('load_key', 1), ('message', 1),
        ('observation', 1) $$,
    'what it held is counted by table');
select results_eq(
    $$ select idempotency_key, title, lineage, data_subject_id, log_offset
       from taisce.observation where erased $$,
    $$ values (null, null, '', null, 2::bigint) $$,
    'an empty tombstone keeps the offset');
select is_empty(
    $$ select from taisce.claim where quote ~ 'Cork' union all
       select from taisce.fact where statement ~ 'Cork' union all
       select from taisce.entity_name where spelling = 'Cork' union all
       select from taisce.entity where canonical_name = 'Cork' $$,
    'no claim, fact or name of it is left');
select results_eq(
    $$ select v.valid_to, v.known_to, v.live, v.replaced, f.superseded_by
       from taisce.fact as f join taisce.fact_version as v using (project_id, fact_id) $$,
    $$ values ('infinity'::timestamptz, 'infinity'::timestamptz, true, false, null::uuid) $$,
    'the fact that it had ended holds again');
select is(
    (select count(*) from taisce.entity_mention as m
     where m.observation_id = current_setting('given.t2')::uuid),
    0::bigint, 'nothing mentions it');
select throws_ok(
    format($$ select memory_v1.erase_observations(array[%L::uuid], project => 'erased') $$,
        current_setting('given.t2')),
    'TS004', 'not_found', 'what was erased is unknown');
select lives_ok(
    $$ select pg_temp.as_role('erasing_admin',
        'select count(*) from memory_v1.erase_subject(''s1'', project => ''erased'')') $$,
    'an administrator with a grant erases');
select is(
    (select count(*) from taisce.fact), 0::bigint, 'all facts of the person are gone');

select * from finish();
rollback;
