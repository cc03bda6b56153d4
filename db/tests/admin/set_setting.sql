-- memory_v1.set_setting and list_settings: the limits of an installation.
begin;
select plan(27);

-- Given
\ir ../as_role.psql

-- Contract
select has_function(
    'memory_v1', 'set_setting', array['text', 'text'], 'set_setting takes a name and a value');
select function_returns('memory_v1', 'set_setting', array['text', 'text'], 'text');
select is_definer('memory_v1', 'set_setting', array['text', 'text']);
select has_function('memory_v1', 'list_settings', '{}'::text[], 'list_settings takes nothing');
select function_returns(
    'memory_v1', 'list_settings', '{}'::text[], 'setof memory_v1.setting_item');
select volatility_is('memory_v1', 'list_settings', '{}'::text[], 'stable');

-- Rights
select function_privs_are(
    'memory_v1', 'set_setting', array['text', 'text'], 'taisce_admin', array['EXECUTE'],
    'an administrator may change a limit');
select function_privs_are(
    'memory_v1', 'set_setting', array['text', 'text'], 'taisce_writer', '{}'::text[],
    'a writer may not');
select function_privs_are(
    'memory_v1', 'list_settings', '{}'::text[], 'taisce_reader', array['EXECUTE'],
    'a reader may see the limits');
select function_privs_are(
    'memory_v1', 'list_settings', '{}'::text[], 'public', '{}'::text[], 'the public may not');

-- Result
select is(
    (select value from memory_v1.list_settings() where name = 'bundle_characters'), '16000',
    'a bundle holds 16,000 characters at first');
select is(
    (select value from memory_v1.list_settings() where name = 'recall_terms'), '512',
    'a question gives 512 candidates at first');
select results_eq(
    'select name from memory_v1.list_settings()',
    'select name from taisce.setting order by name collate "C"', 'all are listed, by name');
select is(
    pg_temp.as_role(
        'taisce_admin', $$ select memory_v1.set_setting('bundle_characters', ' 500 ') $$),
    '500', 'the value comes back as it is kept');
select is(
    (select value from taisce.setting where name = 'bundle_characters'), '500', 'and is kept');
select is(
    memory_v1.set_setting('clock_skew', '90 seconds'), '90 seconds', 'an interval is taken');
select is(memory_v1.set_setting('audit', 'log'), 'log', 'a word is taken');
select is(
    memory_v1.set_setting('passage_weight_vectors', '0.25'), '0.25', 'a number is taken');

-- Errors
select throws_ok(
    $$ select memory_v1.set_setting('colour', 'red') $$, 'TS005', 'invalid_argument',
    'an unknown setting is refused');
select throws_ok(
    $$ select memory_v1.set_setting('bundle_characters', '0') $$, 'TS005', 'invalid_argument',
    'a value under the range is refused');
select throws_ok(
    $$ select memory_v1.set_setting('recall_terms', '4097') $$, 'TS005', 'invalid_argument',
    'a value over the range is refused');
select throws_ok(
    $$ select memory_v1.set_setting('recall_terms', '99999999999') $$, 'TS005',
    'invalid_argument', 'a number that is no integer of the server is refused');
select throws_ok(
    $$ select memory_v1.set_setting('recall_terms', 'many') $$, 'TS005', 'invalid_argument',
    'a word where a number belongs is refused');
select throws_ok(
    $$ select memory_v1.set_setting('clock_skew', '2 days') $$, 'TS005', 'invalid_argument',
    'too long an interval is refused');
select throws_ok(
    $$ select memory_v1.set_setting('passage_weight_vectors', 'NaN') $$, 'TS005',
    'invalid_argument', 'what is no number is refused');
select throws_ok(
    $$ select memory_v1.set_setting('audit', null) $$, 'TS005', 'invalid_argument',
    'nothing is refused');
select throws_ok(
    $$ select memory_v1.set_setting('sandbox_tiers', '[1]') $$, 'TS005', 'invalid_argument',
    'a list where an object belongs is refused');

select * from finish();
rollback;
