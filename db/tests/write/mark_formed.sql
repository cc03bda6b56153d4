-- memory_v1.mark_formed: says that an observation is taken in.
begin;
select plan(9);

-- Given
\set writer forming_writer
\set reader forming_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'mark_formed', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.mark_formed'::regproc
    ),
    array['observation_id', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.mark_formed'::regproc
    ),
    array['observation_id', 'log_offset', 'formed_at', 'parked_at', 'formed', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.mark_formed'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('forming_writer', format('select memory_v1.mark_formed(%L, project => ''north'')', pg_temp.said('t1'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('forming_writer', format('select memory_v1.mark_formed(%L, project => ''south'')', pg_temp.said('t1'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('forming_reader', format('select memory_v1.mark_formed(%L, project => ''north'')', pg_temp.said('t1'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select m.formed || ' ' || m.repeated from memory_v1.mark_formed(pg_temp.said('t1')) as m),
    '1 true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.mark_formed('00000000-0000-0000-0000-000000000000') $$,
    'TS004', 'not_found', 'an unknown observation is refused');

select * from finish();
rollback;
