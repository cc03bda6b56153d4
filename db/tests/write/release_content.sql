-- memory_v1.release_content.
begin;
select plan(11);

-- Given
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "t1", "data_subject_id": "s1",
    "messages": [{"role": "user", "content": "I lived in Dublin."}]}'),
(2, '{"type": "observation", "key": "t2", "data_subject_id": "s1",
    "retention_until": "2020-01-01T00:00:00Z",
    "messages": [{"role": "user", "content": "A passing word."}]}'),
(3, '{"type": "fact", "subject": {"speaker": "s1"}, "predicate": "lives_in", "object": "Dublin",
    "statement": "lived in Dublin", "valid_until": "2020-01-01T00:00:00Z",
    "evidence": [{"observation": "t1", "quote": "lived in Dublin"}]}'),
(4, '{"type": "segment", "data_subject_id": "s1", "level": 1, "from_offset": 1, "to_offset": 2,
    "summary": "In short."}');
select memory_v1.create_project('mine');
select count(*) from memory_v1.load('mine');
update taisce.fact_version set live = true;

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
