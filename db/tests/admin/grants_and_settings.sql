-- What administrators' functions share: roles of messages, roles of the server, values of settings.
begin;
select plan(26);

-- Given
\ir ../refusal.psql
create role granting_one nologin;
create role granting_two nologin;
insert into taisce.project (project_id, name) values (9001, 'north'), (9002, 'south');
insert into taisce.project_grant (project_id, grantee, access) values
(9001, 'granting_one'::regrole, 'write'), (9002, 'granting_one'::regrole, 'admin');
create function pg_temp.roles(list text) returns text language sql as $$
    select pg_temp.refusal(format('select taisce.check_source_roles(%L, ''source_roles'')', list))
$$;

-- Result: check_source_roles
select is(pg_temp.roles('{user}'), 'none', 'one known role will do');
select is(pg_temp.roles('{user,assistant,system,tool,document}'), 'none', 'so will all five');
select is(
    pg_temp.roles('{}'), 'TS005 source_roles: 1 to 5 known roles are needed, 0 given',
    'none is too few, and the argument is named');
select is(
    pg_temp.roles(null), 'TS005 source_roles: 1 to 5 known roles are needed, 0 given', 'null is none');
select is(
    pg_temp.roles('{user,assistant,system,tool,document,user}'),
    'TS005 source_roles: 1 to 5 known roles are needed, 6 given', 'six are too many');
select isnt(pg_temp.roles('{user,null}'), 'none', 'a null among them is refused');
select isnt(pg_temp.roles('{{user},{tool}}'), 'none', 'a table of them is refused');
select isnt(pg_temp.roles('{User}'), 'none', 'case is told apart');
select isnt(pg_temp.roles('{admin}'), 'none', 'an unknown one is refused');
select unalike(pg_temp.roles('{quillwort}'), '%quillwort%', 'and not repeated');

-- Result: grantee_oid
select is(
    taisce.grantee_oid('granting_one'), 'granting_one'::regrole::oid, 'a role by its plain name');
select is(
    pg_temp.refusal($$ select taisce.grantee_oid('"granting_one"') $$),
    'TS005 grantee: there is no role of that name', 'not by its quoted name');
select is(
    pg_temp.refusal($$ select taisce.grantee_oid('public') $$),
    'TS005 grantee: there is no role of that name', 'public is no role to grant to');
select is(
    pg_temp.refusal($$ select taisce.grantee_oid(null) $$),
    'TS005 grantee: there is no role of that name', 'nor is nothing');

-- Result: keep_administrator
select is(
    pg_temp.refusal('select taisce.keep_administrator(9002)'), 'none',
    'a project with an administrator is left as it is');
select is(
    pg_temp.refusal('select taisce.keep_administrator(9001)'),
    'TS005 grantee: nobody would be left with admin access to the project',
    'access to write does not administer');
insert into taisce.project_grant (project_id, grantee, access) values (9001, 4200000000, 'admin');
select isnt(
    pg_temp.refusal('select taisce.keep_administrator(9001)'), 'none',
    'nor does a role that was dropped');
insert into taisce.project_grant (project_id, grantee, access)
values (9001, 'granting_two'::regrole, 'admin');
select is(
    pg_temp.refusal('select taisce.keep_administrator(9001)'), 'none', 'one administrator is enough');

-- Result: setting_integer, setting_interval
select is(taisce.setting_integer('bundle_characters'), 16000, 'a number as it is set');
select is(taisce.setting_interval('clock_skew'), interval '5 minutes', 'a time as it is set');
update taisce.setting set value = '17' where name = 'bundle_characters';
update taisce.setting set value = '90 s' where name = 'clock_skew';
select is(taisce.setting_integer('bundle_characters'), 17, 'a change is seen at once');
select is(taisce.setting_interval('clock_skew'), interval '90 seconds', 'of a time too');
select is(taisce.setting_integer('quillwort'), null::integer, 'an unknown number is null');
select is(taisce.setting_interval('quillwort'), null::interval, 'an unknown time is null');

-- Rights
select is_empty(
    $$ select p.proname from pg_proc as p, aclexplode(p.proacl) as x
       where p.pronamespace = 'taisce'::regnamespace and x.grantee <> p.proowner
         and p.proname in ('check_source_roles', 'grantee_oid', 'keep_administrator',
            'setting_integer', 'setting_interval') $$,
    'only the owner may call them');
select ok(
    taisce.setting_integer('recall_terms') between 1 and 4096, 'the limits are those of the table');

select * from finish();
rollback;
