-- memory_v1.maintain.
begin;
select plan(11);

-- Given
\ir turns.psql

-- Contract and rights
select has_function('memory_v1', 'maintain', array['integer', 'text']);
select function_returns('memory_v1', 'maintain', array['integer', 'text'],
    'setof memory_v1.maintained');
select volatility_is('memory_v1', 'maintain', array['integer', 'text'], 'volatile');
select is_definer('memory_v1', 'maintain', array['integer', 'text']);
select function_privs_are(
    'memory_v1', 'maintain', array['integer', 'text'], 'taisce_admin',
    array['EXECUTE'], 'administrators may');
select function_privs_are(
    'memory_v1', 'maintain', array['integer', 'text'], 'taisce_writer',
    '{}'::text[], 'writers may not');

-- Refused
select throws_ok(
    $$ select memory_v1.maintain(0, project => 'mine') $$,
    'TS005', 'invalid_argument', 'what is not there or out of range');
select throws_ok(
    $$ select memory_v1.maintain(null, project => 'mine') $$,
    'TS005', 'invalid_argument', 'what is missing');
select throws_ok(
    $$ select memory_v1.maintain(project => 'yours') $$,
    'TS003', 'unknown_project', 'a project that is not granted');

-- When and then
create temporary table done as
select * from memory_v1.maintain(project => 'mine');
select ok(
    exists (select from done where task = 'versions retired' and rows = 1),
    'it says what it did');
select is_empty(
    $$ select from taisce.fact_version where live and valid_to < now() $$,
    'versions that have ended are not live');

select * from finish();
rollback;
