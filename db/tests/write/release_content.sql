-- memory_v1.release_content.
begin;
select plan(11);

-- Given
\ir turns.psql

-- Contract and rights
select has_function('memory_v1', 'release_content', array['uuid', 'boolean', 'text']);
select function_returns('memory_v1', 'release_content', array['uuid', 'boolean', 'text'],
    'setof memory_v1.erased_rows');
select volatility_is('memory_v1', 'release_content', array['uuid', 'boolean', 'text'], 'volatile');
select is_definer('memory_v1', 'release_content', array['uuid', 'boolean', 'text']);
select function_privs_are(
    'memory_v1', 'release_content', array['uuid', 'boolean', 'text'], 'taisce_admin',
    array['EXECUTE'], 'administrators may');
select function_privs_are(
    'memory_v1', 'release_content', array['uuid', 'boolean', 'text'], 'taisce_writer',
    '{}'::text[], 'writers may not');

-- Refused
select throws_ok(
    $$ select memory_v1.release_content(gen_random_uuid(), project => 'mine') $$,
    'TS004', 'not_found', 'what is not there or out of range');
select throws_ok(
    $$ select memory_v1.release_content(null, project => 'mine') $$,
    'TS004', 'not_found', 'what is missing');
select throws_ok(
    $$ select memory_v1.release_content((
        select observation_id from taisce.observation where idempotency_key = 't1'),
        project => 'yours') $$,
    'TS003', 'unknown_project', 'a project that is not granted');

-- When and then
create temporary table done as
select * from memory_v1.release_content((
        select observation_id from taisce.observation where idempotency_key = 't1'),
        project => 'mine');
select ok(
    exists (select from done where "table" = 'message' and rows = 1),
    'it says what it did');
select is_empty(
    $$ select from taisce.message where content is not null and log_offset = 1
       union all
       select from taisce.word_document where space = 'message' and number >> 16 = 1 $$,
    'its text and words are gone');

select * from finish();
rollback;
