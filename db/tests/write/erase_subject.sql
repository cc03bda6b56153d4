-- memory_v1.erase_subject.
begin;
select plan(11);

-- Given
\ir turns.psql

-- Contract and rights
select has_function('memory_v1', 'erase_subject', array['text', 'boolean', 'text']);
select function_returns('memory_v1', 'erase_subject', array['text', 'boolean', 'text'],
    'setof memory_v1.erased_rows');
select volatility_is('memory_v1', 'erase_subject', array['text', 'boolean', 'text'], 'volatile');
select is_definer('memory_v1', 'erase_subject', array['text', 'boolean', 'text']);
select function_privs_are(
    'memory_v1', 'erase_subject', array['text', 'boolean', 'text'], 'taisce_admin',
    array['EXECUTE'], 'administrators may');
select function_privs_are(
    'memory_v1', 'erase_subject', array['text', 'boolean', 'text'], 'taisce_writer',
    '{}'::text[], 'writers may not');

-- Refused
select throws_ok(
    $$ select memory_v1.erase_subject('nobody', project => 'mine') $$,
    'TS004', 'not_found', 'what is not there or out of range');
select throws_ok(
    $$ select memory_v1.erase_subject('', project => 'mine') $$,
    'TS005', 'invalid_argument', 'what is missing');
select throws_ok(
    $$ select memory_v1.erase_subject('s1', project => 'yours') $$,
    'TS003', 'unknown_project', 'a project that is not granted');

-- When and then
create temporary table done as
select * from memory_v1.erase_subject('s1', project => 'mine');
select ok(
    exists (select from done where "table" = 'observation' and rows = 2),
    'it says what it did');
select is_empty(
    $$ select from taisce.observation where data_subject_id is not null
       union all
       select from taisce.segment
       union all
       select from taisce.entity where identity_kind = 'speaker' $$,
    'nothing is left of the person');

select * from finish();
rollback;
