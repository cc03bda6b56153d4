-- memory_v1.budget_cut: items in order until the first that does not fit.
begin;
select plan(24);

-- Given
create function pg_temp.cut(items jsonb, most integer) returns text language sql as $$
    select string_agg(c.ordinal || ':' || c.characters || ':' || c.running, ' ' order by c.ordinal)
    from memory_v1.budget_cut(items, most) as c
$$;

-- Contract
select has_function(
    'memory_v1', 'budget_cut', array['jsonb', 'integer'], 'it takes items and a budget');
select function_returns(
    'memory_v1', 'budget_cut', array['jsonb', 'integer'], 'setof memory_v1.budgeted_item');
select volatility_is('memory_v1', 'budget_cut', array['jsonb', 'integer'], 'immutable');

-- Rights
select function_privs_are(
    'memory_v1', 'budget_cut', array['jsonb', 'integer'], 'taisce_reader', array['EXECUTE'],
    'a reader may call it');
select function_privs_are(
    'memory_v1', 'budget_cut', array['jsonb', 'integer'], 'public', '{}'::text[],
    'the public may not');

-- Result
select is(pg_temp.cut('["abc", "de", "f"]', 6), '1:3:3 2:2:5 3:1:6', 'all fit exactly');
select is(pg_temp.cut('["abc", "de", "f"]', 5), '1:3:3 2:2:5', 'the next does not');
select is(
    pg_temp.cut('["abc", "defghij", "f"]', 6), '1:3:3',
    'what comes after one that does not fit is not taken, though it would fit');
select is(pg_temp.cut('["abc"]', 2), null, 'a first that does not fit leaves nothing');
select is(pg_temp.cut('[]', 1), null, 'nothing gives nothing');
select is(
    pg_temp.cut(to_jsonb(array[U&'\00E9\+01F469']), 2), '1:2:2',
    'characters are code points, not bytes');
select is(
    pg_temp.cut('["", "a", ""]', 1), '1:0:0 2:1:1 3:0:1', 'an empty text costs nothing');
select is(
    (select item from memory_v1.budget_cut('[{"statement": "x", "more": [1]}]', 9)),
    '{"statement": "x", "more": [1]}'::jsonb, 'the item comes back untouched');
select is(
    pg_temp.cut(
        '[{"fact_id": "00000000-0001-8000-8000-000000000000", "kind": "relation",
           "subject": "1234", "predicate": "12", "object": "123", "value": null,
           "statement": "12345", "source_role": "user", "anchored_on": "not counted",
           "confidence": 0.5, "valid_from": "2024-01-01",
           "evidence": [{"quote": "12", "context": "1234", "role": "user"},
                        {"quote": "1", "context": ""}],
           "path": ["1", "12"], "via": ["1", ""]}]', 100),
    '1:29:29', 'a fact costs its names, predicate, statement, role, quotes, contexts and route');
select is(
    pg_temp.cut(
        '[{"subject": "1", "predicate": null, "object": null, "value": "12", "statement": "1",
           "source_role": "tool", "evidence": []}]', 100),
    '1:8:8', 'or its value, if it has no object');
select is(
    pg_temp.cut('[{"title": "12", "summary": "123", "importance": 0.7}]', 100), '1:5:5',
    'a report costs its title and summary');
select is(
    pg_temp.cut('[{"quote": "12345", "role": "user", "passage_id": "x"}]', 100), '1:9:9',
    'a passage costs its quote and role');
select lives_ok(
    $$ select * from memory_v1.budget_cut(
        '[null, 1, true, [], {}, {"evidence": 3, "path": {"a": 1}, "via": "x"},
          {"evidence": [1, null, "x", []]}, {"subject": {"a": 1}}]', 100) $$,
    'an item of any shape has a cost');
select is(
    pg_temp.cut(to_jsonb(array[repeat('x', 1000000), 'y']), 2147483647),
    '1:1000000:1000000 2:1:1000001', 'the largest budget does not overflow');

-- Errors
select throws_ok(
    $$ select memory_v1.budget_cut(null, 1) $$, 'TS005', 'invalid_argument', 'items are needed');
select throws_ok(
    $$ select memory_v1.budget_cut('{}', 1) $$, 'TS005', 'invalid_argument',
    'items are a list');
select throws_ok(
    $$ select memory_v1.budget_cut('[]', 0) $$, 'TS005', 'invalid_argument',
    'a budget is at least 1');
select throws_ok(
    $$ select memory_v1.budget_cut('[]', null) $$, 'TS005', 'invalid_argument',
    'a budget is needed');
select throws_ok(
    $$ select memory_v1.budget_cut('[]', -2147483648) $$, 'TS005', 'invalid_argument',
    'the smallest number is no budget');

select * from finish();
rollback;
