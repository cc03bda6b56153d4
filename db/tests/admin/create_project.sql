-- memory_v1.create_project: makes a project that belongs to its maker.
begin;
select plan(17);

-- Given
create role making_admin nologin;
create role making_other nologin;
grant taisce_admin to making_admin, making_other;
\ir ../as_role.psql

-- Contract
select has_function(
    'memory_v1', 'create_project', array['text', 'text[]'], 'it takes a name and roles');
select function_returns('memory_v1', 'create_project', array['text', 'text[]'], 'bigint');
select volatility_is('memory_v1', 'create_project', array['text', 'text[]'], 'volatile');
select is_definer('memory_v1', 'create_project', array['text', 'text[]']);

-- Rights
select function_privs_are(
    'memory_v1', 'create_project', array['text', 'text[]'], 'taisce_admin', array['EXECUTE'],
    'an administrator may make projects');
select function_privs_are(
    'memory_v1', 'create_project', array['text', 'text[]'], 'taisce_writer', '{}'::text[],
    'a writer may not');
select function_privs_are(
    'memory_v1', 'create_project', array['text', 'text[]'], 'public', '{}'::text[],
    'the public may not');

-- Result
select lives_ok(
    $$ select pg_temp.as_role('making_admin', 'select memory_v1.create_project(''made'')') $$,
    'an administrator makes a project');
select results_eq(
    $$ select p.name, p.status, p.default_source_roles, g.grantee::regrole::text, g.access
       from taisce.project as p join taisce.project_grant as g using (project_id)
       where p.name = 'made' $$,
    $$ values ('made', 'active', array['user'], 'making_admin', 'admin') $$,
    'it reads what people said and is granted to its maker alone');
select is(
    pg_temp.as_role('making_other', 'select count(*) from memory_v1.list_projects()'), '0',
    'another administrator does not see it');
select is(
    (
        select last_stamp from taisce.project_clock
        join taisce.project using (project_id) where name = 'made'
    ),
    '-infinity'::timestamptz, 'its clock stands before everything');
select isnt(
    pg_temp.as_role(
        'making_admin', $$ select memory_v1.create_project('archive', '{document,tool}') $$),
    null, 'a project of documents sets other roles');
select is(
    (select default_source_roles from taisce.project where name = 'archive'),
    array['document', 'tool'], 'and keeps them');

-- Errors
select throws_ok(
    $$ select pg_temp.as_role('making_other', 'select memory_v1.create_project(''made'')') $$,
    'TS005', 'invalid_argument', 'a taken name is refused');
select throws_ok(
    $$ select memory_v1.create_project(E' \t') $$, 'TS005', 'invalid_argument',
    'a blank name is refused');
select throws_ok(
    $$ select memory_v1.create_project(repeat('x', 257)) $$, 'TS005', 'invalid_argument',
    'a name over 256 bytes is refused');
select throws_ok(
    $$ select memory_v1.create_project('x', array['user', 'nobody']) $$, 'TS005',
    'invalid_argument', 'an unknown role is refused');

select * from finish();
rollback;
