-- memory_v1.advance_rebuild: says how far a rebuild has come.
begin;
select plan(10);

-- Given
\set writer advancing_writer
\set reader advancing_reader
\ir memory.psql
select memory_v1.begin_rebuild(1, 1);

-- Contract
select has_function('memory_v1', 'advance_rebuild', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.advance_rebuild'::regproc
    ),
    array['at_offset', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.advance_rebuild'::regproc
    ),
    array['rebuild_id', 'from_offset', 'to_offset', 'at_offset', 'started_at', 'ended_at'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.advance_rebuild'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('advancing_writer', format('select memory_v1.advance_rebuild(1, project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('advancing_writer', format('select memory_v1.advance_rebuild(1, project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('advancing_reader', format('select memory_v1.advance_rebuild(1, project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select throws_ok(
    $$ select memory_v1.advance_rebuild(0) $$,
    'TS005', 'invalid_argument', 'it never goes back');
select lives_ok(
    $$ select memory_v1.end_rebuild() $$,
    'it ends');
select throws_ok(
    $$ select memory_v1.advance_rebuild(1) $$,
    'TS004', 'not_found', 'and is not there then');

select * from finish();
rollback;
