-- memory_v1.register_segment: keeps the summary of turns.
begin;
select plan(10);

-- Given
\set writer condensing_writer
\set reader condensing_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'register_segment', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.register_segment'::regproc
    ),
    array['data_subject_id', 'level', 'from_offset', 'to_offset', 'summary', 'covered', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.register_segment'::regproc
    ),
    array['segment_id', 'covered', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.register_segment'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('condensing_writer', format('select memory_v1.register_segment(''ann'', 1, 1, 1, ''moved'', project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('condensing_writer', format('select memory_v1.register_segment(''ann'', 1, 1, 1, ''moved'', project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('condensing_reader', format('select memory_v1.register_segment(''ann'', 1, 1, 1, ''moved'', project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select s.covered || ' ' || s.repeated from memory_v1.register_segment('ann', 1, 1, 1, 'moved') as s),
    '1 true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.register_segment('ann', 1, 1, 1, 'other') $$,
    'TS006', 'conflicting_value', 'another one over the range is refused');
select throws_ok(
    $$ select memory_v1.register_segment('ann', 1, 1, 9, 'other') $$,
    'TS005', 'invalid_argument', 'and one beyond the last offset');

select * from finish();
rollback;
