-- memory_v1.suspend_project: out of service and back.
begin;
select plan(14);

-- Given
create role suspending_boss nologin;
create role suspending_guest nologin;
grant taisce_admin to suspending_boss;
grant taisce_reader to suspending_guest;
\ir ../as_role.psql
select pg_temp.as_role('suspending_boss', 'select memory_v1.create_project(''north'')');
select pg_temp.as_role(
    'suspending_boss', $$ select memory_v1.grant_project('north', 'suspending_guest', 'read') $$);

-- Contract
select has_function(
    'memory_v1', 'suspend_project', array['text', 'boolean'], 'it takes a project and a switch');
select function_returns('memory_v1', 'suspend_project', array['text', 'boolean'], 'boolean');
select is_definer('memory_v1', 'suspend_project', array['text', 'boolean']);

-- Rights
select function_privs_are(
    'memory_v1', 'suspend_project', array['text', 'boolean'], 'taisce_admin', array['EXECUTE'],
    'an administrator may suspend');
select function_privs_are(
    'memory_v1', 'suspend_project', array['text', 'boolean'], 'taisce_writer', '{}'::text[],
    'a writer may not');

-- Result
select is(
    pg_temp.as_role('suspending_boss', $$ select memory_v1.suspend_project('north') $$), 'true',
    'suspending changes the project');
select is(
    pg_temp.as_role('suspending_boss', $$ select memory_v1.suspend_project('north') $$), 'false',
    'suspending it again does not');
select throws_ok(
    $$ select pg_temp.as_role('suspending_guest',
        'select memory_v1.recall(''Marta'', project => ''north'')') $$,
    'TS003', 'unknown_project', 'a suspended project is unknown to readers');
select throws_ok(
    $$ select pg_temp.as_role('suspending_boss',
        'select memory_v1.recall(''Marta'', project => ''north'')') $$,
    'TS003', 'unknown_project', 'and to reads of its administrator');
select is(
    pg_temp.as_role('suspending_guest', 'select count(*) from memory_v1.list_projects()'), '0',
    'readers do not see it in the list');
select is(
    pg_temp.as_role('suspending_boss', 'select status from memory_v1.list_projects()'),
    'suspended', 'its administrator does');
select is(
    pg_temp.as_role('suspending_boss', $$ select memory_v1.suspend_project('north', false) $$),
    'true', 'it comes back into service');
select is(
    pg_temp.as_role('suspending_guest', 'select name from memory_v1.list_projects()'), 'north',
    'and readers have it again');

-- Errors
select throws_ok(
    $$ select pg_temp.as_role('suspending_boss',
        'select memory_v1.suspend_project(''north'', null)') $$,
    'TS005', 'invalid_argument', 'a switch is needed');

select * from finish();
rollback;
