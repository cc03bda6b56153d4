-- memory_v1.withdraw_support: marks a fact without support.
begin;
select plan(9);

-- Given
\set writer doubting_writer
\set reader doubting_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'withdraw_support', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.withdraw_support'::regproc
    ),
    array['fact_id', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.withdraw_support'::regproc
    ),
    array['fact_id', 'support', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.withdraw_support'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('doubting_writer', format('select memory_v1.withdraw_support(%L, project => ''north'')', pg_temp.fact('Cork'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('doubting_writer', format('select memory_v1.withdraw_support(%L, project => ''south'')', pg_temp.fact('Cork'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('doubting_reader', format('select memory_v1.withdraw_support(%L, project => ''north'')', pg_temp.fact('Cork'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select w.support || ' ' || w.repeated from memory_v1.withdraw_support(pg_temp.fact('Cork')) as w),
    'withdrawn true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.withdraw_support('00000000-0000-0000-0000-000000000000') $$,
    'TS004', 'not_found', 'an unknown fact is refused');

select * from finish();
rollback;
