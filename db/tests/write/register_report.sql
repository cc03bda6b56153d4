-- memory_v1.register_report: keeps a report about a community.
begin;
select plan(11);

-- Given
\set writer reporting_writer
\set reader reporting_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);
select memory_v1.register_community('k', '["Cork"]');

-- Contract
select has_function('memory_v1', 'register_report', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.register_report'::regproc
    ),
    array['community', 'title', 'summary', 'importance', 'fact_ids', 'observation_ids', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.register_report'::regproc
    ),
    array['report_id', 'withdrawn_at', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.register_report'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('reporting_writer', format('select memory_v1.register_report(''k'', ''t'', ''s'', fact_ids => %L::uuid[], project => ''north'')', array[pg_temp.fact('Cork')])) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('reporting_writer', format('select memory_v1.register_report(''k'', ''t'', ''s'', fact_ids => %L::uuid[], project => ''south'')', array[pg_temp.fact('Cork')])) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('reporting_reader', format('select memory_v1.register_report(''k'', ''t'', ''s'', fact_ids => %L::uuid[], project => ''north'')', array[pg_temp.fact('Cork')])) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select r.repeated from memory_v1.register_report('k', 't', 's', fact_ids => array[pg_temp.fact('Cork')]) as r),
    true,
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.register_report('x', 't', 's') $$,
    'TS004', 'not_found', 'an unknown community is refused');
select lives_ok(
    $$ select memory_v1.retract_fact(pg_temp.fact('Cork')) $$,
    'a fact it covers is retracted');
select is(
    (select r.withdrawn_cause from taisce.report as r),
    'retracted',
    'and withdraws it');

select * from finish();
rollback;
