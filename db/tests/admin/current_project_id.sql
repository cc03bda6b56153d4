-- memory_v1.current_project_id: the project that views show.
begin;
select plan(12);

-- Given
create role current_one nologin;
create role current_two nologin;
create role current_outside nologin;
grant taisce_reader to current_one, current_two;
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
insert into taisce.project_grant (project_id, grantee, access) values
(9001, 'current_one'::regrole, 'read'),
(9001, 'current_two'::regrole, 'read'),
(9002, 'current_two'::regrole, 'read');
create function pg_temp.current(role text, setting text) returns bigint language plpgsql as $$
declare
    v_current bigint;
begin
    perform set_config('taisce.project', setting, true);
    perform set_config('role', role, true);
    v_current := memory_v1.current_project_id();
    perform set_config('role', 'none', true);
    return v_current;
end $$;

-- Contract
select has_function('memory_v1', 'current_project_id', '{}'::text[], 'it takes nothing');
select function_returns('memory_v1', 'current_project_id', '{}'::text[], 'bigint');
select volatility_is('memory_v1', 'current_project_id', '{}'::text[], 'stable');
select is_definer('memory_v1', 'current_project_id', '{}'::text[]);

-- Rights
select function_privs_are(
    'memory_v1', 'current_project_id', '{}'::text[], 'taisce_analyst', array['EXECUTE'],
    'an analyst, whose views call it, may call it');
select function_privs_are(
    'memory_v1', 'current_project_id', '{}'::text[], 'public', '{}'::text[],
    'the public may not');
select throws_ok(
    $$ select pg_temp.current('current_outside', '') $$, '42501', null,
    'a role outside the groups is refused');

-- Result
select is(pg_temp.current('current_one', ''), 9001::bigint, 'the only project granted is shown');
select is(pg_temp.current('current_two', 'south'), 9002::bigint, 'the setting chooses');

-- Errors
select throws_ok(
    $$ select pg_temp.current('current_two', '') $$, 'TS005', 'invalid_argument',
    'several granted and none chosen is an error');
select throws_ok(
    $$ select pg_temp.current('current_one', 'south') $$, 'TS003', 'unknown_project',
    'the setting cannot choose what is not granted');
select throws_ok(
    $$ select pg_temp.current('taisce_reader', '') $$, 'TS003', 'unknown_project',
    'nothing granted is an error');

select * from finish();
rollback;
