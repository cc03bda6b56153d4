-- memory_v1.refresh_words: the index anew.
begin;
select plan(5);

-- Given
\ir memory.psql

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
