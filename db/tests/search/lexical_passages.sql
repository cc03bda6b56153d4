-- memory_v1.lexical_passages: found by any word of the query, best first.
begin;
select plan(11);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'lexical_passages', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]']);
select volatility_is('memory_v1', 'lexical_passages', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]'], 'stable');

-- Rights
select function_privs_are('memory_v1', 'lexical_passages', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]'], 'taisce_reader',
    array['EXECUTE']::text[], 'readers');
select function_privs_are('memory_v1', 'lexical_passages', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]'], 'taisce_writer',
    array[]::text[], 'writers may not');

-- Result
select is(
    (select string_agg(content, '|' order by score desc) from memory_v1.lexical_passages('dublin?')),
    'I moved to Dublin in winter.', 'in its own project, of the default roles');
select ok(
    (select bool_and(complete) from memory_v1.lexical_passages('Dublin')), 'nothing was left unread');
select is_empty($$ select * from memory_v1.lexical_passages('zebra') $$, 'an unknown word finds nothing');
select throws_ok(
    $$ select * from memory_v1.lexical_passages('Dublin', 101) $$, 'TS005', 'invalid_argument',
    'k has a limit');
select is(
    (select count(*) from memory_v1.lexical_passages('winter wind', source_roles => '{tool}')),
    1::bigint, 'another role when asked for');
select is(
    (select count(*) from memory_v1.lexical_passages('winter', data_subject_id => 's2')),
    0::bigint, 'none of another subject');
select is(
    (select content from memory_v1.lexical_passages('dublin winter', 1)),
    'I moved to Dublin in winter.', 'the more words the better');

select * from finish();
rollback;
