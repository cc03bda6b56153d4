-- memory_v1.recall_anchors: the entities a question names.
begin;
select plan(27);

-- Given
create role anchoring_reader nologin;
grant taisce_reader to anchoring_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'anchoring_reader', 'read');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "entity", "key": "marta", "name": "Marta", "entity_type": "person",
      "aliases": ["Marta Oliveira", "M. O."]}'),
(2, '{"type": "entity", "key": "oliveira", "name": "Oliveira & Sons", "aliases": ["Oliveira"]}'),
(3, '{"type": "entity", "key": "yahoo", "name": "Yahoo!"}'),
(4, '{"type": "entity", "key": "long",
      "name": "The Royal Society for the Protection of Birds"}'),
(5, '{"type": "entity", "key": "bob", "name": "Bob"}'),
(6, '{"type": "entity", "key": "ann2", "name": "Ann B", "aliases": ["Ann"]}'),
(7, '{"type": "entity", "key": "ann1", "name": "Ann A", "aliases": ["Ann"]}'),
(8, '{"type": "observation", "key": "o1", "data_subject_id": "s1",
      "messages": [{"role": "user", "content": "I met Bob."}]}'),
(9, '{"type": "fact", "key": "f1", "subject": {"speaker": "s1"}, "predicate": "met",
      "object": {"key": "bob"}, "statement": "s1 met Bob",
      "evidence": [{"observation": "o1", "ordinal": 0, "quote": "I met Bob"}]}'),
(10, '{"type": "entity", "key": "old", "name": "Robert"}');
select memory_v1.load('north');
update taisce.entity as e set status = 'merged', merged_into = b.entity_id
from taisce.entity as b
where e.canonical_name = 'Robert' and b.canonical_name = 'Bob' and b.project_id = e.project_id;
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "entity", "key": "marta", "name": "Marta", "entity_type": "ship"}'),
(2, '{"type": "entity", "key": "zelda", "name": "Zelda"}');
select memory_v1.load('south');
select set_config('taisce.project', 'north', true);
create function pg_temp.named(question text, subject text default null) returns text
language sql as $$
    select string_agg(a.name || '=' || a.matched, ', ')
    from memory_v1.recall_anchors(question, data_subject_id => subject) as a
$$;
\ir ../as_role.psql

-- Contract
select has_function(
    'memory_v1', 'recall_anchors', array['text', 'text', 'text'],
    'it takes a question, a project and a data subject');
select function_returns(
    'memory_v1', 'recall_anchors', array['text', 'text', 'text'], 'setof memory_v1.recall_anchor');
select volatility_is('memory_v1', 'recall_anchors', array['text', 'text', 'text'], 'stable');
select is_definer('memory_v1', 'recall_anchors', array['text', 'text', 'text']);

-- Rights
select function_privs_are(
    'memory_v1', 'recall_anchors', array['text', 'text', 'text'], 'taisce_reader',
    array['EXECUTE'], 'a reader may call it');
select function_privs_are(
    'memory_v1', 'recall_anchors', array['text', 'text', 'text'], 'public', '{}'::text[],
    'the public may not');
select is(
    pg_temp.as_role(
        'anchoring_reader', $$ select entity_type from memory_v1.recall_anchors('Marta') $$),
    'person', 'a reader finds what is granted to him, not its namesake elsewhere');
select is(
    pg_temp.as_role('anchoring_reader', $$ select name from memory_v1.recall_anchors('Zelda') $$),
    null, 'and no name of another project');
select throws_ok(
    $$ select pg_temp.as_role('taisce_writer',
        'select name from memory_v1.recall_anchors(''Marta'')') $$,
    '42501', null, 'a writer who is no reader may not ask');

-- Result
select is(pg_temp.named('where is MARTA?'), 'Marta=marta', 'a name is found in any case');
select is(
    pg_temp.named('Marta Oliveira'), 'Marta=marta oliveira, Oliveira & Sons=oliveira',
    'one row an entity with its longest match, the longest first');
select is(
    pg_temp.named('is it "Yahoo!"?'), 'Yahoo!=yahoo!', 'a name with a mark is found in quotes');
select is(pg_temp.named('Marta''s cat'), 'Marta=marta', 'an owner is found');
select is(
    pg_temp.named('who leads the Royal Society for the Protection of Birds?'),
    'The Royal Society for the Protection of Birds=the royal society for the protection of birds',
    'a name of more than four words is found whole');
select is(
    pg_temp.named('the Royal Society for the Protection of Bees'), null,
    'and not if it is another');
select is(
    pg_temp.named('Ann or Bob'), 'Ann A=ann, Ann B=ann, Bob=bob',
    'among equals in length the name decides, by bytes');
select is(pg_temp.named('Robert'), null, 'a merged entity is no anchor');
select is(pg_temp.named('Mart'), null, 'part of a name names nothing');
select is(pg_temp.named('?! -'), null, 'a question without words names nothing');
select is(
    pg_temp.named('Bob and Marta', 's1'), 'Bob=bob, speaker=speaker',
    'with a subject: only what he mentioned, and himself last');
select is(
    pg_temp.named('nothing', 's1'), 'speaker=speaker', 'himself even if nothing is named');
select is(pg_temp.named('Bob', 'nobody'), null, 'an unknown subject has nothing');

-- Errors
select throws_ok(
    $$ select memory_v1.recall_anchors(null) $$, 'TS001', 'invalid_question',
    'a question is needed');
select throws_ok(
    $$ select memory_v1.recall_anchors('Bob', data_subject_id => ' ') $$, 'TS002',
    'invalid_recall_controls', 'a blank subject is refused');
select throws_ok(
    $$ select memory_v1.recall_anchors('Bob', 'nowhere') $$, 'TS003', 'unknown_project',
    'an unknown project is refused');
insert into memory_v1.load_stage (line, body)
select n, jsonb_build_object(
    'type', 'entity', 'key', 'crowd ' || n, 'name', 'Crowd ' || n, 'aliases', array['Smith'])
from generate_series(1, 257) as n;
select memory_v1.load('south');
select throws_ok(
    $$ select memory_v1.recall_anchors('is Smith in?', 'south') $$, 'TS001', 'invalid_question',
    'a name of 257 entities is refused, never answered in part');
select lives_ok(
    $$ select memory_v1.recall_anchors('is Crowd 1 in?', 'south') $$, 'a fuller name is not');

select * from finish();
rollback;
