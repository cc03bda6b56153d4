-- memory_v1.report_feedback: keeps what a reader thinks.
begin;
select plan(11);

-- Given
\set writer judging_writer
\set reader judging_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'report_feedback', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.report_feedback'::regproc
    ),
    array['fact_id', 'bundle', 'kind', 'note', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.report_feedback'::regproc
    ),
    array['feedback_id', 'reported_at'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.report_feedback'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('judging_reader', format('select memory_v1.report_feedback(%L, kind => ''wrong'', project => ''north'')', pg_temp.fact('Cork'))) $$,
    'a reader of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('judging_writer', format('select memory_v1.report_feedback(%L, kind => ''wrong'', project => ''south'')', pg_temp.fact('Cork'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('pg_monitor', format('select memory_v1.report_feedback(%L, kind => ''wrong'', project => ''north'')', pg_temp.fact('Cork'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select f.kind || ' ' || f.reported_by from taisce.feedback as f),
    'wrong judging_reader',
    'it is kept with who said it');
select throws_ok(
    $$ select memory_v1.report_feedback() $$,
    'TS005', 'invalid_argument', 'a fact or an answer is needed');
select throws_ok(
    $$ select memory_v1.report_feedback('00000000-0000-0000-0000-000000000000') $$,
    'TS004', 'not_found', 'an unknown fact is refused');
select throws_ok(
    $$ select memory_v1.report_feedback(pg_temp.fact('Cork'), kind => 'rude') $$,
    'TS005', 'invalid_argument', 'an unknown kind is refused');

select * from finish();
rollback;
