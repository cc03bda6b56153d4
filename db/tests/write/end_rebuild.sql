-- memory_v1.end_rebuild: ends a rebuild.
begin;
select plan(9);

-- Given
\set writer ending_writer
\set reader ending_reader
\ir memory.psql
select memory_v1.begin_rebuild(1, 1);

-- Contract
select has_function('memory_v1', 'end_rebuild', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.end_rebuild'::regproc
    ),
    array['project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.end_rebuild'::regproc
    ),
    array['rebuild_id', 'from_offset', 'to_offset', 'at_offset', 'started_at', 'ended_at'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.end_rebuild'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('ending_writer', format('select memory_v1.end_rebuild(project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('ending_writer', format('select memory_v1.end_rebuild(project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('ending_reader', format('select memory_v1.end_rebuild(project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select memory_v1.freshness() -> 'rebuilding'),
    'null'::jsonb,
    'freshness shows none');
select throws_ok(
    $$ select memory_v1.end_rebuild() $$,
    'TS004', 'not_found', 'none is running then');

select * from finish();
rollback;
