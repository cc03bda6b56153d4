-- memory_v1.merge_entities: makes one entity of two.
begin;
select plan(11);

-- Given
\set writer merging_writer
\set reader merging_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);
select pg_temp.live('Sligo', 2021);

-- Contract
select has_function('memory_v1', 'merge_entities', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.merge_entities'::regproc
    ),
    array['absorbed', 'survivor', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.merge_entities'::regproc
    ),
    array['merge_id', 'absorbed', 'survivor', 'merged_at', 'reversed_at', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.merge_entities'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('merging_writer', format('select memory_v1.merge_entities(''"Sligo"'', ''"Cork"'', project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('merging_writer', format('select memory_v1.merge_entities(''"Sligo"'', ''"Cork"'', project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('merging_reader', format('select memory_v1.merge_entities(''"Sligo"'', ''"Cork"'', project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select m.repeated from memory_v1.merge_entities('"Sligo"', '"Cork"') as m),
    true,
    'twice changes nothing');
select is(
    (select count(*) from taisce.fact as f where f.object_entity_id = pg_temp.entity('Cork')),
    2::bigint,
    'facts name the survivor');
select throws_ok(
    $$ select memory_v1.merge_entities('"Cork"', '"Cork"') $$,
    'TS005', 'invalid_argument', 'one with itself is refused');
select throws_ok(
    $$ select memory_v1.merge_entities('"Nobody"', '"Cork"') $$,
    'TS004', 'not_found', 'an unknown name is refused');

select * from finish();
rollback;
