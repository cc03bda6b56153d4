-- taisce.are_query_parameters, taisce.are_query_fixtures: what the columns of a saved query hold.
begin;
select plan(17);

-- Parameters
select ok(taisce.are_query_parameters('[]'), 'no parameter');
select ok(taisce.are_query_parameters('[{"name": "who", "type": "text"}]'), 'one');
select ok(taisce.are_query_parameters('[{"name": "ids", "type": "uuid[]"}]'), 'a list');
select ok(not taisce.are_query_parameters('{}'), 'an object is no list');
select ok(not taisce.are_query_parameters('[{"name": "who"}]'), 'a type is needed');
select ok(not taisce.are_query_parameters('[{"name": "Who", "type": "text"}]'), 'small letters');
select ok(not taisce.are_query_parameters('[{"name": "who", "type": "text; drop"}]'), 'a type');
select ok(not taisce.are_query_parameters(
    '[{"name": "a", "type": "text"}, {"name": "a", "type": "uuid"}]'), 'each has its own name');
select ok(not taisce.are_query_parameters((
    select jsonb_agg(jsonb_build_object('name', 'p' || n, 'type', 'text'))
    from generate_series(1, 21) as n)), 'at most twenty');
select ok(not taisce.are_query_parameters('[1]'), 'objects');

-- Fixtures
select ok(taisce.are_query_fixtures('[]'), 'no fixture');
select ok(taisce.are_query_fixtures('[{"kind": "hit", "parameters": {"who": "Ann"}}]'), 'a hit');
select ok(taisce.are_query_fixtures(
    '[{"kind": "empty"}, {"kind": "forgotten"}, {"kind": "cap"}]'), 'the other kinds');
select ok(not taisce.are_query_fixtures('[{"kind": "miss"}]'), 'no other kind');
select ok(not taisce.are_query_fixtures('[{"parameters": {}}]'), 'a kind is needed');
select ok(not taisce.are_query_fixtures('[{"kind": "hit", "parameters": []}]'), 'by name');
select ok(not taisce.are_query_fixtures((
    select jsonb_agg('{"kind": "hit"}'::jsonb) from generate_series(1, 41))), 'at most forty');

select * from finish();
rollback;
