-- memory_v1.withdraw_support: marks a fact without support.
begin;
select plan(9);

-- Given
create role doubting_writer nologin;
create role doubting_reader nologin;
grant taisce_writer to doubting_writer;
grant taisce_reader to doubting_reader;
select memory_v1.create_project('north');
select memory_v1.create_project('south');
select memory_v1.grant_project('north', 'doubting_writer', 'write');
select memory_v1.grant_project('north', 'doubting_reader', 'read');
set local taisce.project = 'north';
select memory_v1.observe('[{"role": "user", "content": "I live in Cork. I live in Sligo. Bob rows."}]',
    data_subject_id => 'ann', idempotency_key => 't1');
create function pg_temp.live(place text, year integer, key text default 't1') returns uuid
language sql as $$
    select a.fact_id
    from memory_v1.assert_fact(
        '"I"', 'lives_in', to_jsonb(live.place), statement => 'lives in ' || live.place,
        evidence => jsonb_build_array(
            jsonb_build_object('observation', key, 'quote', 'I live in ' || live.place)),
        valid_from => make_timestamptz(live.year, 1, 1, 0, 0, 0, 'UTC'), cardinality => 'one') as a
$$;
create function pg_temp.fact(place text, out fact_id uuid) language sql as $$
    select f.fact_id from taisce.fact as f where f.statement = 'lives in ' || fact.place
$$;
create function pg_temp.said(key text, out observation_id uuid) language sql as $$
    select o.observation_id from taisce.observation as o where o.idempotency_key = said.key
$$;
create function pg_temp.entity(name text, out entity_id uuid) language sql as $$
    select e.entity_id from taisce.entity as e where e.canonical_name = entity.name
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
select pg_temp.live('Cork', 2020);

-- Contract
select has_function('memory_v1', 'withdraw_support', 'it exists');
select is(
    (
        select array_agg(a.name order by a.place) from pg_proc as p
        cross join lateral unnest(p.proargnames) with ordinality as a (name, place)
        where p.oid = 'memory_v1.withdraw_support'::regproc
    ),
    array['fact_id', 'project'],
    'its arguments have these names in this order');
select is(
    (
        select array_agg(a.attname::text order by a.attnum) from pg_proc as p
        join pg_type as t on t.oid = p.prorettype
        join pg_attribute as a on a.attrelid = t.typrelid and a.attnum > 0
        where p.oid = 'memory_v1.withdraw_support'::regproc
    ),
    array['fact_id', 'support', 'repeated'],
    'its row has these columns in this order');
select ok(
    (
        select p.prosecdef and p.provolatile = 'v' from pg_proc as p
        where p.oid = 'memory_v1.withdraw_support'::regproc
    ),
    'it is volatile and runs as its owner');

-- Rights
select lives_ok(
    $$ select pg_temp.as_role('doubting_writer', format('select memory_v1.withdraw_support(%L, project => ''north'')', pg_temp.fact('Cork'))) $$,
    'a writer of the project may call it');
select throws_ok(
    $$ select pg_temp.as_role('doubting_writer', format('select memory_v1.withdraw_support(%L, project => ''south'')', pg_temp.fact('Cork'))) $$,
    'TS003', 'unknown_project', 'and not for a project that is not granted');
select throws_ok(
    $$ select pg_temp.as_role('doubting_reader', format('select memory_v1.withdraw_support(%L, project => ''north'')', pg_temp.fact('Cork'))) $$,
    '42501', null, 'nobody else may call it');

-- Rules
select is(
    (select w.support || ' ' || w.repeated from memory_v1.withdraw_support(pg_temp.fact('Cork')) as w),
    'withdrawn true',
    'twice changes nothing');
select throws_ok(
    $$ select memory_v1.withdraw_support('00000000-0000-0000-0000-000000000000') $$,
    'TS004', 'not_found', 'an unknown fact is refused');

select * from finish();
rollback;
