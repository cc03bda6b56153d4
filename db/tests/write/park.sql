-- memory_v1.park: puts an observation aside.
begin;
select plan(12);

-- Given
\set writer parking_writer
\set reader parking_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'park', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.park'::regproc
    ),
    array['observation_id', 'reason', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.park'::regproc
    ),
    array['observation_id', 'log_offset', 'formed_at', 'parked_at', 'formed', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.park'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('parking_writer', format('select memory_v1.park(%L, ''no text'', project => ''north'')', pg_temp.said('t1'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('parking_writer', format('select memory_v1.park(%L, ''no text'', project => ''south'')', pg_temp.said('t1'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('parking_reader', format('select memory_v1.park(%L, ''no text'', project => ''north'')', pg_temp.said('t1'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select c.parked || ' ' || c.formed from taisce.project_clock as c join taisce.project as p using (project_id) where p.name = 'north'),
    '1 1',
    'freshness does not wait for it');
select is(
    (select p.repeated from memory_v1.park(pg_temp.said('t1'), 'no text') as p),
    true,
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.park(pg_temp.said('t1'), ' ') $$,
    'TS005', 'invalid_argument', 'a reason is needed');
select lives_ok(
    $$ select memory_v1.mark_formed(pg_temp.said('t1')) $$,
    'it may be formed after all');
select throws_ok(
    $$ select memory_v1.park(pg_temp.said('t1'), 'late') $$,
    'TS005', 'invalid_argument', 'and is not parked then');

select * from finish();
rollback;
