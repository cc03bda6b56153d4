-- memory_v1.lexical_facts: found by any word of the query, best first.
begin;
select plan(8);

-- Given
\ir memory.psql

-- Contract
select has_function('memory_v1', 'lexical_facts', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]']);
select volatility_is('memory_v1', 'lexical_facts', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]'], 'stable');

-- Rights
select function_privs_are('memory_v1', 'lexical_facts', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]'], 'taisce_reader',
    array['EXECUTE']::text[], 'readers');
select function_privs_are('memory_v1', 'lexical_facts', array['text', 'integer', 'text', 'text', 'text[]', 'uuid[]'], 'taisce_writer',
    array[]::text[], 'writers may not');

-- Result
select is(
    (select string_agg(statement, '|' order by score desc) from memory_v1.lexical_facts('dublin?')),
    'Marta lives in Dublin', 'in its own project, of the default roles');
select ok(
    (select bool_and(complete) from memory_v1.lexical_facts('Dublin')), 'nothing was left unread');
select is_empty($$ select * from memory_v1.lexical_facts('zebra') $$, 'an unknown word finds nothing');
select throws_ok(
    $$ select * from memory_v1.lexical_facts('Dublin', 101) $$, 'TS005', 'invalid_argument',
    'k has a limit');

select * from finish();
rollback;
