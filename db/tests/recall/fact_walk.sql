-- memory_v1.fact_walk: facts reached from entities, with the route that reached them.
begin;
select plan(36);

-- Given
-- Marta works at Acme, Acme is in Cork, Cork is in Ireland; Marta knows Bob and herself;
-- what tools said of Marta; what she thought in 2010; a hub.
create role walking_reader nologin;
grant taisce_reader to walking_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'walking_reader', 'read');
create temporary table told (n integer, subject text, predicate text, object text, value text,
    valid_from text, valid_until text, role text, data_subject_id text);
insert into told values
(1, 'Marta', 'works_at', 'Acme', null, null, null, 'user', 's1'),
(2, 'Acme', 'located_in', 'Cork', null, null, null, 'user', 's1'),
(3, 'Cork', 'located_in', 'Ireland', null, null, null, 'user', 's1'),
(4, 'Marta', 'knows', 'Bob', null, null, null, 'user', 's2'),
(5, 'Marta', 'knows', 'Marta', null, null, null, 'user', 's1'),
(6, 'Marta', 'likes', null, 'tea', null, null, 'user', 's1'),
(7, 'Marta', null, null, 'is planted', null, null, 'tool', 's1'),
(8, 'Marta', 'likes', null, 'milk', '2010-01-01T00:00:00Z', '2011-01-01T00:00:00Z', 'user', 's1'),
(9, 'Acme', 'makes', null, 'anvils', null, null, 'user', 's1'),
(10, 'Bob', 'works_at', 'Acme', null, null, null, 'user', 's1');
insert into memory_v1.load_stage (line, body)
select 2 * t.n, jsonb_build_object(
    'type', 'observation', 'key', 'o' || t.n, 'data_subject_id', t.data_subject_id,
    'kind', 'turn', 'messages', jsonb_build_array(jsonb_build_object(
        'role', t.role, 'content', format('statement %s is told', t.n))))
from told as t
union all
select 2 * t.n + 1, jsonb_strip_nulls(jsonb_build_object(
    'type', 'fact', 'key', 'f' || t.n, 'subject', t.subject, 'predicate', t.predicate,
    'object', t.object, 'value', t.value, 'statement', 'statement ' || t.n,
    'valid_from', t.valid_from, 'valid_until', t.valid_until,
    'evidence', jsonb_build_array(jsonb_build_object(
        'observation', 'o' || t.n, 'ordinal', 0, 'quote', 'statement ' || t.n))))
from told as t;
select memory_v1.load('north');
insert into memory_v1.load_stage (line, body)
values (1, '{"type": "observation", "key": "hub", "messages": [{"role": "user",
    "content": "all of it"}]}'::jsonb)
union all
select n + 1, jsonb_build_object(
    'type', 'fact', 'key', 'hub ' || n,
    'subject', case when n % 2 = 0 then 'Hub' else 'leaf ' || n end,
    'predicate', 'touches', 'object', case when n % 2 = 0 then 'leaf ' || n else 'Hub' end,
    'statement', 'touch ' || n,
    'evidence', '[{"observation": "hub", "ordinal": 0, "quote": "all of it"}]'::jsonb)
from generate_series(1, 140) as n;
select memory_v1.load('south');
select set_config('taisce.project', 'north', true);
create function pg_temp.id(named text, home text default 'north') returns uuid
language sql as $$
    select e.entity_id from taisce.entity as e join taisce.project as p using (project_id)
    where p.name = home and e.canonical_name = named
$$;
create function pg_temp.walked(
    entities text[], hops integer default 1, roles text[] default null, subject text default null,
    predicate text default null, as_of timestamptz default null
) returns text language sql as $$
    select string_agg(substr(w.statement, 11), ' ')
    from memory_v1.fact_walk(
        (select array_agg(pg_temp.id(n) order by place)
            from unnest(entities) with ordinality as u (n, place)),
        hops, 'north', roles, subject, predicate, as_of) as w
$$;
\ir ../as_role.psql
create function pg_temp.error_of(statement text) returns text language plpgsql as $$
declare
    v_code text;
    v_message text;
    v_detail text;
    v_hint text;
begin
    execute statement;
    return 'none';
exception when sqlstate 'TS003' or sqlstate 'TS004' or sqlstate 'TS005' then
    get stacked diagnostics v_code = returned_sqlstate, v_message = message_text,
        v_detail = pg_exception_detail, v_hint = pg_exception_hint;
    return concat_ws(' | ', v_code, v_message, v_detail, v_hint);
end $$;

-- Contract
select has_function(
    'memory_v1', 'fact_walk',
    array['uuid[]', 'integer', 'text', 'text[]', 'text', 'text', 'timestamptz', 'timestamptz',
        'integer'],
    'it takes entities, hops, what to look at and when, and a number of rows');
select function_returns(
    'memory_v1', 'fact_walk',
    array['uuid[]', 'integer', 'text', 'text[]', 'text', 'text', 'timestamptz', 'timestamptz',
        'integer'],
    'setof memory_v1.walked_fact');
select volatility_is(
    'memory_v1', 'fact_walk',
    array['uuid[]', 'integer', 'text', 'text[]', 'text', 'text', 'timestamptz', 'timestamptz',
        'integer'],
    'stable');
select is_definer(
    'memory_v1', 'fact_walk',
    array['uuid[]', 'integer', 'text', 'text[]', 'text', 'text', 'timestamptz', 'timestamptz',
        'integer']);

-- Rights
select function_privs_are(
    'memory_v1', 'fact_walk',
    array['uuid[]', 'integer', 'text', 'text[]', 'text', 'text', 'timestamptz', 'timestamptz',
        'integer'],
    'taisce_reader', array['EXECUTE'], 'a reader may walk');
select function_privs_are(
    'memory_v1', 'fact_walk',
    array['uuid[]', 'integer', 'text', 'text[]', 'text', 'text', 'timestamptz', 'timestamptz',
        'integer'],
    'public', '{}'::text[], 'the public may not');
select is(
    pg_temp.as_role('walking_reader',
        format('select count(*) from memory_v1.fact_walk(array[%L::uuid])', pg_temp.id('Bob'))),
    '2', 'a reader walks what is granted to him');
select is(
    pg_temp.error_of(format(
        $$ select pg_temp.as_role('walking_reader',
            'select count(*) from memory_v1.fact_walk(array[''%s''::uuid])') $$,
        pg_temp.id('Hub', 'south'))),
    pg_temp.error_of($$ select pg_temp.as_role('walking_reader',
        'select count(*) from memory_v1.fact_walk(array[gen_random_uuid()])') $$),
    'an entity of another project is as unknown as one that never was');

-- Result: what is reached
select is(
    pg_temp.walked('{Marta}'), '4 5 6 1',
    'one hop: by predicate, then in the order of being told');
select is(
    pg_temp.walked('{Acme}'), '2 9 1 10', 'facts that name it as object are reached as well');
select is(
    pg_temp.walked('{Marta}', 2), '4 5 6 1 2 9 10',
    'two hops: first the first hop, then what its far ends lead to');
select is(pg_temp.walked('{Marta}', 9), pg_temp.walked('{Marta}', 2), 'more hops are two');
select is(pg_temp.walked('{Marta}', -1), pg_temp.walked('{Marta}', 1), 'fewer hops are one');
select is(
    pg_temp.walked('{Marta,Acme}'), '4 5 6 2 9 1 10',
    'a fact between two entities comes once');
select is(
    pg_temp.walked('{Marta}', 1, '{user,tool}'), '4 5 6 1 7',
    'other roles are looked at when asked for, a fact without predicate comes last');
select is(pg_temp.walked('{Marta}', 1, '{tool}'), '7', 'and only those');
select is(pg_temp.walked('{Marta}', 2, null, 's2'), '4', 'a subject narrows every hop');
select is(
    pg_temp.walked('{Marta}', 2, null, null, 'works_at'), '1 10', 'a predicate too');
select is(
    pg_temp.walked('{Marta}', 1, null, null, 'likes', '2010-06-01Z'), '6 8',
    'at another time other facts hold');
select is(pg_temp.walked('{Ireland}', 2, null, null, 'knows'), null, 'nothing is no error');

-- Result: routes
select results_eq(
    $$ select hops, anchored_on, path, via, route
       from memory_v1.fact_walk(array[pg_temp.id('Marta')], 2)
       where statement in ('statement 1', 'statement 2', 'statement 5', 'statement 6',
           'statement 9') $$,
    $$ values
        (1, 'Marta', array['Marta'], array['knows'], array[pg_temp.id('Marta')]),
        (1, 'Marta', array['Marta'], array['likes'], array[pg_temp.id('Marta')]),
        (1, 'Marta', array['Marta', 'Acme'], array['works_at'],
            array[pg_temp.id('Marta'), pg_temp.id('Acme')]),
        (2, 'Marta', array['Marta', 'Acme', 'Cork'], array['works_at', 'located_in'],
            array[pg_temp.id('Marta'), pg_temp.id('Acme'), pg_temp.id('Cork')]),
        (2, 'Marta', array['Marta', 'Acme'], array['works_at', 'makes'],
            array[pg_temp.id('Marta'), pg_temp.id('Acme')]) $$,
    'a route names the entities from the anchor to the far end and the predicates between');
select is(
    (
        select anchored_on from memory_v1.fact_walk(
            array[pg_temp.id('Acme'), pg_temp.id('Marta')])
        where statement = 'statement 1'
    ),
    'Acme', 'a fact between two anchors belongs to the one listed first');

-- Result: caps
select is(
    (select count(*) from memory_v1.fact_walk(array[pg_temp.id('Hub', 'south')], 1, 'south')),
    128::bigint, 'each direction is cut to 64');
select results_eq(
    $$ select w.statement from memory_v1.fact_walk(
        array[pg_temp.id('Hub', 'south')], 1, 'south') as w
       where w.subject_id = pg_temp.id('Hub', 'south') $$,
    $$ select f.statement from taisce.fact as f
       where f.subject_entity_id = pg_temp.id('Hub', 'south')
       order by f.fact_id limit 64 $$,
    'in the order of fact ids');
select is(
    (
        select count(*) from memory_v1.fact_walk(
            array[pg_temp.id('Hub', 'south')], 1, 'south', max_rows => 5)
    ),
    5::bigint, 'fewer rows can be asked for');
select is_empty(
    $$ select 1 from memory_v1.fact_walk(array[pg_temp.id('Marta')], max_rows => 0) $$,
    'even none');

-- Errors
select throws_ok(
    $$ select memory_v1.fact_walk(null) $$, 'TS005', 'invalid_argument', 'entities are needed');
select throws_ok(
    $$ select memory_v1.fact_walk('{}') $$, 'TS005', 'invalid_argument', 'at least one');
select throws_ok(
    $$ select memory_v1.fact_walk(array[null::uuid]) $$, 'TS005', 'invalid_argument',
    'null is none');
select throws_ok(
    $$ select memory_v1.fact_walk(array[pg_temp.id('Marta'), pg_temp.id('Marta')]) $$, 'TS005',
    'invalid_argument', 'each once');
select throws_ok(
    $$ select memory_v1.fact_walk(array_agg(gen_random_uuid())) from generate_series(1, 257) $$,
    'TS005', 'invalid_argument', 'at most 256');
select throws_ok(
    $$ select memory_v1.fact_walk(array[pg_temp.id('Marta'), gen_random_uuid()]) $$, 'TS004',
    'not_found', 'an unknown one is refused');
select throws_ok(
    $$ select memory_v1.fact_walk(array[pg_temp.id('Marta')], max_rows => 201) $$, 'TS005',
    'invalid_argument', 'more than 200 rows are refused');
select throws_ok(
    $$ select memory_v1.fact_walk(array[pg_temp.id('Marta')], source_roles => '{nobody}') $$,
    'TS002', 'invalid_recall_controls', 'an unknown role is refused');
select throws_ok(
    $$ select memory_v1.fact_walk(array[pg_temp.id('Marta')], as_of => 'infinity') $$,
    'TS002', 'invalid_recall_controls', 'an instant is finite');
select throws_ok(
    $$ select memory_v1.fact_walk(array[pg_temp.id('Marta')], 1, 'nowhere') $$, 'TS003',
    'unknown_project', 'an unknown project is refused');

select * from finish();
rollback;
