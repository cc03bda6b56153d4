-- memory_v1.begin_rebuild: says that a range is formed again.
begin;
select plan(11);

-- Given
\set writer rebuilding_writer
\set reader rebuilding_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'begin_rebuild', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.begin_rebuild'::regproc
    ),
    array['from_offset', 'to_offset', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.begin_rebuild'::regproc
    ),
    array['rebuild_id', 'from_offset', 'to_offset', 'at_offset', 'started_at', 'ended_at'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.begin_rebuild'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('rebuilding_writer', format('select memory_v1.begin_rebuild(1, 1, project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('rebuilding_writer', format('select memory_v1.begin_rebuild(1, 1, project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('rebuilding_reader', format('select memory_v1.begin_rebuild(1, 1, project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select b.at_offset from memory_v1.begin_rebuild(1, 1) as b),
    0::bigint,
    'the running one again changes nothing');
select is(
    (select memory_v1.freshness() -> 'rebuilding'),
    '{"from_offset": 1, "to_offset": 1, "at_offset": 0}'::jsonb,
    'freshness shows it');
select throws_ok(
    $$ select memory_v1.begin_rebuild(1, 2) $$,
    'TS005', 'invalid_argument', 'a range beyond the last offset is refused');
select throws_ok(
    $$ select memory_v1.begin_rebuild(null, 1) $$,
    'TS005', 'invalid_argument', 'and one without a start');

select * from finish();
rollback;
