-- memory_v1.mark_contradiction: says that facts contradict.
begin;
select plan(10);

-- Given
\set writer opposing_writer
\set reader opposing_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);
select pg_temp.live('Sligo', 2021);

-- Contract
select has_function('memory_v1', 'mark_contradiction', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.mark_contradiction'::regproc
    ),
    array['fact_ids', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.mark_contradiction'::regproc
    ),
    array['contradiction_group', 'facts', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.mark_contradiction'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('opposing_writer', format('select memory_v1.mark_contradiction(%L::uuid[], project => ''north'')', array[pg_temp.fact('Cork'), pg_temp.fact('Sligo')])) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('opposing_writer', format('select memory_v1.mark_contradiction(%L::uuid[], project => ''south'')', array[pg_temp.fact('Cork'), pg_temp.fact('Sligo')])) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('opposing_reader', format('select memory_v1.mark_contradiction(%L::uuid[], project => ''north'')', array[pg_temp.fact('Cork'), pg_temp.fact('Sligo')])) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select c.facts || ' ' || c.repeated from memory_v1.mark_contradiction(array[pg_temp.fact('Cork'), pg_temp.fact('Sligo')]) as c),
    '2 true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.mark_contradiction(array[pg_temp.fact('Cork')]) $$,
    'TS005', 'invalid_argument', 'one alone is refused');
select throws_ok(
    $$ select memory_v1.mark_contradiction(array[pg_temp.fact('Cork'), '00000000-0000-0000-0000-000000000000']) $$,
    'TS004', 'not_found', 'an unknown fact is refused');

select * from finish();
rollback;
