-- memory_v1.list_entities: the inventory of entities.
begin;
select plan(14);

-- Given
create role naming_reader nologin;
grant taisce_reader to naming_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'naming_reader', 'read');
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
select has_function('memory_v1', 'list_entities', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.list_entities'::regproc
    ),
    array['after', 'max_rows', 'project'],
    'its arguments have these names in this order');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('naming_reader', 'select memory_v1.list_entities(project => ''north'')') $$,
    'a reader of the project may ask');
select throws_ok(
    $$ select pg_temp.as_role('naming_reader', 'select memory_v1.list_entities(project => ''south'')') $$, 'TS003', 'unknown_project',
    'and not of a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('taisce_analyst', 'select memory_v1.list_entities(project => ''north'')') $$, '42501', null,
    'nobody else may ask');

-- Result
select results_eq(
    $$ select e.name from memory_v1.list_entities() as e order by e.name $$,
    $$ values ('Acme'), ('Babel'), ('Marta'), ('Prague') $$, 'every entity of the project');
select is(
    (
        select to_jsonb(e) - '{entity_id,first_seen_at}'::text[]
        from memory_v1.list_entities() as e where e.name = 'Marta'
    ),
    '{"identity_kind": "named", "name": "Marta", "name_octets": 5, "entity_type": "person",
      "names": 2, "speaker_subject_id": null, "continuation": null}', 'a row');
select is(
    (
        select array_agg(e.entity_id)
        from (
            select f.entity_id from memory_v1.list_entities(null, 3) as f
            union all
            select f.entity_id
            from memory_v1.list_entities(
                (select min(g.continuation) from memory_v1.list_entities(null, 3) as g), 3) as f
        ) as e
    ),
    array(select e.entity_id from memory_v1.list_entities() as e), 'page by page the same');
select is(
    (select count(e.continuation) from memory_v1.list_entities(max_rows => 4) as e), 0::bigint,
    'a full page with nothing behind it is the last');
update taisce.entity set status = 'retired' where canonical_name = 'Acme';
update taisce.entity set canonical_name = repeat('ß', 600) where canonical_name = 'Babel';
select is(
    (
        select string_agg(left(e.name, 6) || char_length(e.name), ' ' order by e.name)
        from memory_v1.list_entities() as e
    ),
    'Marta5 Prague6 ßßßßßß512', 'none without a name; names are previews');

-- Errors
select throws_ok(
    format('select memory_v1.list_entities(%s)', c.args), 'TS005', 'invalid_argument',
    c.what || ' is refused')
from (values
    ('max_rows => 0', 'an empty page'), ('max_rows => 101', 'a page over 100'),
    ('after => ''7265636f726473''', 'a foreign cursor')
) as c (args, what);
select throws_ok(
    $$ select memory_v1.list_entities(project => 'nowhere') $$, 'TS003', 'unknown_project',
    'an unknown project is refused');

select * from finish();
rollback;
