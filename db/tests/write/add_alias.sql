-- memory_v1.add_alias: declares a name.
begin;
select plan(11);

-- Given
\set writer naming_writer
\set reader naming_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'add_alias', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.add_alias'::regproc
    ),
    array['entity_id', 'alias', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.add_alias'::regproc
    ),
    array['entity_id', 'normalized_name', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.add_alias'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('naming_writer', format('select memory_v1.add_alias(%L, ''The  Rebel City'', project => ''north'')', pg_temp.entity('Cork'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('naming_writer', format('select memory_v1.add_alias(%L, ''The  Rebel City'', project => ''south'')', pg_temp.entity('Cork'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('naming_reader', format('select memory_v1.add_alias(%L, ''The  Rebel City'', project => ''north'')', pg_temp.entity('Cork'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select a.normalized_name || ' ' || a.repeated from memory_v1.add_alias(pg_temp.entity('Cork'), 'the rebel city') as a),
    'the rebel city true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.add_alias('00000000-0000-0000-0000-000000000000', 'x') $$,
    'TS004', 'not_found', 'an unknown entity is refused');
select throws_ok(
    $$ select memory_v1.add_alias(pg_temp.entity('Cork'), ' ') $$,
    'TS005', 'invalid_argument', 'an empty name is refused');
select throws_ok(
    $$ select memory_v1.add_alias(pg_temp.entity('speaker'), 'x') $$,
    'TS005', 'invalid_argument', 'a speaker has no names');

select * from finish();
rollback;
