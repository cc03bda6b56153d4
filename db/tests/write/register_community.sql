-- memory_v1.register_community: keeps a community.
begin;
select plan(10);

-- Given
\set writer grouping_writer
\set reader grouping_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'register_community', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.register_community'::regproc
    ),
    array['key', 'members', 'level', 'parent', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.register_community'::regproc
    ),
    array['community_id', 'members', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.register_community'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('grouping_writer', format('select memory_v1.register_community(''k'', ''["Cork"]'', project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('grouping_writer', format('select memory_v1.register_community(''k'', ''["Cork"]'', project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('grouping_reader', format('select memory_v1.register_community(''k'', ''["Cork"]'', project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select c.members || ' ' || c.repeated from memory_v1.register_community('k', '["Cork"]') as c),
    '1 true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.register_community('k', '["Nowhere"]') $$,
    'TS004', 'not_found', 'an unknown member is refused');
select throws_ok(
    $$ select memory_v1.register_community('k', '[]') $$,
    'TS005', 'invalid_argument', 'and none at all');

select * from finish();
rollback;
