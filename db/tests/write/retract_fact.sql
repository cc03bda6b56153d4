-- memory_v1.retract_fact: ends the belief in a fact.
begin;
select plan(11);

-- Given
\set writer retracting_writer
\set reader retracting_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'retract_fact', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.retract_fact'::regproc
    ),
    array['fact_id', 'reason', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.retract_fact'::regproc
    ),
    array['fact_id', 'retracted_at', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.retract_fact'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('retracting_writer', format('select memory_v1.retract_fact(%L, ''a joke'', project => ''north'')', pg_temp.fact('Cork'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('retracting_writer', format('select memory_v1.retract_fact(%L, ''a joke'', project => ''south'')', pg_temp.fact('Cork'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('retracting_reader', format('select memory_v1.retract_fact(%L, ''a joke'', project => ''north'')', pg_temp.fact('Cork'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select r.repeated from memory_v1.retract_fact(pg_temp.fact('Cork')) as r),
    true,
    'twice changes nothing');
select is(
    (select f.retraction_reason from taisce.fact as f),
    'a joke',
    'the reason is kept');
select throws_ok(
    $$ select memory_v1.retract_fact('00000000-0000-0000-0000-000000000000') $$,
    'TS004', 'not_found', 'an unknown fact is refused');
select throws_ok(
    $$ select memory_v1.retract_fact(pg_temp.fact('Cork'), '') $$,
    'TS005', 'invalid_argument', 'an empty reason is refused');

select * from finish();
rollback;
