-- taisce.view_ground: what every view needs to know once.
begin;
select plan(6);

-- Given
create role scope_analyst nologin;
grant taisce_analyst to scope_analyst;
insert into taisce.project (project_id, name) values (9001, 'north');
insert into taisce.project_grant (project_id, grantee, access)
values (9001, 'scope_analyst'::regrole, 'read');

-- Contract
select volatility_is('taisce', 'view_ground', '{}'::text[], 'stable');
select is_definer('taisce', 'view_ground', '{}'::text[]);

-- Rights
select function_privs_are(
    'taisce', 'view_ground', '{}'::text[], 'taisce_analyst', array['EXECUTE'],
    'an analyst, whose views call it, may execute it');
set local role scope_analyst;
select throws_ok(
    $$ select taisce.view_ground() $$, '42501', null, 'yet cannot name it');
reset role;

-- Result
insert into taisce.project_grant (project_id, grantee, access)
values (9001, current_user::regrole, 'read');
select results_eq(
    $$ select project, horizon from taisce.view_ground() $$,
    $$ values ('north', statement_timestamp() + interval '5 minutes') $$,
    'it names the project, and the instant at which current facts have begun');

-- Errors
delete from taisce.project_grant where grantee = current_user::regrole;
select throws_ok(
    $$ select taisce.view_ground() $$, 'TS003', 'unknown_project', 'nothing granted is an error');

select * from finish();
rollback;
