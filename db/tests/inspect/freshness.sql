-- memory_v1.freshness and ready: how far a memory has come.
begin;
select plan(14);

-- Given
create role asking_reader nologin;
grant taisce_reader to asking_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'asking_reader', 'read');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o1", "data_subject_id": "ann",
      "occurred_at": "2024-03-04T09:00:00Z", "messages": [
      {"role": "user", "content": "Grüß: Marta works at Acme now. Acme sits in Prague."},
      {"role": "tool", "content": "Marta owes money."}]}'),
(2, '{"type": "observation", "key": "o2", "data_subject_id": "bob", "messages": [
      {"role": "user", "content": "Acme sits in Prague, so Acme sits in Prague."}]}'),
(3, '{"type": "observation", "key": "o3", "data_subject_id": "ann", "messages": [
      {"role": "user", "content": "Marta works at Babel."}]}'),
(4, '{"type": "entity", "name": "Marta", "entity_type": "person", "profile": "Engineer.",
      "aliases": ["Marta Nowak"]}'),
(5, '{"type": "fact", "key": "acme", "subject": "Marta", "predicate": "works_at",
      "object": "Acme", "statement": "Marta works at Acme", "cardinality": "one",
      "valid_from": "2024-03-01T00:00:00Z", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta works at Acme"}]}'),
(6, '{"type": "fact", "key": "prague", "subject": "Acme", "predicate": "sits_in",
      "object": "Prague", "statement": "Acme sits in Prague", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Acme sits in Prague"}]}'),
(7, '{"type": "fact", "key": "owes", "subject": "Marta", "predicate": "owes",
      "value": "money", "statement": "Marta owes money", "evidence": [
        {"observation": "o1", "ordinal": 1, "quote": "owes money"}]}'),
(8, '{"type": "fact", "key": "babel", "subject": "Marta", "predicate": "works_at",
      "object": "Babel", "statement": "Marta works at Babel", "cardinality": "one",
      "valid_from": "2024-06-01T00:00:00Z", "evidence": [
        {"observation": "o3", "quote": "Marta works at Babel"}]}'),
(9, '{"type": "fact", "key": "bob", "subject": "Acme", "predicate": "sits_in",
      "object": "Prague", "statement": "Acme sits in Prague", "evidence": [
        {"observation": "o2", "byte_start": 0, "quote": "Acme sits in Prague"},
        {"observation": "o2", "byte_start": 24, "quote": "Acme sits in Prague"},
        {"observation": "o2", "byte_start": 0, "quote": "Acme", "stance": "contradicts"}]}');
select memory_v1.load('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "s1", "data_subject_id": "ann", "messages": [
      {"role": "user", "content": "A secret."}]}'),
(2, '{"type": "fact", "key": "secret", "subject": "Marta", "predicate": "is_a",
      "value": "ship", "statement": "Marta is a ship", "evidence": [
        {"observation": "s1", "quote": "secret"}]}');
select memory_v1.load('south');
set local taisce.project = 'north';
create function pg_temp.fact(statement text, subject text default 'ann', out fact_id uuid)
language sql as $$
    select f.fact_id from taisce.fact as f
    where f.statement = fact.statement and f.data_subject_id = fact.subject
$$;
create function pg_temp.as_role(role text, statement text) returns text language plpgsql as $$
declare
    v_result text;
begin
    perform set_config('role', role, true);
    execute statement into v_result;
    perform set_config('role', 'none', true);
    return v_result;
end $$;

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
