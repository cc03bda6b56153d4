-- memory_v1.begin_query: which login may run open SQL, and under which limits.
begin;
select plan(19);

-- Given
create role limits_analyst login in role taisce_analyst;
create role limits_group nologin in role taisce_analyst;
create role limits_member login in role limits_group;
create role limits_both login;
create role limits_monitor login;
grant taisce_analyst to limits_both, limits_monitor;
grant taisce_reader to limits_both;
grant pg_monitor to limits_monitor;
create role limits_maker login createrole in role taisce_analyst;
create role limits_nobody login;
create function pg_temp.begun(login text, tier text default 'interactive') returns jsonb
language plpgsql as $$
declare
    v_result jsonb;
begin
    execute format('set session authorization %I', login);
    v_result := memory_v1.begin_query(tier, array['entities', 'no_such_view']);
    reset session authorization;
    return v_result;
exception when sqlstate 'TS005' or sqlstate 'TS013' or sqlstate 'TS015' then
    return to_jsonb(sqlstate);
end
$$;

-- Contract
select function_returns('memory_v1', 'begin_query', array['text', 'text[]'], 'jsonb');
select volatility_is('memory_v1', 'begin_query', array['text', 'text[]'], 'volatile');
select is_definer('memory_v1', 'begin_query', array['text', 'text[]']);

-- Rights
select function_privs_are(
    'memory_v1', 'begin_query', array['text', 'text[]'], 'taisce_analyst', array['EXECUTE']);
select function_privs_are(
    'memory_v1', 'begin_query', array['text', 'text[]'], 'taisce_reader', '{}'::text[]);
select ok(taisce.is_analyst_only('limits_analyst'), 'an analyst is one');
select ok(taisce.is_analyst_only('limits_member'), 'so is a member of a group of analysts');
select ok(not taisce.is_analyst_only('limits_both'), 'a reader may do more');
select ok(not taisce.is_analyst_only('limits_monitor'), 'so may who sees the server');
select ok(not taisce.is_analyst_only('limits_maker'), 'and who makes roles');
select ok(not taisce.is_analyst_only('limits_nobody'), 'who is no analyst is none');
select ok(not taisce.is_analyst_only('taisce_owner'), 'the owner least of all');
select ok(not taisce.is_analyst_only('no_such_role'), 'nor a role that is not there');
select ok(
    not taisce.is_analyst_only((select r.rolname from pg_roles as r where r.rolsuper limit 1)),
    'nor a superuser');

-- Result
select is(
    pg_temp.begun('limits_analyst') - array['begun_at', 'vector_schema', 'warnings', 'most'],
    '{"tier": "interactive", "seconds": 5, "rows": 200, "bytes": 1048576, "work_mem_mb": 16,
      "grains": {"entities": "one row an entity"}}', 'the limits, and the grains of known views');
select is(
    pg_temp.begun('limits_analyst') -> 'most',
    '{"seconds": 15, "rows": 1000, "bytes": 8388608}', 'and what may be asked for');

-- Errors
select is(pg_temp.begun('limits_both'), '"TS013"', 'a login that may do more is refused');
select is(pg_temp.begun('limits_member', 'analytical'), '"TS005"', 'a tier is for named roles');
select is(pg_temp.begun('limits_member', 'endless'), '"TS005"', 'or there is none of that name');

select * from finish();
rollback;
