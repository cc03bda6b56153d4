-- memory_v1.list_records: the inventory of facts.
begin;
select plan(21);

-- Given
create role listing_reader nologin;
grant taisce_reader to listing_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'listing_reader', 'read');
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
select has_function('memory_v1', 'list_records', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.list_records'::regproc
    ),
    array['data_subject_id', 'after', 'max_rows', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('listing_reader', 'select memory_v1.list_records(project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('listing_reader', 'select memory_v1.list_records(project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.list_records(project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Result
select results_eq(
    $$ select r.statement, r.data_subject_id, r.status from memory_v1.list_records() as r $$,
    $$ select f.statement, f.data_subject_id,
           case f.statement when 'Marta works at Acme' then 'validity_closed' else 'current' end
       from taisce.fact as f join taisce.project as p using (project_id)
       where p.name = 'north' order by f.fact_id $$,
    'every fact of the project by id, whatever its status');
select is(
    (
        select to_jsonb(r) - '{fact_id,subject_id,object_id,recorded_at}'::text[]
        from memory_v1.list_records('bob') as r
    ),
    '{"kind": "relation", "subject": "Acme", "predicate": "sits_in", "object": "Prague",
      "value": null, "statement": "Acme sits in Prague", "statement_octets": 19,
      "source_role": "user", "data_subject_id": "bob", "status": "current", "support": "current",
      "continuation": null}', 'a row');
select is(
    (select count(*) from memory_v1.list_records('ann')), 4::bigint, 'of one data subject');
select is_empty($$ select * from memory_v1.list_records('nobody') $$, 'or of nobody');
create function pg_temp.paged(subject text, size integer) returns uuid[] language sql as $$
    with recursive pages as (
        select array_agg(r.fact_id) as ids, min(r.continuation) as further
        from memory_v1.list_records(paged.subject, null, paged.size) as r
        union all
        select p.ids || n.ids, n.further
        from pages as p
        cross join lateral (
            select array_agg(r.fact_id) as ids, min(r.continuation) as further
            from memory_v1.list_records(paged.subject, p.further, paged.size) as r
        ) as n
        where p.further is not null
    )
    select p.ids from pages as p where p.further is null
$$;
select is(
    pg_temp.paged(s.subject, n.size), array(select fact_id from memory_v1.list_records(s.subject)),
    format('pages of %s give the same', n.size))
from (values ('ann'), (null)) as s (subject)
cross join (values (1), (2), (5)) as n (size);
update taisce.fact set statement = repeat('ß', 600) where statement = 'Marta owes money';
select is(
    (
        select (char_length(r.statement), r.statement_octets)::text
        from memory_v1.list_records() as r where r.predicate = 'owes'
    ),
    '(512,1200)', 'statements are previews');
update taisce.fact set retention_until = '2020-01-01Z' where predicate = 'owes';
select is(
    (select count(*) from memory_v1.list_records('ann')), 3::bigint, 'nothing expired');

-- Errors
select throws_ok(
    format('select memory_v1.list_records(%s)', c.args), 'TS005', 'invalid_argument',
    c.what || ' is refused')
from (values
    (''' ''', 'a blank subject'), ('max_rows => 0', 'an empty page'),
    ('max_rows => 101', 'a page over 100'), ('after => ''7265636f726473''', 'a foreign cursor')
) as c (args, what);

select * from finish();
rollback;
