-- memory_v1.freshness and ready: how far a memory has come.
begin;
select plan(14);

-- Given
\set reader asking_reader
\ir memory.psql

create function pg_temp.number() returns bigint language sql as $$
    select p.project_id from taisce.project as p where p.name = 'north'
$$;

-- Contract
select has_function('memory_v1', 'freshness', array['text'], 'it takes a project');
select has_function('memory_v1', 'ready', array['text'], 'ready takes a version');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('asking_reader', 'select memory_v1.freshness(''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('asking_reader', 'select memory_v1.freshness(''south'')') $$, 'TS003',
    'unknown_project', 'and not of a project that is not granted');
select is(
    pg_temp.as_role('taisce_writer', 'select memory_v1.ready()'), 'true',
    'every role may ask whether it is ready');

-- Result
select is(
    memory_v1.freshness() - '{contract,spaces}'::text[], taisce.freshness_of(pg_temp.number()),
    'the numbers that every answer carries');
select is(
    (memory_v1.freshness() ->> 'stored')::integer, 3, 'of this project');
select is(memory_v1.freshness() -> 'spaces', '[]', 'without vectors no space');
insert into taisce.embedding_generation (project_id, generation_id, space, model, dimensions,
    input_version, state, through_offset, covered_through_offset, created_at)
select pg_temp.number(), n, 'message', 'm' || n, 3, '1',
    case n when 1 then 'active' else 'retired' end, 3, 2, now()
from generate_series(1, 2) as n;
select is(
    memory_v1.freshness() -> 'spaces',
    '[{"space": "message", "model": "m1", "revision": "", "through_offset": 3,
       "covered_through_offset": 2}]', 'how far the vectors of each active space reach');
select ok(memory_v1.ready(), 'an installed memory is ready');
select ok(
    memory_v1.ready(l.package_version), 'for the package that installed it')
from taisce.ledger as l limit 1;
select ok(not memory_v1.ready('999.0'), 'not for one of another time');
select ok(not coalesce(memory_v1.ready('x'), false), 'nor for what is no version');

-- Errors
select throws_ok(
    $$ select memory_v1.freshness('nowhere') $$, 'TS003', 'unknown_project',
    'an unknown project is refused');

select * from finish();
rollback;
