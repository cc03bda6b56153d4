-- memory_v1.record_history: every interval of a fact.
begin;
select plan(17);

-- Given
\set reader remembering_reader
\ir memory.psql

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
