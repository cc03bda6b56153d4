-- memory_v1.answer_context: what was said and what is held.
begin;
select plan(10);

-- Given
create role operations_reader nologin;
grant taisce_reader to operations_reader;
create role operations_analyst nologin;
grant taisce_analyst to operations_analyst;
create role operations_writer nologin;
grant taisce_writer to operations_writer;
create role operations_stranger nologin;
grant taisce_reader, taisce_analyst to operations_stranger;
select memory_v1.create_project('north');
select memory_v1.grant_project('north', 'operations_reader', 'read');
select memory_v1.grant_project('north', 'operations_analyst', 'read');
select memory_v1.grant_project('north', 'operations_writer', 'write');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o1", "messages": [
      {"role": "user", "content": "Marta works at Acme. Acme sits in Prague. Acme sits in Brno."}]}'),
(2, '{"type": "entity", "name": "Marta", "aliases": ["Marta Nowak"]}'),
(3, '{"type": "fact", "key": "works", "subject": "Marta", "predicate": "works_at",
      "object": "Acme", "statement": "Marta works at Acme",
      "valid_from": "2024-03-01T00:00:00Z", "evidence": [
        {"observation": "o1", "quote": "Marta works at Acme"}]}'),
(4, '{"type": "fact", "key": "prague", "subject": "Acme", "predicate": "sits_in",
      "object": "Prague", "statement": "Acme sits in Prague", "evidence": [
        {"observation": "o1", "quote": "Acme sits in Prague"}]}'),
(5, '{"type": "fact", "key": "brno", "subject": "Acme", "predicate": "sits_in",
      "object": "Brno", "statement": "Acme sits in Brno", "evidence": [
        {"observation": "o1", "quote": "Acme sits in Brno"}]}'),
(6, '{"type": "contradiction", "facts": ["prague", "brno"]}');
select memory_v1.load('north');
set local taisce.project = 'north';
create function pg_temp.entity(name text) returns uuid language sql as $$
    select e.entity_id from taisce.entity as e where e.canonical_name = entity.name
$$;
create function pg_temp.fact(statement text) returns uuid language sql as $$
    select f.fact_id from taisce.fact as f where f.statement = fact.statement
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

-- Contract
select has_function('memory_v1', 'answer_context', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.answer_context'::regproc and a.place <= p.pronargs
    ),
    array['query', 'project', 'entity_ids', 'hops', 'predicate', 'time_scope', 'data_subject_id',
        'source_roles', 'max_characters', 'query_embedding', 'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select p.prosecdef and p.provolatile = 's' from pg_proc as p
     where p.oid = 'memory_v1.answer_context'::regproc),
    true,
    'it reads only, as the owner');

-- Rights
select lives_ok(
    $t$ select pg_temp.as_role('operations_reader', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    'a reader of the project may ask');
select lives_ok(
    $t$ select pg_temp.as_role('operations_analyst', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    'an analyst of the project may ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_writer', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    '42501', null,
    'a writer may not ask');
select throws_ok(
    $t$ select pg_temp.as_role('operations_stranger', $q$ select * from memory_v1.answer_context('Marta', project => 'north') $q$) $t$,
    'TS003', null,
    'for whom the project is not granted, it does not exist');

-- Result
select is(
    (select a.facts ->> 'operation' from memory_v1.answer_context('Marta') as a),
    'fact_context',
    'one side is what is held');
select is(
    (select a.testimony ->> 'operation' from memory_v1.answer_context('Marta') as a),
    'testimony_context',
    'the other what was said');

-- Errors
select throws_ok(
    $t$ select * from memory_v1.answer_context('a', max_characters => 0) $t$,
    'TS005', null,
    'a budget of nothing is refused');

select * from finish();
rollback;
