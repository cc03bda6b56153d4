-- memory_v1.passage_search and passage_body: passages to read.
begin;
select plan(9);

-- Given
\ir memory.psql

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
