-- taisce.load_value_fault, add_counts and refuse_line: what the load format refuses, and how.
begin;
select plan(60);

-- Given
\ir ../refusal.psql
create function pg_temp.fault(kind text, value text) returns text language sql as $$
    select taisce.load_value_fault(kind, value::jsonb)
$$;

-- Result
select is(pg_temp.fault(k.kind, k.value), k.fault, k.kind || ' ' || left(k.value, 30))
from (values
    ('label', 'null', null),
    ('label', '"a"', null),
    ('label', '1', 'must be text'),
    ('label', '" "', 'must not be empty'),
    ('label', '"\u00a0\u2003\u3000"', 'must not be empty'),
    ('label', '"\u200b"', null),
    ('name', '"!"', null),
    ('name', '"\u00a0"', 'must not be empty'),
    ('spelling', '"! ! ! !"', null),
    ('spelling', '"! ! ! ! !"', 'has no word to be found by'),
    ('spelling', '"! ! ! ! a"', null),
    ('instant', '"2026-01-05T10:00:00Z"', null),
    ('instant', '"2026-01-05 10:00+01"', null),
    ('instant', '"2026-01-05T10:00:00"', 'must be an instant such as 2026-01-05T10:00:00Z'),
    ('instant', '"2026-01-05"', 'must be an instant such as 2026-01-05T10:00:00Z'),
    ('instant', '"infinity"', 'must be an instant such as 2026-01-05T10:00:00Z'),
    ('instant', '1767600000', 'must be an instant such as 2026-01-05T10:00:00Z'),
    ('boolean', 'false', null),
    ('boolean', '"false"', 'must be true or false'),
    ('share', '0', null),
    ('share', '1', null),
    ('share', '-0.001', 'must be from 0 to 1'),
    ('share', '1.001', 'must be from 0 to 1'),
    ('share', '"1"', 'must be a number'),
    ('number', '1e15', null),
    ('number', '-1.1e15', 'is too large'),
    ('count', '0', null),
    ('count', '-1', 'is out of range'),
    ('count', '2147483647', null),
    ('count', '2147483648', 'is out of range'),
    ('count', '1.5', 'must be a whole number'),
    ('offset', '0', 'is out of range'),
    ('offset', '1', null),
    ('offset', '140737488355327', null),
    ('offset', '140737488355328', 'is out of range'),
    ('level', '0', 'is out of range'),
    ('level', '6', null),
    ('level', '7', 'is out of range'),
    ('list', '[]', 'must be a list of at least one'),
    ('list', '{}', 'must be a list of at least one'),
    ('list', '[null]', null),
    ('names', '[]', null),
    ('names', '"a"', 'must be a list'),
    ('names', '["a", null]', 'has an empty element'),
    ('names', '["a", 1]', 'an element must be text'),
    ('roles', '[]', 'must hold one to five roles'),
    ('roles', '["user", "nobody"]',
        'an element must be one of user, assistant, system, tool, document'),
    ('entity', '{"key": "a"}', null),
    ('entity', '{"speaker": "a"}', null),
    ('entity', '{"key": "a", "id": null}', 'must hold one of key, id, speaker'),
    ('entity', '{"id": "a"}', 'must hold a uuid'),
    ('thing', '{"speaker": "a"}', 'must hold one of key, id'),
    ('one|many', '"one"', null),
    ('one|many', '"few"', 'must be one of one, many')
) as k (kind, value, fault);

select is(
    taisce.add_counts('{"a": 1, "b": 2}', '{"b": 3, "c": 4}'), '{"a": 1, "b": 5, "c": 4}',
    'counts are added by name');
select is(taisce.add_counts('{"a": 1}', '{}'), '{"a": 1}', 'nothing adds nothing');
select is(
    taisce.add_counts('{}', '{"a": 3000000000}'), '{"a": 3000000000}', 'counts may be large');
select is(
    pg_temp.refusal($$ select taisce.refuse_line(12, 'evidence[0].quote', 'is missing') $$),
    'TS008 line 12, field evidence[0].quote: is missing', 'a line is refused with field and reason');
select is(
    pg_temp.refusal($$ select taisce.refuse_line(12, null, 'is blank') $$),
    'TS008 line 12: is blank', 'or as a whole');
select throws_ok(
    $$ select taisce.refuse_line(12, null, 'a', 'TS006') $$, 'TS006', 'conflicting_value',
    'or with another code and its word');

select * from finish();
rollback;
