-- memory_v1.recall_plan: the plan of the walk.
begin;
select plan(10);

-- Given
\set reader planning_reader
\ir memory.psql

create role planning_admin nologin;
grant taisce_admin to planning_admin;
select memory_v1.grant_project('north', 'planning_admin', 'read');

-- Contract
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.recall_plan'::regproc
    ),
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.recall'::regproc
    ),
    'it takes the arguments of recall');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('planning_admin', 'select memory_v1.recall_plan(''Marta'', project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('planning_admin', 'select memory_v1.recall_plan(''Marta'', project => ''south'')') $$, 'TS003',
    'unknown_project', 'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('planning_reader', 'select memory_v1.recall_plan(''Marta'', project => ''north'')') $$, '42501', null,
    'nobody else may ask');
select volatility_is(
    'memory_v1', p.proname, string_to_array(oidvectortypes(p.proargtypes), ', '), 'volatile',
    'it is VOLATILE, so no read may reach it')
from pg_proc as p where p.oid = 'memory_v1.recall_plan'::regproc;

-- Result
select ok(
    exists (
        select from memory_v1.recall_plan('Marta' || s.more, hops => 2, as_of => s.as_of,
            data_subject_id => s.subject) as p (line)
        where p.line ~ ('Index (Only )?Scan using ' || s.index || '(_\d+)? on fact_version')),
    'it reads ' || s.index)
from (values
    ('', null::timestamptz, null::text, 'fact_version_subject'),
    ('', '2024-04-01Z', null, 'fact_version_subject_past'),
    (' Nowak', null, 'ann', 'fact_version_subject_of')
) as s (more, as_of, subject, index);
select is_empty(
    $$ select p.line from memory_v1.recall_plan('Marta', as_of => '2024-04-01Z') as p (line)
       where p.line ~ 'Seq Scan|[mM]arta' $$, 'no table is read whole, no word is shown');
select is_empty(
    $$ select memory_v1.recall_plan('nobody') $$, 'without anchors there is nothing to plan');

select * from finish();
rollback;
