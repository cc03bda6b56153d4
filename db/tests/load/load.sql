-- memory_v1.load: applies the lines that this transaction has staged.
begin;
select plan(27);

-- Given
create role loading_admin nologin;
create role loading_writer nologin;
create role loading_other nologin;
grant taisce_admin to loading_admin;
grant taisce_writer to loading_writer, loading_other;
\ir ../as_role.psql
create function pg_temp.stage(variadic bodies jsonb[]) returns void language sql as $$
    insert into memory_v1.load_stage (line, body)
    select b.ordinality, b.body from unnest(bodies) with ordinality as b (body, ordinality)
$$;
create function pg_temp.told(key text, content text) returns jsonb language sql as $$
    select jsonb_build_object('type', 'observation', 'key', key, 'data_subject_id', 's1',
        'messages', jsonb_build_array(jsonb_build_object('role', 'user', 'content', content)))
$$;
create function pg_temp.lives(key text, place text, since text) returns jsonb language sql as $$
    select jsonb_build_object('type', 'fact', 'key', key, 'subject', 'Marta',
        'predicate', 'lives_in', 'object', place, 'cardinality', 'one',
        'statement', 'lives in ' || place, 'valid_from', since,
        'evidence', '[{"observation": "t1", "quote": "Marta moved"}]'::jsonb)
$$;

-- Contract
select has_function('memory_v1', 'load', array['text'], 'it takes a project');
select function_returns('memory_v1', 'load', array['text'], 'setof memory_v1.load_result');
select volatility_is('memory_v1', 'load', array['text'], 'volatile');
select is_definer('memory_v1', 'load', array['text']);
select columns_are(
    'memory_v1', 'load_stage', array['txid', 'line', 'body'], 'the stage holds numbered lines');

-- Rights
select function_privs_are(
    'memory_v1', 'load', array['text'], 'taisce_writer', array['EXECUTE'], 'a writer may load');
select function_privs_are(
    'memory_v1', 'load', array['text'], 'taisce_reader', '{}'::text[], 'a reader may not');
select function_privs_are(
    'memory_v1', 'load', array['text'], 'taisce_analyst', '{}'::text[], 'an analyst may not');
select function_privs_are(
    'memory_v1', 'load', array['text'], 'public', '{}'::text[], 'the public may not');
select ok(
    has_column_privilege('taisce_writer', 'memory_v1.load_stage', 'line', 'insert')
    and has_column_privilege('taisce_writer', 'memory_v1.load_stage', 'body', 'insert'),
    'a writer may stage lines');
select ok(
    not has_column_privilege('taisce_writer', 'memory_v1.load_stage', 'txid', 'insert'),
    'a writer cannot stage lines into the transaction of another');
select ok(
    not has_any_column_privilege('taisce_writer', 'memory_v1.load_stage', 'select'),
    'a writer cannot read the lines of another');
select ok(
    not has_table_privilege('taisce_writer', 'memory_v1.load_stage', 'delete, update, truncate'),
    'a writer cannot take back or change what is staged');

-- Result
select pg_temp.stage(
    '{"type": "predicate", "predicate": "lives_in", "cardinality": "one"}',
    pg_temp.told('t1', 'Marta moved to Dublin.'),
    pg_temp.lives('f1', 'Dublin', '2020-01-01T00:00:00Z'),
    pg_temp.lives('f2', 'Cork', '2022-01-01T00:00:00Z'));
select is(pg_temp.as_role('loading_admin',
    $$ select 'as' from memory_v1.load('loading') where facts = 2 and versions = 3
       and superseded = 1 and entities = 3 and repeated = 0 and stored = 1 $$),
    'as', 'an administrator loads into a project that was not there');
select is_empty(
    $$ select line from memory_v1.load_stage where txid = pg_current_xact_id() $$,
    'nothing is left in the stage');
select results_eq(
    $$ select v.valid_from::date, nullif(v.valid_to, 'infinity')::date, v.known_to = 'infinity'
       from taisce.fact_version as v join taisce.fact as f using (project_id, fact_id)
       where f.statement = 'lives in Dublin' order by v.known_from $$,
    $$ values ('2020-01-01'::date, null::date, false), ('2020-01-01', '2022-01-01', true) $$,
    'a value that starts inside another ends it, and what was believed stays on record');
select results_eq(
    $$ select c.last_stamp >= v.known_from from taisce.project_clock as c
       join taisce.fact_version as v using (project_id) $$,
    $$ values (true), (true), (true) $$,
    'the clock of the project has passed every stamp');
select pg_temp.stage(pg_temp.told('t1', 'Marta moved to Dublin.'));
select is(
    pg_temp.as_role('loading_admin', $$ select repeated from memory_v1.load('loading') $$), '1',
    'a line that says nothing new is counted');

-- Errors
select throws_ok(
    $$ select pg_temp.as_role('loading_writer', 'select memory_v1.load(''loading'')') $$,
    'TS003', 'unknown_project', 'a project that is not granted is unknown');
select throws_ok(
    $$ select pg_temp.as_role('loading_writer', 'select memory_v1.load(''nowhere'')') $$,
    'TS003', 'unknown_project', 'a writer makes no projects');
insert into taisce.project_grant (project_id, grantee, access)
select project_id, 'loading_writer'::regrole, 'write' from taisce.project where name = 'loading';
select throws_ok(
    $$ select pg_temp.stage('{"type": "retract", "fact": "f1", "at": "2026-01-01T00:00:00Z"}'),
           pg_temp.as_role('loading_writer', 'select memory_v1.load(''loading'')') $$,
    'TS008', 'invalid_load', 'to rewrite history is not for writers');
select throws_ok(
    $$ select pg_temp.stage('{"type": "fact", "surprise": true}'),
           pg_temp.as_role('loading_writer', 'select memory_v1.load(''loading'')') $$,
    'TS008', 'invalid_load', 'an unknown field is refused');
select throws_ok(
    $$ select pg_temp.stage('null'),
           pg_temp.as_role('loading_writer', 'select memory_v1.load(''loading'')') $$,
    'TS008', 'invalid_load', 'what is no object is refused');
select throws_ok(
    $$ select pg_temp.stage(pg_temp.lives('f3', 'Rome', '2022-01-01T00:00:00Z')),
           pg_temp.as_role('loading_writer', 'select memory_v1.load(''loading'')') $$,
    'TS006', 'conflicting_value', 'another value at the same time is refused');
select throws_ok(
    $$ select pg_temp.stage(pg_temp.told('t1', 'Something else.')),
           pg_temp.as_role('loading_writer', 'select memory_v1.load(''loading'')') $$,
    'TS007', 'idempotency_conflict', 'a key stands for its content');
select is_empty(
    $$ select line from memory_v1.load_stage where txid = pg_current_xact_id() $$,
    'a load that was refused leaves no line behind');
select is(
    pg_temp.as_role('loading_writer', $$ select lines from memory_v1.load('loading') $$), '0',
    'an empty stage is loaded without a word');

select finish();
rollback;
