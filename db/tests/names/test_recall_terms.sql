-- memory_v1.recall_terms: the names that a question may hold.
begin;
select plan(19);

-- Given
create temporary view said as
select t.* from memory_v1.recall_terms('Was Marta''s "Yahoo!" in D.C.?') as t;

-- Contract
select has_function('memory_v1', 'recall_terms', array['text'], 'it takes a question');
select function_returns('memory_v1', 'recall_terms', array['text'], 'setof memory_v1.recall_term');
select volatility_is('memory_v1', 'recall_terms', array['text'], 'stable');
select is_definer('memory_v1', 'recall_terms', array['text']);

-- Rights
select function_privs_are(
    'memory_v1', 'recall_terms', array['text'], 'taisce_reader', array['EXECUTE'],
    'a reader may ask');
select function_privs_are(
    'memory_v1', 'recall_terms', array['text'], 'taisce_analyst', array['EXECUTE'],
    'an analyst may ask');
select function_privs_are(
    'memory_v1', 'recall_terms', array['text'], 'public', '{}'::text[], 'the public may not');

-- Result
select results_eq(
    $$ select candidate from memory_v1.recall_terms('Where is Marta') $$,
    array['where', 'where is', 'where is marta', 'is', 'is marta', 'marta'],
    'windows come by start, then by length');
select ok(
    exists (select from said as s where s.candidate = 'yahoo!' and s.kind = 'token'),
    'a name with a mark is reached inside quotes');
select ok(
    exists (select from said as s where s.candidate = 'd.c.' and s.kind = 'token'),
    'an abbreviation is reached before a question mark');
select ok(
    exists (select from said as s where s.candidate = 'marta' and s.kind = 'possessive'),
    'an owner is reached');
select is(
    (select count(*) from said as s where s.kind = 'long'), 2::bigint,
    'each place with a fifth word probes long names');
select is(
    (select array_agg(s.ordinal order by s.ordinal) from said as s),
    (select array_agg(g.n) from generate_series(1, (select count(*)::integer from said)) as g (n)),
    'ordinals have no gap');
select is_empty(
    $$ select 1 from memory_v1.recall_terms('?! ...') $$, 'marks alone give no terms');

-- Errors
select throws_ok(
    $$ select memory_v1.recall_terms(' ') $$, 'TS001', 'invalid_question', 'blank');
select throws_ok(
    $$ select memory_v1.recall_terms(null) $$, 'TS001', 'invalid_question', 'none');
select throws_ok(
    $$ select memory_v1.recall_terms(repeat('x', 8193)) $$, 'TS001', 'invalid_question',
    'over 8,192 bytes');
select throws_ok(
    $$ select memory_v1.recall_terms(string_agg('w' || n, ' '))
       from generate_series(1, 130) as n $$,
    'TS001', 'invalid_question', 'over 512 windows');
select throws_ok(
    $$ select memory_v1.recall_terms(string_agg(repeat(chr(96 + n), 1100), ' '))
       from generate_series(1, 6) as n $$,
    'TS001', 'invalid_question', 'over 32,768 bytes of windows');

select * from finish();
rollback;
