-- memory_v1.correct_fact: puts one fact in the place of another.
begin;
select plan(11);

-- Given
\set writer correcting_writer
\set reader correcting_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'correct_fact', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.correct_fact'::regproc
    ),
    array['fact_id', 'subject', 'predicate', 'object', 'value', 'statement', 'evidence', 'valid_from', 'valid_until', 'confidence', 'cardinality', 'on_conflict', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.correct_fact'::regproc
    ),
    array['fact_id', 'superseded', 'contradiction_group', 'known_from'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.correct_fact'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('correcting_writer', format('select memory_v1.correct_fact(%L, ''"I"'', ''lives_in'', ''"Sligo"'', statement => ''lives in Sligo'', evidence => ''[{"observation": "t1", "quote": "I live in Cork"}]'', project => ''north'')', pg_temp.fact('Cork'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('correcting_writer', format('select memory_v1.correct_fact(%L, ''"I"'', ''lives_in'', ''"Sligo"'', statement => ''lives in Sligo'', evidence => ''[{"observation": "t1", "quote": "I live in Cork"}]'', project => ''south'')', pg_temp.fact('Cork'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('correcting_reader', format('select memory_v1.correct_fact(%L, ''"I"'', ''lives_in'', ''"Sligo"'', statement => ''lives in Sligo'', evidence => ''[{"observation": "t1", "quote": "I live in Cork"}]'', project => ''north'')', pg_temp.fact('Cork'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select v.closed_cause from taisce.fact_version as v where v.fact_id = pg_temp.fact('Cork')),
    'corrected',
    'the old belief was corrected');
select is(
    (select v.known_from from taisce.fact_version as v where v.fact_id = pg_temp.fact('Sligo')),
    (select v.known_to from taisce.fact_version as v where v.fact_id = pg_temp.fact('Cork')),
    'and ended when the new one began');
select throws_ok(
    $$ select memory_v1.correct_fact('00000000-0000-0000-0000-000000000000', '"I"', statement => 'x', evidence => '[{"observation": "t1", "quote": "I live in Cork"}]') $$,
    'TS004', 'not_found', 'an unknown fact is refused');
select throws_ok(
    $$ select memory_v1.correct_fact(pg_temp.fact('Cork'), '"I"', statement => 'x', evidence => '[{"observation": "t1", "quote": "I live in Cork"}]') $$,
    'TS005', 'invalid_argument', 'and one believed no more');

select * from finish();
rollback;
