-- memory_v1.query_space: what open SQL may read, made from the catalogue.
begin;
select plan(13);

-- Given
create role space_analyst nologin;
grant taisce_analyst to space_analyst;

-- Contract
select has_function('memory_v1', 'query_space', array['text'], 'it takes a pattern');
select function_returns('memory_v1', 'query_space', array['text'], 'jsonb');
select volatility_is('memory_v1', 'query_space', array['text'], 'stable');
select is_definer('memory_v1', 'query_space', array['text']);

-- Rights
select function_privs_are(
    'memory_v1', 'query_space', array['text'], 'taisce_analyst', array['EXECUTE'],
    'an analyst may call it');
select function_privs_are(
    'memory_v1', 'query_space', array['text'], 'public', '{}'::text[], 'the public may not');

-- Result
set local role space_analyst;
select is(
    (select jsonb_object_keys(memory_v1.query_space()) as key order by 1 limit 1), 'choose',
    'it is an object, and no grant of a project is needed');
select set_eq(
    $$ select jsonb_path_query(memory_v1.query_space(), '$.views[*].name') #>> '{}' $$,
    $$ select c.relname::text from pg_class as c
       where c.relnamespace = 'memory_v1'::regnamespace and c.relkind = 'v' $$,
    'every view is told of');
select is_empty(
    $$ select e from jsonb_path_query(memory_v1.query_space(),
           '$.views[*] ? (@.grain == null || @.key == null || @.for == null)') as e $$,
    'each with grain, key and need');
select is_empty(
    $$ select e from jsonb_path_query(memory_v1.query_space(), '$.functions[*]') as e
       where not has_function_privilege(
           (select p.oid from pg_proc as p
            where p.pronamespace = 'memory_v1'::regnamespace and p.proname = e ->> 'name' limit 1),
           'EXECUTE') $$,
    'and every function that is told of may be called');
select is(
    jsonb_array_length(memory_v1.query_space('no such words') -> 'views'), 0,
    'a pattern that nothing contains leaves nothing');
select cmp_ok(
    jsonb_array_length(memory_v1.query_space('%') -> 'views'), '<', 20,
    'a pattern is plain text');
select is(
    memory_v1.query_space('SPELLINGS') #>> '{views,0,name}', 'entity_names',
    'in either case');

select * from finish();
rollback;
