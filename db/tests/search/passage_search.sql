-- memory_v1.passage_search and passage_body: passages to read.
begin;
select plan(9);

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
select has_function('memory_v1', 'passage_body', array['uuid', 'text']);
select volatility_is('memory_v1', 'passage_body', array['uuid', 'text'], 'stable');

-- Rights
select function_privs_are('memory_v1', 'passage_body', array['uuid', 'text'], 'taisce_reader',
    array['EXECUTE']::text[], 'readers');
select function_privs_are('memory_v1', 'passage_body', array['uuid', 'text'], 'taisce_writer',
    array[]::text[], 'writers may not');

-- Result
select is(
    (select quote from memory_v1.passage_search('Where did she move?', max_rows => 1)),
    'I moved to Dublin in winter.', 'the best comes first');
select is(
    (select quote from memory_v1.passage_search('Who is Marta?', max_rows => 1)),
    'I moved to Dublin in winter.', 'a fact points to its evidence');
select is(
    (select string_agg(distinct why, '|') from memory_v1.passage_search('Who is Marta?')
     where quote like 'I moved%'),
    'fact', 'and says so');
select is(
    (select memory_v1.passage_body(p.passage_id)
     from memory_v1.passage_search('Dublin', max_rows => 1) as p),
    'I moved to Dublin in winter.', 'the whole text by its id');
select throws_ok(
    $$ select memory_v1.passage_body('00000000-0000-8000-8000-000000000001') $$,
    'TS004', 'not_found', 'an unknown id is said to be unknown');

select * from finish();
rollback;
