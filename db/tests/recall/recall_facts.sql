-- memory_v1.recall_facts: the facts of recall as rows.
begin;
select plan(14);

-- Given
select memory_v1.create_project('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o1", "messages": [
      {"role": "user", "content": "Marta works at Acme, which Ann founded in 44 BC."}]}'),
(2, '{"type": "fact", "key": "f1", "subject": "Marta", "predicate": "works_at", "object": "Acme",
      "statement": "Marta works at Acme", "confidence": 0.25, "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta works at Acme"}]}'),
(3, '{"type": "fact", "key": "f2", "subject": "Ann", "predicate": "founded", "object": "Acme",
      "statement": "Ann founded Acme", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Ann founded"}]}'),
(4, '{"type": "fact", "key": "f3", "subject": "Marta", "predicate": "likes", "value": "tea",
      "statement": "Marta likes tea", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta"}]}');
select memory_v1.load('north');
update taisce.fact_version as v set valid_from = '0044-03-15 00:00:00+00 BC'
from taisce.fact as f
where f.fact_id = v.fact_id and f.statement = 'Ann founded Acme';
select set_config('taisce.project', 'north', true);
\ir ../as_role.psql

-- Contract
select is(
    (select pg_get_function_arguments('memory_v1.recall_facts'::regproc)),
    (select pg_get_function_arguments('memory_v1.recall'::regproc)),
    'it takes the arguments of recall');
select is(
    pg_get_function_result('memory_v1.recall_facts'::regproc), 'SETOF memory_v1.recall_fact',
    'it returns facts');
select is(
    (select concat(provolatile, proparallel, prosecdef) from pg_proc
     where oid = 'memory_v1.recall_facts'::regproc),
    'sst', 'it is stable, safe in parallel, and runs as its owner');

-- Rights
select is(
    (select array_agg(x.grantee::regrole::text order by 1)
     from pg_proc as p, aclexplode(p.proacl) as x
     where p.oid = 'memory_v1.recall_facts'::regproc and x.grantee <> p.proowner),
    array['taisce_reader'], 'readers may call it, and nobody else');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst',
        'select count(*) from memory_v1.recall_facts(''Marta'')') $$,
    '42501', null, 'an analyst who is no reader may not');
select throws_ok(
    $$ select pg_temp.as_role('taisce_reader',
        'select count(*) from memory_v1.recall_facts(''Marta'')') $$,
    'TS003', 'unknown_project', 'a reader without a grant has no project');

-- Result
select results_eq(
    $$ select subject, predicate, object, value, statement, confidence, hops, path, via,
        evidence_total
       from memory_v1.recall_facts('Marta', hops => 2) $$,
    $$ values
        ('Marta', 'likes', null, 'tea', 'Marta likes tea', null::double precision, 1,
            '{}'::text[], '{}'::text[], 1),
        ('Marta', 'works_at', 'Acme', null, 'Marta works at Acme', 0.25, 1, '{}', '{}', 1),
        ('Ann', 'founded', 'Acme', null, 'Ann founded Acme', null, 2,
            '{Marta,Acme,Ann}', '{works_at,founded}', 1) $$,
    'rows are the facts of recall, in its order');
select is(
    (
        select jsonb_agg(to_jsonb(f) - '{valid_from,valid_until,known_from,known_until}'::text[])
        from memory_v1.recall_facts('Marta', hops => 2) as f
    ),
    (
        select jsonb_agg(f.fact - '{valid_from,valid_until,known_from,known_until}'::text[]
            order by f.place)
        from jsonb_array_elements(memory_v1.recall('Marta', hops => 2) -> 'facts')
            with ordinality as f (fact, place)
    ),
    'field by field');
select is(
    (select valid_from from memory_v1.recall_facts('Ann')),
    '0044-03-15 00:00:00+00 BC'::timestamptz, 'an instant before our era stays what it is');
set local timezone = 'Asia/Kathmandu';
set local datestyle = 'German';
select is(
    (select known_from from memory_v1.recall_facts('Ann')),
    (select known_from from taisce.fact_version as v join taisce.fact as f using (fact_id)
     where f.statement = 'Ann founded Acme'),
    'whatever the session''s way to write it');
select is_empty($$ select 1 from memory_v1.recall_facts('?!') $$, 'no facts are no rows');

-- Errors
select throws_ok(
    $$ select memory_v1.recall_facts('') $$, 'TS001', 'invalid_question',
    'errors are those of recall');
select throws_ok(
    $$ select memory_v1.recall_facts('Marta', evidence_per_fact => 9) $$, 'TS002',
    'invalid_recall_controls', 'all of them');
select throws_ok(
    $$ select memory_v1.recall_facts('Marta', 'nowhere') $$, 'TS003', 'unknown_project',
    'the project included');

select * from finish();
rollback;
