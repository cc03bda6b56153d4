-- memory_v1.refresh_words: the index anew.
begin;
select plan(5);

-- Given
select memory_v1.create_project('north');
select memory_v1.create_project('south');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "a", "data_subject_id": "s1",
    "occurred_at": "2026-01-05T10:00:00Z", "messages": [
    {"role": "user", "content": "I moved to Dublin in winter."},
    {"role": "tool", "content": "Dublin: rain and wind."},
    {"role": "user", "content": "The winter was long."}]}'),
(2, '{"type": "fact", "subject": "Marta", "predicate": "lives_in", "object": "Dublin",
    "statement": "Marta lives in Dublin",
    "evidence": [{"observation": "a", "quote": "I moved to Dublin"}]}');
select memory_v1.load('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "a", "messages": [
    {"role": "user", "content": "Dublin belongs to another."}]}');
select memory_v1.load('south');
set local taisce.project = 'north';

-- Contract
select has_function('memory_v1', 'refresh_words', array['text']);

-- Rights
select function_privs_are('memory_v1', 'refresh_words', array['text'], 'taisce_reader',
    array[]::text[], 'readers may not');
select function_privs_are('memory_v1', 'refresh_words', array['text'], 'taisce_admin',
    array['EXECUTE'], 'administrators may');

-- Result
select results_eq(
    $$ select space, documents from memory_v1.refresh_words() $$,
    $$ values ('claim', 1::bigint), ('entity', 2), ('fact', 1), ('message', 3) $$,
    'every space with its texts');
select is(
    (select count(*) from memory_v1.lexical_passages('Dublin')), 1::bigint, 'and all is found');

select * from finish();
rollback;
