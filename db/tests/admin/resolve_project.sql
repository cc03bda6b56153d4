-- taisce.resolve_project: which project a call means.
begin;
select plan(20);

-- Given
create role resolving_one nologin;
create role resolving_two nologin;
create role resolving_none nologin;
insert into taisce.project (project_id, name, status) values
(9001, 'north', 'active'), (9002, 'south', 'active'), (9003, 'asleep', 'suspended');
insert into taisce.project_grant (project_id, grantee, access, suspended) values
(9001, 'resolving_one'::regrole, 'read', false),
(9003, 'resolving_one'::regrole, 'admin', true),
(9001, 'resolving_two'::regrole, 'read', false),
(9002, 'resolving_two'::regrole, 'write', false);
grant taisce_owner to resolving_one, resolving_two, resolving_none;

-- Definer functions of the memory call it as the owner; the caller is the role taken.
create function pg_temp.resolved(role text, project text, access text, setting text default '')
returns bigint language plpgsql as $$
declare
    v_resolved bigint;
begin
    perform set_config('taisce.project', setting, true);
    perform set_config('role', role, true);
    v_resolved := taisce.resolve_project(project, access);
    perform set_config('role', 'none', true);
    return v_resolved;
end $$;
create function pg_temp.error_of(statement text) returns text language plpgsql as $$
declare
    v_code text;
    v_message text;
    v_detail text;
    v_hint text;
begin
    execute statement;
    return 'none';
exception when sqlstate 'TS003' or sqlstate 'TS005' then
    get stacked diagnostics v_code = returned_sqlstate, v_message = message_text,
        v_detail = pg_exception_detail, v_hint = pg_exception_hint;
    return concat_ws(' | ', v_code, v_message, v_detail, v_hint);
end $$;

-- Contract
select has_function(
    'taisce', 'resolve_project', array['text', 'text'], 'it takes a name and an access');
select function_returns('taisce', 'resolve_project', array['text', 'text'], 'bigint');
select volatility_is('taisce', 'resolve_project', array['text', 'text'], 'stable');
select isnt_definer('taisce', 'resolve_project', array['text', 'text']);

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.resolve_project(text, text)'::regprocedure
         and x.grantee <> p.proowner $$,
    'only the owner may call it');

-- Result
select is(pg_temp.resolved('resolving_two', 'south', 'read'), 9002::bigint,
    'a name leads to its project');
select is(pg_temp.resolved('resolving_one', null, 'read'), 9001::bigint,
    'without a name it is the only project granted; a suspended one does not count');
select is(pg_temp.resolved('resolving_two', null, 'read', 'south'), 9002::bigint,
    'the setting chooses among the granted ones');
select is(pg_temp.resolved('resolving_two', 'north', 'read', 'south'), 9001::bigint,
    'the argument wins over the setting');
select is(pg_temp.resolved('resolving_two', null, 'write'), 9002::bigint,
    'without a name it is the only one with that access');
select is(pg_temp.resolved('resolving_one', 'asleep', 'manage'), 9003::bigint,
    'who administers a suspended project may name it to manage it');

-- Errors
select throws_ok(
    $$ select pg_temp.resolved('resolving_two', null, 'read') $$, 'TS005', 'invalid_argument',
    'several granted and none chosen is an error');
select ok(
    pg_temp.error_of($$ select pg_temp.resolved('resolving_two', null, 'read') $$)
        ~ 'project is not given',
    'which names the argument');
select throws_ok(
    $$ select pg_temp.resolved('resolving_none', null, 'read') $$, 'TS003', 'unknown_project',
    'nothing granted is an error');
select throws_ok(
    $$ select pg_temp.resolved('resolving_one', 'nowhere', 'read') $$, 'TS003', 'unknown_project',
    'an unknown name is an error');
select is(
    pg_temp.error_of($$ select pg_temp.resolved('resolving_one', 'south', 'read') $$),
    pg_temp.error_of($$ select pg_temp.resolved('resolving_one', 'nowhere', 'read') $$),
    'a project that is not granted cannot be told from an unknown one');
select is(
    pg_temp.error_of($$ select pg_temp.resolved('resolving_one', 'asleep', 'read') $$),
    pg_temp.error_of($$ select pg_temp.resolved('resolving_one', 'nowhere', 'read') $$),
    'nor can a suspended one');
select is(
    pg_temp.error_of($$ select pg_temp.resolved('resolving_one', null, 'read', 'south') $$),
    pg_temp.error_of($$ select pg_temp.resolved('resolving_one', 'nowhere', 'read') $$),
    'nor one that only the setting names');
select is(
    pg_temp.error_of($$ select pg_temp.resolved('resolving_two', 'north', 'write') $$),
    pg_temp.error_of($$ select pg_temp.resolved('resolving_two', 'nowhere', 'write') $$),
    'nor, for a writer, one that he may only read');
select throws_ok(
    $$ select pg_temp.resolved('resolving_one', '', 'read') $$, 'TS003', 'unknown_project',
    'an empty name is a name that nobody has');

select * from finish();
rollback;
