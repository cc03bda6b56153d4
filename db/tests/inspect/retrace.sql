-- taisce.retrace: the first steps of a recall again.
begin;
select plan(11);

-- Given
\set reader retracing_reader
\ir memory.psql
create function pg_temp.retrace(
    question text, subject text default null, roles text[] default null,
    as_of timestamptz default null, as_known_at timestamptz default null
) returns taisce.recall_trace language sql as $$
    select taisce.retrace(p.project_id, question, subject, roles, as_of, as_known_at)
    from taisce.project as p where p.name = 'north'
$$;
create function pg_temp.anchors(question text, subject text default null) returns text
language sql as $$
    select string_agg(coalesce(a.name, 'speaker'), ' ' order by a.place)
    from unnest((pg_temp.retrace(question, subject)).anchors) with ordinality
        as a (entity_id, name, entity_type, matched, exact, place)
$$;

-- Result
select is(pg_temp.anchors('Who works at Acme?'), 'Acme', 'what the question names is an anchor');
select is(pg_temp.anchors('Does Marta Nowak know Acme?'), 'Marta Acme', 'by any name, longest first');
select is(pg_temp.anchors('Who rows?'), null, 'nothing that it does not name');
select is(pg_temp.anchors('Does Marta know Acme?', 'bob'), 'Acme', 'nor what the person did not tell of');
select is(
    (pg_temp.retrace('Does Marta Nowak know Acme?')).anchor_ids,
    (select array_agg(e.entity_id order by e.canonical_name desc) from taisce.entity as e
     join taisce.project as p on p.project_id = e.project_id and p.name = 'north'
     where e.canonical_name in ('Marta', 'Acme')),
    'their ids come in the same order');
select is(
    (select array[r.anchors::text, r.anchor_ids::text, r.long_names::text]
     from pg_temp.retrace(' ?! ') as r),
    array['{}', '{}', '0'], 'a question without words has no anchors');
select is(
    cardinality(((pg_temp.retrace('Who works at Acme?')).terms).words), 4, 'it has its four words');
update taisce.project set default_source_roles = '{tool,document}' where name = 'north';
select is(
    (pg_temp.retrace('Acme')).roles, '{tool,document}', 'without roles, those of the project');
select is((pg_temp.retrace('Acme', roles => '{user}')).roles, '{user}', 'with them, these');
select is(
    (select (r.scope).read_at from pg_temp.retrace('Acme') as r), statement_timestamp(),
    'it reads now');
select is(
    (pg_temp.retrace('Acme', as_of => '2024-05-01Z', as_known_at => '2025-05-01Z')).scope,
    (select taisce.time_scope(p.project_id, '2024-05-01Z', '2025-05-01Z',
        (taisce.recall_settings()).clock_skew)
     from taisce.project as p where p.name = 'north'),
    'or as of what was asked for');

select * from finish();
rollback;
