-- memory_v1.expire.
begin;
select plan(11);

-- Given
\ir turns.psql

-- Contract and rights
select has_function('memory_v1', 'expire', array['integer', 'boolean', 'text']);
select function_returns('memory_v1', 'expire', array['integer', 'boolean', 'text'],
    'setof memory_v1.erased_rows');
select volatility_is('memory_v1', 'expire', array['integer', 'boolean', 'text'], 'volatile');
select is_definer('memory_v1', 'expire', array['integer', 'boolean', 'text']);
select function_privs_are(
    'memory_v1', 'expire', array['integer', 'boolean', 'text'], 'taisce_admin',
    array['EXECUTE'], 'administrators may');
select function_privs_are(
    'memory_v1', 'expire', array['integer', 'boolean', 'text'], 'taisce_writer',
    '{}'::text[], 'writers may not');

-- Refused
select throws_ok(
    $$ select memory_v1.expire(0, project => 'mine') $$,
    'TS005', 'invalid_argument', 'what is not there or out of range');
select throws_ok(
    $$ select memory_v1.expire(null, project => 'mine') $$,
    'TS005', 'invalid_argument', 'what is missing');
select throws_ok(
    $$ select memory_v1.expire(project => 'yours') $$,
    'TS003', 'unknown_project', 'a project that is not granted');

-- When and then
create temporary table done as
select * from memory_v1.expire(project => 'mine');
select ok(
    exists (select from done where "table" = 'observation' and rows = 1),
    'it says what it did');
select is_empty(
    $$ select from taisce.message where content ~ 'passing' $$,
    'what may be kept no longer is gone');

select * from finish();
rollback;
