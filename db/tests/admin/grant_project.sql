-- memory_v1.grant_project and revoke_project: who may use a project.
begin;
select plan(24);

-- Given
create role granting_boss nologin;
create role granting_second nologin;
create role granting_guest nologin;
grant taisce_admin to granting_boss, granting_second;
grant taisce_reader to granting_guest;
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
exception when sqlstate 'TS003' or sqlstate 'TS005' then
    get stacked diagnostics v_code = returned_sqlstate, v_message = message_text,
        v_detail = pg_exception_detail, v_hint = pg_exception_hint;
    return concat_ws(' | ', v_code, v_message, v_detail, v_hint);
end $$;
create function pg_temp.access_of(role text) returns text language sql as $$
    select g.access from taisce.project_grant as g
    join taisce.project as p using (project_id)
    where p.name = 'north' and g.grantee = role::regrole
$$;
select pg_temp.as_role('granting_boss', 'select memory_v1.create_project(''north'')');

-- Contract
select has_function(
    'memory_v1', 'grant_project', array['text', 'text', 'text'],
    'grant_project takes a project, a role and an access');
select is_definer('memory_v1', 'grant_project', array['text', 'text', 'text']);
select has_function(
    'memory_v1', 'revoke_project', array['text', 'text'],
    'revoke_project takes a project and a role');
select function_returns('memory_v1', 'revoke_project', array['text', 'text'], 'boolean');
select is_definer('memory_v1', 'revoke_project', array['text', 'text']);

-- Rights
select function_privs_are(
    'memory_v1', 'grant_project', array['text', 'text', 'text'], 'taisce_admin',
    array['EXECUTE'], 'an administrator may grant');
select function_privs_are(
    'memory_v1', 'grant_project', array['text', 'text', 'text'], 'taisce_writer', '{}'::text[],
    'a writer may not grant');
select function_privs_are(
    'memory_v1', 'revoke_project', array['text', 'text'], 'taisce_admin', array['EXECUTE'],
    'an administrator may revoke');
select function_privs_are(
    'memory_v1', 'revoke_project', array['text', 'text'], 'taisce_reader', '{}'::text[],
    'a reader may not revoke');

-- Result
select is(
    pg_temp.as_role('granting_guest', 'select count(*) from memory_v1.list_projects()'), '0',
    'without a grant there is no project');
select isnt(
    pg_temp.as_role(
        'granting_boss', $$ select memory_v1.grant_project('north', 'granting_guest', 'read') $$),
    null, 'the one who has admin access grants');
select is(
    pg_temp.as_role('granting_guest', 'select name from memory_v1.list_projects()'), 'north',
    'with a grant there is one');
select is(pg_temp.access_of('granting_guest'), 'read', 'with the access given');
select pg_temp.as_role(
    'granting_boss', $$ select memory_v1.grant_project('north', 'granting_guest', 'write') $$);
select is(pg_temp.access_of('granting_guest'), 'write', 'a second grant replaces the first');
select is(
    pg_temp.as_role(
        'granting_boss', $$ select memory_v1.revoke_project('north', 'granting_guest') $$),
    'true', 'taking it away says that there was one');
select is(
    pg_temp.as_role(
        'granting_boss', $$ select memory_v1.revoke_project('north', 'granting_guest') $$),
    'false', 'taking it away again says that there was none');
select is(pg_temp.access_of('granting_guest'), null, 'and the role has no access');

-- Errors
select throws_ok(
    $$ select pg_temp.as_role('granting_boss',
        'select memory_v1.revoke_project(''north'', ''granting_boss'')') $$,
    'TS005', 'invalid_argument', 'the last administrator stays');
select throws_ok(
    $$ select pg_temp.as_role('granting_boss',
        'select memory_v1.grant_project(''north'', ''granting_boss'', ''read'')') $$,
    'TS005', 'invalid_argument', 'and cannot step down');
select throws_ok(
    $$ select pg_temp.as_role('granting_boss',
        'select memory_v1.grant_project(''north'', ''granting_nobody'', ''read'')') $$,
    'TS005', 'invalid_argument', 'an unknown role is refused');
select throws_ok(
    $$ select pg_temp.as_role('granting_boss',
        'select memory_v1.grant_project(''north'', ''granting_guest'', ''own'')') $$,
    'TS005', 'invalid_argument', 'an unknown access is refused');
select is(
    pg_temp.error_of($$ select pg_temp.as_role('granting_second',
        'select memory_v1.grant_project(''north'', ''granting_second'', ''admin'')') $$),
    pg_temp.error_of($$ select pg_temp.as_role('granting_second',
        'select memory_v1.grant_project(''nowhere'', ''granting_second'', ''admin'')') $$),
    'an administrator of other projects cannot tell this one from an unknown one');
select is(
    pg_temp.error_of($$ select pg_temp.as_role('granting_second',
        'select memory_v1.revoke_project(''north'', ''granting_boss'')') $$),
    pg_temp.error_of($$ select pg_temp.as_role('granting_second',
        'select memory_v1.revoke_project(''nowhere'', ''granting_boss'')') $$),
    'nor when he revokes');
select pg_temp.as_role(
    'granting_boss', $$ select memory_v1.grant_project('north', 'granting_guest', 'admin') $$);
select throws_ok(
    $$ select pg_temp.as_role('granting_guest',
        'select memory_v1.revoke_project(''north'', ''granting_boss'')') $$,
    '42501', null, 'admin access to a project does not make an administrator');

select * from finish();
rollback;
