-- memory_v1.list_projects: what the caller may use.
begin;
select plan(11);

-- Given
create role listing_boss nologin;
create role listing_guest nologin;
create role listing_gone nologin;
grant taisce_admin to listing_boss;
grant taisce_reader to listing_guest;
insert into taisce.project (project_id, name, status) values
(9001, 'north', 'active'), (9002, 'South', 'active'), (9003, 'asleep', 'suspended');
insert into taisce.project_clock (project_id, last_stamp, stored) values
(9001, '2024-05-01T00:00:00Z', 7), (9002, '-infinity', 0), (9003, '-infinity', 0);
insert into taisce.project_grant (project_id, grantee, access, suspended) values
(9001, 'listing_boss'::regrole, 'admin', false),
(9001, 'listing_guest'::regrole, 'read', false),
(9001, 'listing_gone'::regrole, 'read', false),
(9002, 'listing_boss'::regrole, 'write', false),
(9003, 'listing_boss'::regrole, 'admin', true),
(9003, 'listing_guest'::regrole, 'write', true);
create temporary table oid_gone as select 'listing_gone'::regrole::oid as gone;
drop role listing_gone;
create function pg_temp.listed(role text, columns text) returns setof text language plpgsql as $$
begin
    perform set_config('role', role, true);
    return query execute format('select concat_ws('' '', %s) from memory_v1.list_projects()',
        columns);
    perform set_config('role', 'none', true);
end $$;

-- Contract
select has_function('memory_v1', 'list_projects', '{}'::text[], 'it takes nothing');
select function_returns(
    'memory_v1', 'list_projects', '{}'::text[], 'setof memory_v1.project_item');
select volatility_is('memory_v1', 'list_projects', '{}'::text[], 'stable');
select is_definer('memory_v1', 'list_projects', '{}'::text[]);

-- Rights
select function_privs_are(
    'memory_v1', 'list_projects', '{}'::text[], 'taisce_analyst', array['EXECUTE'],
    'an analyst may list');
select function_privs_are(
    'memory_v1', 'list_projects', '{}'::text[], 'public', '{}'::text[], 'the public may not');

-- Result
select results_eq(
    $$ select pg_temp.listed('listing_boss', 'name, status, access') $$,
    array['South active write', 'asleep suspended admin', 'north active admin'],
    'every project granted comes by name, in the order of bytes');
select results_eq(
    $$ select pg_temp.listed('listing_guest', 'name, status, access') $$,
    array['north active read'],
    'a suspended one is shown to those who administer it only');
select results_eq(
    $$ select pg_temp.listed('listing_guest',
        'observations, known_through at time zone ''UTC'', coalesce(grants::text, ''no grants'')') $$,
    array['7 2024-05-01 00:00:00 no grants'],
    'its size and clock are told; who else may use it is not');
select results_eq(
    $$ select pg_temp.listed('listing_boss',
        'name, (select string_agg(k, '','' order by k) from jsonb_object_keys(grants) as k)') $$,
    (select array['South', 'asleep listing_boss,listing_guest',
        'north dropped role ' || gone || ',listing_boss,listing_guest'] from oid_gone),
    'the administrator sees who may, dropped roles included');
select is_empty(
    $$ select pg_temp.listed('taisce_reader', 'name') $$, 'without a grant the list is empty');

select * from finish();
rollback;
