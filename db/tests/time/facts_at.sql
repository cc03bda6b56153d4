-- memory_v1.facts_at: the time filter by itself.
begin;
select plan(23);

-- Given
create role timing_reader nologin;
grant taisce_reader to timing_reader;
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
insert into taisce.project_clock (project_id, last_stamp) values
(9001, '2024-05-01Z'), (9002, '2024-05-01Z');
insert into taisce.project_grant (project_id, grantee, access)
select 9001, r.oid, 'read' from pg_roles as r where r.rolname in ('timing_reader', session_user);
insert into taisce.entity (
    project_id, entity_id, identity_kind, canonical_name, first_seen_at
) select p, '00000000-0000-8000-8000-0000000000e1', 'named', 'Marta', '2024-01-01Z'
from unnest(array[9001, 9002]) as p;
insert into taisce.fact (
    project_id, fact_id, content_key, kind, subject_entity_id, predicate, object_value, statement,
    source_role, cardinality, recorded_at, retention_until
) select
    case when n = 9 then 9002 else 9001 end,
    format('00000000-0000-8000-8000-00000000000%s', n)::uuid,
    format('00000000-0000-8000-8000-00000000000%s', n)::uuid,
    'attribute', '00000000-0000-8000-8000-0000000000e1', 'lives_in', 'town ' || n,
    'Marta lives in town ' || n, 'user', 'one', '2024-01-01Z',
    case when n = 4 then '2024-02-01Z' else 'infinity' end::timestamptz
from unnest(array[1, 2, 3, 4, 9]) as n;
insert into taisce.fact_version (
    project_id, fact_id, known_from, known_to, valid_from, valid_to, live, subject_entity_id,
    predicate, source_role, retention_until
) select
    v.project_id, format('00000000-0000-8000-8000-00000000000%s', v.n)::uuid,
    v.known_from, v.known_to, v.valid_from, v.valid_to, v.known_to = 'infinity',
    '00000000-0000-8000-8000-0000000000e1', 'lives_in', 'user',
    case when v.n = 4 then '2024-02-01Z' else 'infinity' end::timestamptz
from (values
    -- Town 1 from 2010, known in January; known in March to have ended in 2020.
    (9001, 1, '2024-01-01Z'::timestamptz, '2024-03-01Z'::timestamptz,
        '2010-01-01Z'::timestamptz, 'infinity'::timestamptz),
    (9001, 1, '2024-03-01Z', 'infinity', '2010-01-01Z', '2020-01-01Z'),
    -- Town 2 from 2020, known in March.
    (9001, 2, '2024-03-01Z', 'infinity', '2020-01-01Z', 'infinity'),
    -- Town 3, retracted.
    (9001, 3, '2024-01-01Z', '2024-04-01Z', '-infinity', 'infinity'),
    -- Town 4, kept until a day that has passed; and a fact of another project.
    (9001, 4, '2024-01-01Z', 'infinity', '-infinity', 'infinity'),
    (9002, 9, '2024-01-01Z', 'infinity', '-infinity', 'infinity')
) as v (project_id, n, known_from, known_to, valid_from, valid_to);
create function pg_temp.towns(
    valid_at timestamptz default null, known_at timestamptz default null
) returns text language sql as $$
    select string_agg(value, ', ')
    from memory_v1.facts_at(
        project => 'north',
        valid_from_max => valid_at,
        valid_to_min => valid_at + interval '1 microsecond',
        known_from_max => known_at,
        known_to_min => known_at + interval '1 microsecond')
$$;
\ir ../as_role.psql

-- Contract
select has_function(
    'memory_v1', 'facts_at',
    array['timestamptz', 'timestamptz', 'timestamptz', 'timestamptz', 'text', 'integer'],
    'it takes four instants, a project and a number of rows');
select function_returns(
    'memory_v1', 'facts_at',
    array['timestamptz', 'timestamptz', 'timestamptz', 'timestamptz', 'text', 'integer'],
    'setof memory_v1.timed_fact');
select volatility_is(
    'memory_v1', 'facts_at',
    array['timestamptz', 'timestamptz', 'timestamptz', 'timestamptz', 'text', 'integer'],
    'stable');
select is_definer(
    'memory_v1', 'facts_at',
    array['timestamptz', 'timestamptz', 'timestamptz', 'timestamptz', 'text', 'integer']);

-- Rights
select function_privs_are(
    'memory_v1', 'facts_at',
    array['timestamptz', 'timestamptz', 'timestamptz', 'timestamptz', 'text', 'integer'],
    'taisce_reader', array['EXECUTE'], 'a reader may call it');
select function_privs_are(
    'memory_v1', 'facts_at',
    array['timestamptz', 'timestamptz', 'timestamptz', 'timestamptz', 'text', 'integer'],
    'public', '{}'::text[], 'the public may not');
select is(
    pg_temp.as_role('timing_reader', 'select count(*) from memory_v1.facts_at()'), '2',
    'a reader gets what is granted to him');
select throws_ok(
    $$ select pg_temp.as_role('timing_reader',
        'select count(*) from memory_v1.facts_at(project => ''south'')') $$,
    'TS003', 'unknown_project', 'and nothing of another project');

-- Result
select is(pg_temp.towns(), 'town 1, town 2', 'without instants: all that is believed now');
select is(pg_temp.towns('2015-01-01Z'), 'town 1', 'what held in 2015, by what is believed now');
select is(
    pg_temp.towns('2020-01-01Z'), 'town 2', 'an interval has its start and not its end');
select is(
    pg_temp.towns('2022-01-01Z', '2024-02-01Z'), 'town 1, town 3',
    'what held in 2022, by what was believed in February');
select is(
    pg_temp.towns('2022-01-01Z', '2024-03-01Z'), 'town 2, town 3',
    'knowledge changes at its very instant');
select is(
    pg_temp.towns('2022-01-01Z', '2023-01-01Z'), null, 'before the first word nothing was known');
select results_eq(
    $$ select valid_from, valid_until, known_from, known_until
       from memory_v1.facts_at(project => 'north', known_to_min => '-infinity')
       where value in ('town 1', 'town 3') $$,
    $$ values
        ('2010-01-01Z'::timestamptz, null::timestamptz,
            '2024-01-01Z'::timestamptz, '2024-03-01Z'::timestamptz),
        ('2010-01-01Z', '2020-01-01Z', '2024-03-01Z', null),
        (null, null, '2024-01-01Z', '2024-04-01Z') $$,
    'every version is told with both clocks, open ends being null');
select is_empty(
    $$ select 1 from memory_v1.facts_at(project => 'north', known_to_min => '-infinity')
       where value = 'town 4' $$,
    'what is past its retention is never seen');
select results_eq(
    $$ select kind, subject_id, predicate, object_id, value, statement, source_role
       from memory_v1.facts_at(project => 'north', max_rows => 1) $$,
    $$ values ('attribute', '00000000-0000-8000-8000-0000000000e1'::uuid, 'lives_in', null::uuid,
        'town 1', 'Marta lives in town 1', 'user') $$,
    'rows carry the fact, the first by id');
select is_empty(
    $$ select 1 from memory_v1.facts_at(project => 'north', max_rows => 0) $$,
    'no rows is a number of rows');
select isnt_empty(
    $$ select 1 from memory_v1.facts_at(null, null, null, null, 'north', null) $$,
    'null is the same as left out');

-- Errors
select throws_ok(
    $$ select memory_v1.facts_at(project => 'north', max_rows => 1001) $$, 'TS005',
    'invalid_argument', 'more than 1,000 rows are refused');
select throws_ok(
    $$ select memory_v1.facts_at(project => 'north', max_rows => -1) $$, 'TS005',
    'invalid_argument', 'fewer than none too');
select throws_ok(
    $$ select memory_v1.facts_at(project => 'nowhere') $$, 'TS003', 'unknown_project',
    'an unknown project is refused');
select throws_ok(
    $$ select memory_v1.facts_at('yesterday-ish', project => 'north') $$, '22007', null,
    'what is no instant is refused by the server');

select * from finish();
rollback;
