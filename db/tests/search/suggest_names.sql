-- taisce.suggest_names: names for people to read when a question named nothing.
begin;
select plan(25);

-- Given
select memory_v1.create_project('north');
select memory_v1.create_project('south');
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object('type', 'entity', 'key', name, 'name', name)
from unnest(array['Marta Oliveira', 'Marta Maria da Silva', 'Marta Nunes', 'Acme',
    'Marta of the Long Name', 'The Blue Door', 'Ada Oliveira-Reis', 'Tom Reis', 'Kennedy']
    || array(select 'Senator ' || chr(64 + g) || 'x' from generate_series(1, 17) as g)
    || array(select 'Van Dyck ' || chr(64 + g) || 'y' from generate_series(1, 17) as g))
    with ordinality as u (name, n);
select memory_v1.load('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "entity", "key": "m", "name": "Marta Secret"}');
select memory_v1.load('south');
select set_config('taisce.project', 'north', true);
create function pg_temp.suggested(question text) returns jsonb language sql as $$
    select memory_v1.recall(question) #> '{reach,suggestions}'
$$;

-- Contract
select has_function(
    'taisce', 'suggest_names', array['bigint', 'text', 'taisce.anchor[]', 'text'],
    'it takes a project, a question and its anchors');
select volatility_is(
    'taisce', 'suggest_names', array['bigint', 'text', 'taisce.anchor[]', 'text'], 'stable');

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.suggest_names'::regproc and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(
    jsonb_array_length(pg_temp.suggested('where does Marta live?')), 3, 'at most three come');
select is(
    pg_temp.suggested('where does Marta live?') -> 0, '"Marta Nunes"',
    'the shortest name first');
select ok(
    not pg_temp.suggested('where does Marta live?') ? 'Marta Secret',
    'none of another project');
select is(pg_temp.suggested('where does marta live?'), '[]', 'a small word suggests nothing');
select is(
    pg_temp.suggested('what is behind "blue"?'), '["The Blue Door"]', 'a quoted word does');
select is(
    pg_temp.suggested('what is behind „blue door“?'), '["The Blue Door"]',
    'in any quotes');
select is(pg_temp.suggested('who runs Acme?'), '[]', 'what was named needs no suggestion');
select is(
    pg_temp.suggested('does Marta Oliveira run Acme?'), '[]',
    'nor does a word of a name that was found');
select is(pg_temp.suggested('who is Zebedee?'), '[]', 'an unknown word suggests nothing');
select is(
    pg_temp.suggested('who is Marta X. Nunes?'), '["Marta Nunes", "Marta Oliveira", '
    '"Marta Maria da Silva"]', 'who shares more words comes first');
select is(
    pg_temp.suggested('who is Reis, Marta Nunes?') -> 0, '"Tom Reis"',
    'of words that named nothing only');
select is(pg_temp.suggested('is Nunes''s door open?'), '["Marta Nunes"]', 'without a possessive');
select is(pg_temp.suggested('where do the Kennedys live?'), '["Kennedy"]', 'without a plural');
select is(
    pg_temp.suggested('where is the Silva-based firm?'), '["Marta Maria da Silva"]',
    'nor what a hyphen adds');
select is(
    pg_temp.suggested('who is Nunes-Reis?'), '["Marta Nunes", "Tom Reis"]',
    'either side of a hyphen');
select is(
    pg_temp.suggested('who is Senator Zebedee?'), '[]', 'a word of many names alone suggests none');
select is(
    pg_temp.suggested('who is Senator Qx, Ax?') -> 0, '"Senator Ax"', 'but it counts beside one');
select is(
    pg_temp.suggested('who is Van-Dyck?'), '[]', 'two sides of a hyphen are one word');
select is(
    pg_temp.suggested('is Acme''s door open?'), '[]', 'a possessive of what was named is known');
update taisce.entity set status = 'retired' where canonical_name = 'The Blue Door';
select is(pg_temp.suggested('the "blue" one'), '[]', 'nor does a retired name');

-- Subject
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o", "data_subject_id": "s1",
    "messages": [{"role": "user", "content": "I met Tom Reis."}]}'),
(2, '{"type": "claim", "key": "c", "observation": "o", "quote": "met Tom Reis",
    "claim_text": "met Tom Reis", "mentions": ["Tom Reis"]}');
select memory_v1.load('north');
select is(
    memory_v1.recall('who is Nunes-Reis?', data_subject_id => 's1') #> '{reach,suggestions}',
    '["Tom Reis"]', 'for a subject, names that his own observations mention');
select is(
    memory_v1.recall('who is Nunes-Reis?', data_subject_id => 's2') #> '{reach,suggestions}',
    '[]', 'and no others');

select * from finish();
rollback;
