-- memory_v1.list_entities: the inventory of entities.
begin;
select plan(14);

-- Given
\set reader naming_reader
\ir memory.psql

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
