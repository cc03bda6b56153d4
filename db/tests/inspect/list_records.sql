-- memory_v1.list_records: the inventory of facts.
begin;
select plan(21);

-- Given
\set reader listing_reader
\ir memory.psql

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
