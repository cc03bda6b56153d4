-- memory_v1.resolve_citation: a fact as it is kept, with its evidence.
begin;
select plan(34);

-- Given
\set reader citing_reader
\ir memory.psql

-- Contract
select has_function('memory_v1', 'resolve_citation', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.resolve_citation'::regproc
    ),
    array['fact_id', 'after', 'max_rows', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('citing_reader', 'select memory_v1.resolve_citation(fact_id, project => ''north'') from memory_v1.list_records()') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('citing_reader', 'select memory_v1.resolve_citation(null, project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.resolve_citation(fact_id, project => ''north'') from memory_v1.list_records()') $$, '42501', null,
    'nobody else may ask');

-- Result
create temporary table acme as
select memory_v1.resolve_citation(pg_temp.fact('Marta works at Acme')) as answer;
select is(
    (
        select a.answer - '{fact_id,subject_id,object_id,known_from,recorded_at,superseded_by}'::text[]
            - '{supersession_source,evidence,freshness}'::text[]
        from acme as a
    ),
    '{"contract": "citation/v1", "kind": "relation", "subject": "Marta", "predicate": "works_at",
      "object": "Acme", "value": null, "statement": "Marta works at Acme", "confidence": null,
      "source_role": "user", "data_subject_id": "ann", "cardinality": "one",
      "status": "validity_closed", "support": "current",
      "valid_from": "2024-03-01T00:00:00+00:00", "valid_until": "2024-06-01T00:00:00+00:00",
      "known_until": null, "contradiction_group": null, "retraction": null,
      "continuation": null}', 'the record, its clocks and its status');
select is(
    (select a.answer ->> 'superseded_by' from acme as a),
    pg_temp.fact('Marta works at Babel')::text, 'what replaced it');
select is(
    (select (a.answer ->> 'supersession_source')::uuid from acme as a),
    (select o.observation_id from taisce.observation as o where o.idempotency_key = 'o3'
        or o.log_offset = 3 limit 1), 'and the observation that did');
select is(
    (
        select (a.answer #> '{evidence,0}')
            - '{claim_id,observation_id,passage_id,linked_at}'::text[]
        from acme as a
    ),
    '{"stance": "supports", "log_offset": 1, "ordinal": 0, "role": "user",
      "occurred_at": "2024-03-04T09:00:00+00:00", "quote": "Marta works at Acme",
      "byte_start": 8, "byte_end": 27, "verified": true, "context_start": 0,
      "context": "Grüß: Marta works at Acme now. Acme sits in Prague.",
      "context_complete": true, "extractor_version": null}',
    'the words behind it, held against the bytes of the message');
select is(
    memory_v1.resolve_citation(pg_temp.fact('Acme sits in Prague')) ->> 'status', 'current',
    'what is believed and holds is current');
select is(
    memory_v1.resolve_citation(pg_temp.fact('Marta owes money')) #>> '{evidence,0,role}', 'tool',
    'no role is held back');

-- Result: pages
select is(
    jsonb_path_query_array(
        memory_v1.resolve_citation(pg_temp.fact('Acme sits in Prague', 'bob')),
        '$.evidence[*].stance'),
    '["supports", "supports", "contradicts"]', 'support comes first');
create temporary table page as
with recursive pages as (
    select memory_v1.resolve_citation(pg_temp.fact('Acme sits in Prague', 'bob'), null, 1) as p
    union all
    select memory_v1.resolve_citation(
        pg_temp.fact('Acme sits in Prague', 'bob'), g.p ->> 'continuation', 1)
    from pages as g
    where g.p ->> 'continuation' is not null
)
select p from pages;
select is(
    (select jsonb_agg(page.p #> '{evidence,0}') from page),
    memory_v1.resolve_citation(pg_temp.fact('Acme sits in Prague', 'bob')) -> 'evidence',
    'page by page the same evidence');
select is(
    memory_v1.resolve_citation(
        pg_temp.fact('Marta works at Acme'), (select p ->> 'continuation' from page limit 1)
    ) -> 'evidence', '[]', 'a continuation is a position: with another fact it gives no right');
select is(
    memory_v1.resolve_citation(
        pg_temp.fact('Marta works at Acme'), max_rows => 1) -> 'continuation', 'null',
    'a full page with nothing behind it is the last');

-- Result: text of at most 256 KiB
update taisce.message set content = repeat('x', 65536) where log_offset = 2;
insert into taisce.claim (project_id, claim_id, observation_id, ordinal, byte_start, byte_end,
    quote, claim_text, role, log_offset, ingested_at)
select m.project_id, taisce.make_id('big', m.project_id, n::text), m.observation_id, 0, n, 60000 + n,
    repeat('x', 60000), '', 'user', 2, now()
from taisce.message as m, generate_series(100, 106) as n
where m.log_offset = 2;
insert into taisce.fact_evidence (project_id, fact_id, stance, log_offset, ordinal, byte_start,
    claim_id, observation_id, role, linked_at)
select c.project_id, pg_temp.fact('Marta works at Acme'), 'supports', 2, 0, c.byte_start,
    c.claim_id, c.observation_id, 'user', now()
from taisce.claim as c
where c.byte_start >= 100;
select is(
    jsonb_array_length(
        memory_v1.resolve_citation(pg_temp.fact('Marta works at Acme')) -> 'evidence'),
    3, 'a page ends before 256 KiB of text, quotes and contexts');
select isnt(
    memory_v1.resolve_citation(pg_temp.fact('Marta works at Acme')) ->> 'continuation', null,
    'and another follows');
select is(
    memory_v1.resolve_citation(
        pg_temp.fact('Acme sits in Prague', 'bob')) #>> '{evidence,0,verified}', 'false',
    'a quote that is not in its message any more is told');
select is(
    memory_v1.resolve_citation(
        pg_temp.fact('Acme sits in Prague', 'bob')) #>> '{evidence,0,context}', '',
    'and shown without words around it');

-- Result: other states
update taisce.message set content = null where log_offset = 3;
select is(
    memory_v1.resolve_citation(pg_temp.fact('Marta works at Babel')) ->> 'status',
    'sources_released', 'texts that were released');
select is(
    (memory_v1.resolve_citation(pg_temp.fact('Marta works at Babel')) #> '{evidence,0}')
        - '{claim_id,observation_id,passage_id,linked_at,occurred_at,extractor_version}'::text[],
    '{"stance": "supports", "log_offset": 3, "ordinal": 0, "role": "user",
      "quote": "Marta works at Babel", "byte_start": 0, "byte_end": 20, "verified": null,
      "context": "", "context_start": 0, "context_complete": false}',
    'leave the quote, which nothing can be held against');
select lives_ok(
    $$ select taisce.retract_versions(
        f.project_id, f.fact_id, clock_timestamp() + interval '1 s', 'a mistake')
       from taisce.fact as f where f.statement = 'Marta owes money' $$, 'a retraction');
select is(
    memory_v1.resolve_citation(pg_temp.fact('Marta owes money')) ->> 'status', 'retracted',
    'is a state');
select is(
    memory_v1.resolve_citation(pg_temp.fact('Marta owes money')) #>> '{retraction,reason}',
    'a mistake', 'with its reason');
update taisce.fact_version set live = false, known_to = '2200-01-01Z', closed_cause = 'superseded'
where fact_id = pg_temp.fact('Acme sits in Prague');
select is(
    memory_v1.resolve_citation(pg_temp.fact('Acme sits in Prague')) ->> 'status',
    'knowledge_closed', 'believed no more');

-- Errors
create temporary table refusal (what text, id uuid);
insert into refusal values ('an unknown fact', gen_random_uuid()),
    ('a fact of another project', pg_temp.fact('Marta is a ship')),
    ('an expired fact', pg_temp.fact('Marta works at Babel')), ('no fact', null);
update taisce.fact set retention_until = '2020-01-01Z' where statement = 'Marta works at Babel';
select throws_ok(
    format('select memory_v1.resolve_citation(%L)', r.id), 'TS004', 'not_found',
    r.what || ' is not found')
from refusal as r;
select throws_ok(
    format('select memory_v1.resolve_citation(gen_random_uuid(), %s)', c.args), 'TS005',
    'invalid_argument', c.what || ' is refused')
from (values
    ('max_rows => 0', 'an empty page'), ('max_rows => 33', 'a page over 32'),
    ('''x''', 'a foreign cursor'),
    ('encode(''records 00000000-0000-0000-0000-000000000000'', ''hex'')', 'that of another call')
) as c (args, what);
select throws_ok(
    $$ select memory_v1.resolve_citation(null, project => 'nowhere') $$, 'TS003',
    'unknown_project', 'an unknown project is refused');

select * from finish();
rollback;
