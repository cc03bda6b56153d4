-- memory_v1.explain_recall: how a recall came to its answer.
begin;
select plan(17);

-- Given
\set reader explaining_reader
\ir memory.psql

-- Contract
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.explain_recall'::regproc
    ),
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.recall'::regproc
    ),
    'it takes the arguments of recall');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('explaining_reader', 'select memory_v1.explain_recall(''Marta'', project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('explaining_reader', 'select memory_v1.explain_recall(''Marta'', project => ''south'')') $$, 'TS003',
    'unknown_project', 'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.explain_recall(''Marta'', project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Given
create function pg_temp.stages(
    question text, hops integer default 1, source_roles text[] default null,
    max_characters integer default null, data_subject_id text default null
) returns text language sql as $$
    select string_agg(concat_ws(' ', s.stage, s.direction, s.count), ', ')
    from memory_v1.explain_recall(
        stages.question, hops => stages.hops, source_roles => stages.source_roles,
        max_characters => stages.max_characters, data_subject_id => stages.data_subject_id) as s
$$;

-- Result
select is(
    pg_temp.stages('Marta'),
    'terms 1, probes 1, anchor, facts subject 1, facts object 0, hop_1 1, reached 1, answer 1',
    'a name, and what was read and found');
select is(
    pg_temp.stages('?!'), 'terms 0, answer 0', 'without words nothing is looked up');
select is(
    pg_temp.stages('nobody'), 'terms 1, probes 1, answer 0', 'an unknown name');
select is(
    (select s.note from memory_v1.explain_recall('nobody') as s where s.stage = 'answer'),
    'silent_because unknown_name', 'and the answer says why it is empty');
select is(
    pg_temp.stages('Marta', 2, '{user,tool}'),
    'terms 1, probes 1, anchor, facts subject 2, facts object 0, hop_1 2, hop_2 1, reached 2, '
    'answer 2', 'two hops and more roles');
select is(
    pg_temp.stages('Acme', max_characters => 70),
    'terms 1, probes 1, anchor, facts subject 2, facts object 0, hop_1 2, reached 2, budget 2, '
    'answer 0', 'a budget that holds nothing');
select is(
    (
        select (s.entity_id = e.entity_id, s.note)::text
        from memory_v1.explain_recall('Marta Nowak') as s, memory_v1.list_entities() as e
        where s.stage = 'anchor' and e.name = 'Marta'
    ),
    '(t,"Marta, matched by marta nowak")', 'by what an entity was named');
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object('type', 'fact', 'subject', 'Babel', 'predicate', 'sells',
    'value', n::text, 'statement', 'Babel sells ' || n,
    'evidence', '[{"observation": "o3", "quote": "Babel"}]'::jsonb)
from generate_series(1, 70) as n;
select memory_v1.load('north');
select is(
    pg_temp.stages('Babel'),
    'terms 1, probes 1, anchor, facts subject 64, facts object 1, fanout_cut subject 64, hop_1 66, '
    'reached 65, answer 65', 'a direction of an entity that has more than is read');
update taisce.fact_evidence set retention_until = '2020-01-01Z'
where fact_id = pg_temp.fact('Acme sits in Prague', 'bob');
select matches(
    pg_temp.stages('Acme', data_subject_id => 'bob'), 'no_evidence 1, answer 0$',
    'facts whose words may not be shown');
select is(
    (
        select count(*)::integer from memory_v1.recall_facts('Marta Acme Babel') as f
    ),
    (
        select s.count from memory_v1.explain_recall('Marta Acme Babel') as s
        where s.stage = 'answer'
    ),
    'the count is that of the answer');

-- Errors
select throws_ok(
    $$ select memory_v1.explain_recall('') $$, 'TS001', 'invalid_question', 'it refuses as recall');
select throws_ok(
    $$ select memory_v1.explain_recall('x', max_characters => 0) $$, 'TS002',
    'invalid_recall_controls', 'also controls');
select throws_ok(
    $$ select memory_v1.explain_recall('x', project => 'nowhere') $$, 'TS003', 'unknown_project',
    'and a project');

select * from finish();
rollback;
