-- memory_v1.record_history: every interval of a fact.
begin;
select plan(17);

-- Given
create role remembering_reader nologin;
grant taisce_reader to remembering_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'remembering_reader', 'read');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o1", "data_subject_id": "ann",
      "occurred_at": "2024-03-04T09:00:00Z", "messages": [
      {"role": "user", "content": "Grüß: Marta works at Acme now. Acme sits in Prague."},
      {"role": "tool", "content": "Marta owes money."}]}'),
(2, '{"type": "observation", "key": "o2", "data_subject_id": "bob", "messages": [
      {"role": "user", "content": "Acme sits in Prague, so Acme sits in Prague."}]}'),
(3, '{"type": "observation", "key": "o3", "data_subject_id": "ann", "messages": [
      {"role": "user", "content": "Marta works at Babel."}]}'),
(4, '{"type": "entity", "name": "Marta", "entity_type": "person", "profile": "Engineer.",
      "aliases": ["Marta Nowak"]}'),
(5, '{"type": "fact", "key": "acme", "subject": "Marta", "predicate": "works_at",
      "object": "Acme", "statement": "Marta works at Acme", "cardinality": "one",
      "valid_from": "2024-03-01T00:00:00Z", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Marta works at Acme"}]}'),
(6, '{"type": "fact", "key": "prague", "subject": "Acme", "predicate": "sits_in",
      "object": "Prague", "statement": "Acme sits in Prague", "evidence": [
        {"observation": "o1", "ordinal": 0, "quote": "Acme sits in Prague"}]}'),
(7, '{"type": "fact", "key": "owes", "subject": "Marta", "predicate": "owes",
      "value": "money", "statement": "Marta owes money", "evidence": [
        {"observation": "o1", "ordinal": 1, "quote": "owes money"}]}'),
(8, '{"type": "fact", "key": "babel", "subject": "Marta", "predicate": "works_at",
      "object": "Babel", "statement": "Marta works at Babel", "cardinality": "one",
      "valid_from": "2024-06-01T00:00:00Z", "evidence": [
        {"observation": "o3", "quote": "Marta works at Babel"}]}'),
(9, '{"type": "fact", "key": "bob", "subject": "Acme", "predicate": "sits_in",
      "object": "Prague", "statement": "Acme sits in Prague", "evidence": [
        {"observation": "o2", "byte_start": 0, "quote": "Acme sits in Prague"},
        {"observation": "o2", "byte_start": 24, "quote": "Acme sits in Prague"},
        {"observation": "o2", "byte_start": 0, "quote": "Acme", "stance": "contradicts"}]}');
select memory_v1.load('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "s1", "data_subject_id": "ann", "messages": [
      {"role": "user", "content": "A secret."}]}'),
(2, '{"type": "fact", "key": "secret", "subject": "Marta", "predicate": "is_a",
      "value": "ship", "statement": "Marta is a ship", "evidence": [
        {"observation": "s1", "quote": "secret"}]}');
select memory_v1.load('south');
set local taisce.project = 'north';
create function pg_temp.fact(statement text, subject text default 'ann', out fact_id uuid)
language sql as $$
    select f.fact_id from taisce.fact as f
    where f.statement = fact.statement and f.data_subject_id = fact.subject
$$;
create function pg_temp.as_role(role text, statement text) returns text language plpgsql as $$
declare
    v_result text;
begin
    perform set_config('role', role, true);
    execute statement into v_result;
    perform set_config('role', 'none', true);
    return v_result;
end $$;

-- Contract
select has_function('memory_v1', 'record_history', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.record_history'::regproc
    ),
    array['fact_id', 'before', 'max_rows', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('remembering_reader', 'select memory_v1.record_history(fact_id, project => ''north'') from memory_v1.list_records(project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('remembering_reader', 'select memory_v1.record_history(null, project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.record_history(fact_id, project => ''north'') from memory_v1.list_records(project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Result
insert into taisce.fact_version (project_id, fact_id, known_from, known_to, valid_from, valid_to,
    live, subject_entity_id, predicate, source_role, closed_cause, closed_by)
select v.project_id, v.fact_id, i.known_from, i.known_to, '-infinity', 'infinity', false,
    v.subject_entity_id, v.predicate, v.source_role, i.closed_cause, i.closed_by
from taisce.fact_version as v
cross join (values
    ('-infinity'::timestamptz, '2001-01-01Z'::timestamptz, 'superseded',
        '00000000-0000-8000-8000-000000000001'::uuid),
    ('2001-01-01Z', '2002-01-01Z', 'retracted', null)
) as i (known_from, known_to, closed_cause, closed_by)
where v.fact_id = pg_temp.fact('Marta owes money');
select results_eq(
    $$ select h.known_until, h.closed_cause, h.closed_by
       from memory_v1.record_history(pg_temp.fact('Marta owes money')) as h $$,
    $$ values (null::timestamptz, null, null::uuid),
       ('2002-01-01Z'::timestamptz, 'retracted', null::uuid),
       ('2001-01-01Z'::timestamptz, 'superseded', '00000000-0000-8000-8000-000000000001'::uuid) $$,
    'newest knowledge first, with what ended it');
select is(
    (
        select to_jsonb(h) - 'fact_id'
        from memory_v1.record_history(pg_temp.fact('Marta owes money')) as h
        where h.known_from is null
    ),
    '{"statement": "Marta owes money", "valid_from": null, "valid_until": null,
      "known_from": null, "known_until": "2001-01-01T00:00:00+00:00", "replaced": false,
      "cause": "asserted", "caused_by": null, "closed_cause": "superseded",
      "closed_by": "00000000-0000-8000-8000-000000000001", "continuation": null}',
    'open ends are null');
create temporary table page as
with recursive pages as (
    select h.*, 1 as number
    from memory_v1.record_history(pg_temp.fact('Marta owes money'), null, 1) as h
    union all
    select h.*, p.number + 1
    from pages as p
    cross join lateral memory_v1.record_history(p.fact_id, p.continuation, 1) as h
    where p.continuation is not null
)
select * from pages;
select results_eq(
    $$ select page.known_from from page order by page.number $$,
    $$ select h.known_from from memory_v1.record_history(pg_temp.fact('Marta owes money')) as h $$,
    'page by page the same');
select results_eq(
    $$ select h.replaced, h.cause, h.valid_until
       from memory_v1.record_history(pg_temp.fact('Marta works at Acme'), max_rows => 1) as h $$,
    $$ values (true, 'superseded', '2024-06-01Z'::timestamptz) $$, 'and what began it');

-- Errors
create temporary table refusal (what text, id uuid);
insert into refusal values ('an unknown fact', gen_random_uuid()),
    ('a fact of another project', pg_temp.fact('Marta is a ship')),
    ('an expired fact', pg_temp.fact('Marta works at Babel')), ('no fact', null);
update taisce.fact set retention_until = '2020-01-01Z' where statement = 'Marta works at Babel';
select throws_ok(
    format('select memory_v1.record_history(%L)', r.id), 'TS004', 'not_found',
    r.what || ' is not found')
from refusal as r;
select throws_ok(
    format('select memory_v1.record_history(gen_random_uuid(), %s)', c.args), 'TS005',
    'invalid_argument', c.what || ' is refused')
from (values
    ('max_rows => 0', 'an empty page'), ('max_rows => 101', 'a page over 100'),
    ('''zz''', 'what is no cursor'),
    ('encode(''history 9223372036854775808'', ''hex'')', 'an instant out of range')
) as c (args, what);

select * from finish();
rollback;
