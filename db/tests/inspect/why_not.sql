-- memory_v1.why_not: at which stage a fact left.
begin;
select plan(25);

-- Given
\set reader wondering_reader
\ir memory.psql

-- Contract
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.why_not'::regproc
    ),
    (
        select array['fact_id'] || array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.recall'::regproc
    ),
    'it takes the arguments of recall');

-- Rights
select throws_ok(
    $$ select pg_temp.as_role('wondering_reader',
        'select memory_v1.why_not(null, ''Marta'', project => ''north'')') $$,
    'TS004', 'not_found', 'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('wondering_reader', 'select memory_v1.why_not(null, ''Marta'', project => ''south'')') $$, 'TS003',
    'unknown_project', 'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.why_not(null, ''Marta'', project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Given
create function pg_temp.stage(
    statement text, question text, data_subject_id text default null, hops integer default 1,
    source_roles text[] default null, max_characters integer default null,
    as_of timestamptz default null
) returns text language sql as $$
    select w.stage
    from memory_v1.why_not(
        pg_temp.fact(stage.statement, case
            when stage.statement like '%Prague' then 'bob' else 'ann' end),
        stage.question, data_subject_id => stage.data_subject_id, hops => stage.hops,
        source_roles => stage.source_roles, max_characters => stage.max_characters,
        as_of => stage.as_of) as w
$$;

-- Result
select is(pg_temp.stage('Marta works at Babel', 'Marta'), 'answer', 'a fact that is there');
select is(pg_temp.stage('Marta works at Babel', '?!'), 'no_terms', 'a question without words');
select is(pg_temp.stage('Marta works at Babel', 'Bob'), 'unknown_name', 'an unknown name');
select is(pg_temp.stage('Acme sits in Prague', 'Marta'), 'anchors', 'neither end was named');
select is(pg_temp.stage('Acme sits in Prague', 'Marta', hops => 2), 'anchors',
    'nor within reach, since the way there is past');
select is(pg_temp.stage('Acme sits in Prague', 'Marta', hops => 2, as_of => '2024-04-01Z'), 'answer',
    'it was');
select is(
    (select w.reason from memory_v1.why_not(
        pg_temp.fact('Acme sits in Prague', 'bob'), 'Marta', as_of => '2024-04-01Z') as w),
    'the question names neither Acme nor Prague; two hops would come by', 'which is told');
select is(pg_temp.stage('Acme sits in Prague', 'Acme', 'ann'), 'subject',
    'words of another person');
select is(pg_temp.stage('Marta owes money', 'Marta'), 'role', 'said by a tool');
select is(pg_temp.stage('Marta owes money', 'Marta', source_roles => '{tool}'), 'answer',
    'there, if the tool counts');
select is(pg_temp.stage('Marta works at Acme', 'Marta'), 'time', 'it is over');
select is(pg_temp.stage('Marta works at Acme', 'Marta', as_of => '2024-04-01Z'), 'answer',
    'it was not over yet');
select is(pg_temp.stage('Marta works at Babel', 'Marta', max_characters => 50), 'budget',
    'it does not fit');
update taisce.fact_evidence set retention_until = '2020-01-01Z'
where fact_id = pg_temp.fact('Acme sits in Prague', 'bob');
select is(pg_temp.stage('Acme sits in Prague', 'Acme'), 'evidence', 'its words may not be shown');
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object('type', 'fact', 'subject', 'Town ' || n / 60,
    'predicate', 'has', 'value', n::text, 'statement', 'Town has ' || n,
    'evidence', '[{"observation": "o3", "quote": "Babel"}]'::jsonb)
from generate_series(0, 299) as n;
insert into memory_v1.load_stage (line, body)
select 1000 + n, jsonb_build_object('type', 'fact', 'subject', 'Babel', 'predicate', 'sells',
    'value', n::text, 'statement', 'Babel sells ' || n,
    'evidence', '[{"observation": "o3", "quote": "Babel"}]'::jsonb)
from generate_series(1, 70) as n;
select memory_v1.load('north');
create function pg_temp.stages(predicate text, question text, places integer[]) returns text
language sql as $$
    select string_agg(w.stage, ' ' order by f.place)
    from (
        select i.fact_id, row_number() over (order by i.fact_id) as place
        from taisce.fact as i
        where i.predicate = stages.predicate
    ) as f
    cross join lateral memory_v1.why_not(f.fact_id, stages.question) as w
    where f.place = any (stages.places)
$$;
select is(
    pg_temp.stages('sells', 'Babel', '{1,64,65,70}'), 'answer answer fanout fanout',
    'of a hub the first 64 are read');
select is(
    pg_temp.stages('has', 'Town 0, Town 1, Town 2, Town 3, Town 4', '{1,200,201,300}'),
    'answer answer rows rows', '200 facts are returned, others are behind them');
select is(
    (
        select w.stage
        from memory_v1.why_not(
            pg_temp.fact('Marta works at Babel'), 'Town 0, Town 1, Town 2, Town 3, Town 4', hops => 2
        ) as w
    ),
    'anchors', 'and lead nowhere');

-- Errors
create temporary table refusal (what text, id uuid);
insert into refusal values ('an unknown fact', gen_random_uuid()),
    ('a fact of another project', pg_temp.fact('Marta is a ship')),
    ('an expired fact', pg_temp.fact('Marta works at Babel'));
update taisce.fact set retention_until = '2020-01-01Z' where statement = 'Marta works at Babel';
select throws_ok(
    format('select memory_v1.why_not(%L, ''x'')', r.id), 'TS004', 'not_found',
    r.what || ' is not found')
from refusal as r;
select throws_ok(
    $$ select memory_v1.why_not(gen_random_uuid(), '') $$, 'TS001', 'invalid_question',
    'it refuses as recall');

select * from finish();
rollback;
