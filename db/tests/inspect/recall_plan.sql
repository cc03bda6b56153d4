-- memory_v1.recall_plan: the plan of the walk.
begin;
select plan(10);

-- Given
create role planning_reader nologin;
grant taisce_reader to planning_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'planning_reader', 'read');
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
