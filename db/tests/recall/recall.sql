-- memory_v1.recall: from a question to a bundle.
begin;
select plan(72);

-- Given
create role recalling_reader nologin;
grant taisce_reader to recalling_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'recalling_reader', 'read');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "predicate", "predicate": "lives_in", "cardinality": "one"}'),
(2, '{"type": "observation", "key": "o1", "data_subject_id": "s1", "messages": [
      {"role": "user", "content": "Marta moved to Cork. She works at Acme."},
      {"role": "tool", "content": "Marta owes money."}]}'),
(3, '{"type": "observation", "key": "o2", "data_subject_id": "s2", "messages": [
      {"role": "user", "content": "Acme is in Dublin, and Marta works at Acme."}]}'),
(4, '{"type": "fact", "key": "f1", "subject": "Marta", "predicate": "lives_in", "object": "Cork",
      "statement": "Marta lives in Cork", "confidence": 0.9, "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta moved to Cork"}]}'),
(5, '{"type": "fact", "key": "f2", "subject": "Marta", "predicate": "works_at", "object": "Acme",
      "statement": "Marta works at Acme", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "She works at Acme"}]}'),
(6, '{"type": "fact", "key": "f3", "subject": "Marta", "predicate": "owes", "value": "money",
      "statement": "Marta owes money", "evidence": [
        {"observation": "o1", "ordinal": 1, "quote": "owes money"}]}'),
(7, '{"type": "fact", "key": "f4", "subject": "Acme", "predicate": "located_in",
      "object": "Dublin", "statement": "Acme is in Dublin", "evidence": [
        {"observation": "o2", "ordinal": 0, "quote": "Acme is in Dublin"}]}'),
(8, '{"type": "fact", "key": "f5", "subject": "Marta", "predicate": "born_in", "value": "1990",
      "statement": "Marta was born in 1990", "valid_from": "1990-01-01T00:00:00Z",
      "valid_until": "1991-01-01T00:00:00Z", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta"}]}'),
(9, '{"type": "entity", "key": "lonely", "name": "Lonely"}'),
(10, '{"type": "claim", "key": "c1", "observation": "o2", "quote": "Marta works at Acme",
      "mentions": ["Marta"]}');
select memory_v1.load('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o1", "messages": [
      {"role": "user", "content": "Marta is a ship, secretly."}]}'),
(2, '{"type": "fact", "key": "f1", "subject": "Marta", "predicate": "is_a", "value": "ship",
      "statement": "Marta is a ship", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta is a ship"}]}');
select memory_v1.load('south');
select set_config('taisce.project', 'north', true);

create function pg_temp.statements(bundle jsonb) returns text language sql as $$
    select string_agg(f.fact ->> 'statement', '; ' order by f.place)
    from jsonb_array_elements(bundle -> 'facts') with ordinality as f (fact, place)
$$;
\ir ../as_role.psql
create temporary table asked as
select memory_v1.recall('Where does Marta live?') as bundle;

-- Contract
select has_function('memory_v1', 'recall', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.recall'::regproc
    ),
    array['question', 'project', 'data_subject_id', 'max_characters', 'source_roles', 'hops',
        'surfaces', 'themes', 'as_of', 'as_known_at', 'evidence_per_fact', 'query_embedding',
        'embedding_model'],
    'its arguments have these names in this order');
select is(
    (select pronargdefaults from pg_proc where oid = 'memory_v1.recall'::regproc), 12::smallint,
    'all but the question may be left out');
select is(
    (select concat(provolatile, proparallel, prosecdef) from pg_proc
     where oid = 'memory_v1.recall'::regproc),
    'sst', 'it is stable, safe in parallel, and runs as its owner');
select set_eq(
    $$ select jsonb_object_keys(bundle) from asked $$,
    array['contract', 'controls', 'anchors', 'facts', 'reports', 'passages', 'truncated', 'cut',
        'characters', 'degraded', 'reach', 'freshness', 'scope'],
    'a bundle has these parts');
select set_eq(
    $$ select jsonb_object_keys(bundle -> 'facts' -> 0) from asked $$,
    array['fact_id', 'kind', 'subject', 'subject_id', 'predicate', 'object', 'object_id', 'value',
        'statement', 'confidence', 'valid_from', 'valid_until', 'known_from', 'known_until',
        'anchored_on', 'source_role', 'support', 'hops', 'path', 'via', 'co_derived_with',
        'contradicts', 'evidence', 'evidence_total'],
    'a fact has these');
select set_eq(
    $$ select jsonb_object_keys(bundle -> 'facts' -> 0 -> 'evidence' -> 0) from asked $$,
    array['claim_id', 'observation_id', 'ordinal', 'role', 'quote', 'byte_start', 'byte_end',
        'context', 'context_start', 'context_complete'],
    'a piece of evidence has these');
select set_eq(
    $$ select jsonb_object_keys(bundle -> 'reach') from asked $$,
    array['terms', 'terms_dropped', 'anchored', 'named_nothing_known', 'facts_per_anchor',
        'fanout_cut', 'silent_because', 'suggestions'],
    'the account of its reach has these');
select set_eq(
    $$ select jsonb_object_keys(bundle -> 'freshness') from asked $$,
    array['stored', 'formed', 'parked', 'rebuilding', 'read_at', 'known_through'],
    'freshness has these');

-- Rights
select is(
    pg_temp.as_role('recalling_reader',
        $$ select jsonb_array_length(memory_v1.recall('Marta') -> 'facts') $$),
    '2', 'a reader recalls what is granted to him');
select throws_ok(
    $$ select pg_temp.as_role('recalling_reader',
        'select memory_v1.recall(''Marta'', project => ''south'')') $$,
    'TS003', 'unknown_project', 'and nothing else');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.recall(''Marta'')') $$,
    '42501', null, 'an analyst who is no reader may not recall');
select throws_ok(
    $$ select pg_temp.as_role('taisce_writer', 'select memory_v1.recall(''Marta'')') $$,
    '42501', null, 'nor may a writer');
select is_empty(
    $$ select 1 from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'memory_v1.recall'::regproc and x.grantee = 0 $$,
    'nor the public');
select is(
    pg_temp.statements(memory_v1.recall('Marta', project => 'south')), 'Marta is a ship',
    'a project holds its own facts only');

-- Result: facts
select is(
    (select pg_temp.statements(bundle) from asked), 'Marta lives in Cork; Marta works at Acme',
    'facts come by predicate; what ended and what a tool said do not');
select is(
    (
        select (bundle #> '{facts,0}')
            - '{fact_id,subject_id,object_id,known_from,evidence,co_derived_with}'::text[]
        from asked
    ),
    '{"kind": "relation", "subject": "Marta", "predicate": "lives_in", "object": "Cork",
      "value": null, "statement": "Marta lives in Cork", "confidence": 0.9, "valid_from": null,
      "valid_until": null, "known_until": null, "anchored_on": "Marta", "source_role": "user",
      "support": "current", "hops": 1, "path": [], "via": [], "contradicts": [],
      "evidence_total": 1}'::jsonb,
    'a fact is told in full');
select is(
    (select (bundle #> '{facts,1,evidence,0}') - '{claim_id,observation_id}'::text[] from asked),
    '{"ordinal": 0, "role": "user", "quote": "She works at Acme", "byte_start": 21,
      "byte_end": 38, "context": "Marta moved to Cork. She works at Acme.", "context_start": 0,
      "context_complete": true}'::jsonb,
    'with the words behind it, in their context');
select is(
    (select bundle #>> '{facts,0,co_derived_with,0}' from asked),
    (select bundle #>> '{facts,1,fact_id}' from asked),
    'two facts of one message about one person say so');
select is(
    (select (bundle -> 'anchors') #- '{0,entity_id}' from asked),
    '[{"name": "Marta", "entity_type": null, "matched": "marta"}]', 'what was named is told');
select is(
    (select (bundle -> 'reach') #- '{facts_per_anchor,0,entity_id}' from asked),
    '{"terms": 14, "terms_dropped": 0, "anchored": 1, "named_nothing_known": false,
      "facts_per_anchor": [{"name": "Marta", "facts": 2}], "fanout_cut": [],
      "silent_because": null, "suggestions": []}', 'and how far the question reached');
select is(
    (select (bundle -> 'freshness') - '{read_at,known_through}'::text[] from asked),
    '{"stored": 2, "formed": 2, "parked": 0, "rebuilding": null}', 'and how fresh the answer is');
select is(
    (select bundle ->> 'characters' from asked)::integer,
    (5 + 8 + 4 + 19 + 4 + 19 + 39) + (5 + 8 + 4 + 19 + 4 + 17 + 39) + (39 + 4) + (43 + 4),
    'characters are names, predicate, statement, role, quotes and contexts, and passages');
select is(
    (select jsonb_path_query_array(bundle, '$.passages[*].quote') from asked),
    '["Marta moved to Cork. She works at Acme.", "Acme is in Dublin, and Marta works at Acme."]',
    'passages by words follow in what is left of the budget');
select is(
    (select bundle - '{controls,anchors,facts,reach,freshness,characters,passages}'::text[]
     from asked),
    '{"contract": "recall/v1", "reports": [], "truncated": false, "cut": null,
      "degraded": [], "scope": {"as_of": null, "as_known_at": null}}', 'nothing else is there');

-- Result: controls
select is(
    (select bundle -> 'controls' from asked),
    '{"project": "north", "data_subject_id": null, "max_characters": 16000,
      "source_roles": ["user"], "hops": 1, "surfaces": ["facts", "reports", "passages"],
      "themes": false, "as_of": null, "as_known_at": null, "evidence_per_fact": 1,
      "embedding_model": null, "max_rows": 200}',
    'controls left out are told as they were applied');
select is(
    memory_v1.recall('Marta', hops => 7) #>> '{controls,hops}', '2', 'hops are at most two');
select is(
    memory_v1.recall('Marta', hops => -7) #>> '{controls,hops}', '1', 'and at least one');
select is(
    pg_temp.statements(memory_v1.recall('Marta', hops => 2)),
    'Marta lives in Cork; Marta works at Acme; Acme is in Dublin',
    'two hops reach what the first leads to');
select is(
    memory_v1.recall('Marta', hops => 2) #> '{facts,2,path}', '["Marta", "Acme", "Dublin"]',
    'with the way there');
select is(
    memory_v1.recall('Marta', hops => 2) #> '{facts,2,via}', '["works_at", "located_in"]',
    'and the predicates along it');
select is(
    pg_temp.statements(memory_v1.recall('Marta', source_roles => '{tool}')), 'Marta owes money',
    'a role is looked at when it is named');
select is(
    pg_temp.statements(memory_v1.recall('Marta', data_subject_id => 's2')), null,
    'a subject narrows to what he was told');
select is(
    pg_temp.statements(memory_v1.recall('Marta', as_of => '1990-06-01Z')),
    'Marta was born in 1990; Marta lives in Cork; Marta works at Acme',
    'at another time other facts hold');
select is(
    pg_temp.statements(memory_v1.recall('Marta', as_known_at => '2001-01-01Z')), null,
    'before it was told nothing was known');
select is(
    memory_v1.recall('Marta', as_known_at => '2200-01-01Z') #> '{scope,read_as_known_at}',
    memory_v1.recall('Marta') #> '{freshness,known_through}',
    'an instant to come is read as the last that is known');
select is(
    pg_temp.statements(memory_v1.recall('Marta', max_characters => 98)), 'Marta lives in Cork',
    'a budget takes facts until the next does not fit');
select is(
    memory_v1.recall('Marta', max_characters => 98)
        - '{controls,anchors,facts,reach,freshness,degraded,scope}'::text[]
        - '{reports,passages,contract}'::text[],
    '{"truncated": true, "cut": "characters", "characters": 98}', 'and says so');
select is(
    memory_v1.recall('Marta', max_characters => 98) #> '{facts,0,co_derived_with}', '[]',
    'a fact that was cut is not named by the others');
select is(
    memory_v1.recall('Marta', max_characters => 97, surfaces => '{facts}')
        - '{controls,anchors,reach,freshness,degraded,scope,reports,passages,contract}'::text[],
    '{"facts": [], "truncated": true, "cut": "characters", "characters": 0}',
    'a first fact too large leaves none');
select is(
    memory_v1.recall('Marta', surfaces => '{reports,facts}') -> 'degraded', '["reports"]',
    'a surface that is named and not there is told');

-- Result: silence
select is(
    memory_v1.recall('?!') #>> '{reach,silent_because}', 'no_terms', 'no word, no terms');
select is(memory_v1.recall('?!') #>> '{reach,terms}', '0', 'and none are counted');
select is(
    memory_v1.recall('who is Bob') #>> '{reach,silent_because}', 'unknown_name',
    'a name nobody knows');
select is(
    memory_v1.recall('who is Bob') #>> '{reach,named_nothing_known}', 'true', 'is told as such');
select is(
    memory_v1.recall('Lonely') #>> '{reach,silent_because}', 'no_facts',
    'an entity without facts');
select is(
    memory_v1.recall('Dublin', data_subject_id => 's2', source_roles => '{tool}')
        #>> '{reach,silent_because}',
    'role', 'facts that other roles told');
select is(
    memory_v1.recall('Marta', as_known_at => '2001-01-01Z') #>> '{reach,silent_because}', 'time',
    'facts of another time');
select is(
    memory_v1.recall('Marta', max_characters => 1) #>> '{reach,silent_because}', 'budget',
    'a budget too small');
select is(
    memory_v1.recall('Marta', data_subject_id => 's2') #>> '{reach,silent_because}', 'subject',
    'facts told by somebody else');
update taisce.fact_evidence set retention_until = '2020-01-01Z'
where fact_id = (select fact_id from taisce.fact where statement = 'Acme is in Dublin');
select is(
    memory_v1.recall('Dublin') #>> '{reach,silent_because}', 'evidence',
    'a fact whose evidence cannot be seen');
select is(memory_v1.recall('Dublin') -> 'facts', '[]', 'is not told');

-- Result: a message that was released
update taisce.message set content = null where role = 'user';
select is(
    (memory_v1.recall('Marta') #> '{facts,0,evidence,0}')
        - '{claim_id,observation_id,ordinal,role}'::text[],
    '{"quote": "Marta moved to Cork", "byte_start": 0, "byte_end": 19, "context": "",
      "context_start": 0, "context_complete": false}', 'keeps its quote and has no context');
select is(
    memory_v1.recall('Marta') -> 'degraded', '["citation_context"]', 'and the bundle says so');

-- Errors
select throws_ok(
    $$ select memory_v1.recall(null) $$, 'TS001', 'invalid_question', 'a question is needed');
select throws_ok(
    $$ select memory_v1.recall(E' \t\u00a0') $$, 'TS001', 'invalid_question',
    'a blank one is refused');
select throws_ok(
    $$ select memory_v1.recall(repeat('x', 8193)) $$, 'TS001', 'invalid_question',
    'one over 8,192 bytes too');
select lives_ok(
    $$ select memory_v1.recall(repeat('x', 8192)) $$, 'one of 8,192 bytes is not');
select throws_ok(
    format('select memory_v1.recall(%L, %s)', 'Marta', c.control), 'TS002',
    'invalid_recall_controls', c.what || ' is refused')
from (values
    ('max_characters => 0', 'a budget of nothing'),
    ('max_characters => 16001', 'a budget over the setting'),
    ('source_roles => ''{}''', 'an empty list of roles'),
    ('source_roles => ''{user,user}''', 'a role named twice'),
    ('source_roles => ''{admin}''', 'an unknown role'),
    ('surfaces => ''{}''', 'an empty list of surfaces'),
    ('surfaces => ''{tables}''', 'an unknown surface'),
    ('data_subject_id => '' ''', 'a blank subject'),
    ('data_subject_id => repeat(''x'', 1025)', 'a subject over 1,024 bytes'),
    ('as_of => ''infinity''', 'an infinite instant'),
    ('as_known_at => ''-infinity''', 'an infinite instant of knowledge'),
    ('evidence_per_fact => 0', 'no evidence'),
    ('evidence_per_fact => 6', 'more than five pieces of evidence')
) as c (control, what);
select throws_ok(
    $$ select memory_v1.recall('Marta', project => 'nowhere') $$, 'TS003', 'unknown_project',
    'an unknown project is refused');

select * from finish();
rollback;
