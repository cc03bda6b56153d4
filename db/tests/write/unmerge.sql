-- memory_v1.unmerge: takes a merge back.
begin;
select plan(10);

-- Given
\set writer unmerging_writer
\set reader unmerging_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);
select pg_temp.live('Sligo', 2021);
select memory_v1.merge_entities('"Sligo"', '"Cork"');

-- Contract
select has_function('memory_v1', 'unmerge', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.unmerge'::regproc
    ),
    array['merge_id', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.unmerge'::regproc
    ),
    array['merge_id', 'absorbed', 'survivor', 'merged_at', 'reversed_at', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.unmerge'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('unmerging_writer', format('select memory_v1.unmerge(%L, project => ''north'')', (select m.merge_id from taisce.entity_merge as m))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('unmerging_writer', format('select memory_v1.unmerge(%L, project => ''south'')', (select m.merge_id from taisce.entity_merge as m))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('unmerging_reader', format('select memory_v1.unmerge(%L, project => ''north'')', (select m.merge_id from taisce.entity_merge as m))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select count(*) from taisce.fact as f where f.object_entity_id = pg_temp.entity('Sligo')),
    1::bigint,
    'its facts are its own again');
select is(
    (select u.repeated from memory_v1.unmerge((select m.merge_id from taisce.entity_merge as m)) as u),
    true,
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.unmerge('00000000-0000-0000-0000-000000000000') $$,
    'TS004', 'not_found', 'an unknown merge is refused');

select * from finish();
rollback;
