-- memory_v1.assert_fact: believes a fact.
begin;
select plan(12);

-- Given
\set writer asserting_writer
\set reader asserting_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'assert_fact', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.assert_fact'::regproc
    ),
    array['subject', 'predicate', 'object', 'value', 'statement', 'evidence', 'valid_from', 'valid_until', 'confidence', 'cardinality', 'on_conflict', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.assert_fact'::regproc
    ),
    array['fact_id', 'superseded', 'contradiction_group', 'known_from'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.assert_fact'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('asserting_writer', format('select memory_v1.assert_fact(''"Ann"'', ''is'', value => ''here'', statement => ''is here'', evidence => ''[{"observation": "t1", "quote": "I live in Cork"}]'', project => ''north'')')) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('asserting_writer', format('select memory_v1.assert_fact(''"Ann"'', ''is'', value => ''here'', statement => ''is here'', evidence => ''[{"observation": "t1", "quote": "I live in Cork"}]'', project => ''south'')')) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('asserting_reader', format('select memory_v1.assert_fact(''"Ann"'', ''is'', value => ''here'', statement => ''is here'', evidence => ''[{"observation": "t1", "quote": "I live in Cork"}]'', project => ''north'')')) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select lives_ok(
    $$ select pg_temp.live('Cork', 2020) $$,
    'a value is believed');
select is(
    (select a.superseded = pg_temp.fact('Cork') from memory_v1.assert_fact('"I"', 'lives_in', '"Sligo"', statement => 'lives in Sligo', evidence => '[{"observation": "t1", "quote": "I live in Sligo"}]', valid_from => '2021-01-01 00:00Z', cardinality => 'one') as a),
    true,
    'one that starts inside another ends that one');
select throws_ok(
    $$ select pg_temp.live('Cork', 2019) $$,
    'TS006', 'conflicting_value', 'any other overlap is refused');
select throws_ok(
    $$ select memory_v1.assert_fact('{"id": "00000000-0000-0000-0000-000000000000"}', 'is', value => 'x', statement => 'x', evidence => '[{"observation": "t1", "quote": "I live in Cork"}]') $$,
    'TS004', 'not_found', 'an unknown id is refused');
select throws_ok(
    $$ select memory_v1.assert_fact('"Ann"', 'is', value => 'x', statement => 'x', evidence => '[{"observation": "t1", "quote": "Berlin"}]') $$,
    'TS005', 'invalid_argument', 'a quote that nobody said is refused');

select * from finish();
rollback;
