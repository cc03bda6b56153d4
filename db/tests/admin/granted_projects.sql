-- taisce.granted_projects: the one function that every row security policy asks.
begin;
select plan(33);

-- Given
create role granted_person login noinherit;
create role granted_member login inherit;
create role granted_pool login noinherit;
create role granted_team nologin;
create role granted_gone nologin;
grant taisce_reader to granted_member;
grant granted_team to granted_member, granted_pool;
grant taisce_reader to granted_team;
create role granted_root superuser login;

insert into taisce.project (project_id, name, status) values
(9001, 'granted to a team', 'active'),
(9002, 'granted to a person', 'active'),
(9003, 'suspended', 'suspended'),
(9004, 'granted to nobody', 'active'),
(9005, 'granted to a role that goes', 'active');
insert into taisce.project_grant (project_id, grantee, access, suspended) values
(9001, 'granted_team'::regrole, 'write', false),
(9002, 'granted_person'::regrole, 'read', false),
(9002, 'granted_team'::regrole, 'admin', false),
(9003, 'granted_team'::regrole, 'admin', true),
(9003, 'granted_person'::regrole, 'read', true),
(9005, 'granted_gone'::regrole, 'read', false);
drop role granted_gone;

-- As somebody who logged in and then, perhaps, took a role.
create function pg_temp.seen(login text, role text, access text) returns bigint[]
language plpgsql as $$
declare
    v_me constant text := session_user;
    v_seen bigint[];
begin
    perform set_config('session_authorization', login, true);
    perform set_config('role', role, true);
    v_seen := taisce.granted_projects(access);
    perform set_config('session_authorization', v_me, true);
    return array(select p from unnest(v_seen) as p where p > 9000 order by p);
end $$;
create function pg_temp.policy_sees(login text, role text) returns bigint[]
language plpgsql as $$
declare
    v_me constant text := session_user;
    v_seen bigint[];
begin
    perform set_config('session_authorization', login, true);
    perform set_config('role', role, true);
    execute 'select array_agg(project_id order by project_id) from taisce.project' into v_seen;
    perform set_config('session_authorization', v_me, true);
    return v_seen;
end $$;
grant usage on schema taisce to taisce_reader, granted_person;
grant execute on function taisce.granted_projects(text) to granted_person;

-- Contract
select has_function('taisce', 'granted_projects', array['text'], 'it takes an access');
select function_returns('taisce', 'granted_projects', array['text'], 'bigint[]');
select volatility_is('taisce', 'granted_projects', array['text'], 'stable');
select is_definer('taisce', 'granted_projects', array['text']);

-- Rights
select function_privs_are(
    'taisce', 'granted_projects', array['text'], 'taisce_reader', array['EXECUTE'],
    'policies of views run as the reader, who may therefore ask it');
select function_privs_are(
    'taisce', 'granted_projects', array['text'], 'taisce_analyst', array['EXECUTE'],
    'an analyst may ask it');
select function_privs_are(
    'taisce', 'granted_projects', array['text'], 'taisce_writer', array['EXECUTE'],
    'a writer may ask it');
select function_privs_are(
    'taisce', 'granted_projects', array['text'], 'public', '{}'::text[], 'the public may not');

-- Result
select is(
    pg_temp.seen('granted_member', 'none', 'read'), array[9001, 9002]::bigint[],
    'a member of a team reads what is granted to the team');
select is(
    pg_temp.seen('granted_member', 'none', 'write'), array[9001, 9002]::bigint[],
    'write and admin access may write');
select is(
    pg_temp.seen('granted_member', 'none', 'admin'), array[9002]::bigint[],
    'only admin access administers');
select is(
    pg_temp.seen('granted_member', 'none', 'manage'), array[9002, 9003]::bigint[],
    'who administers a project manages it while it is suspended');
select is(
    pg_temp.seen('granted_member', 'none', 'any'), array[9001, 9002, 9003]::bigint[],
    'any access counts suspended projects');
select is(
    pg_temp.seen('granted_person', 'none', 'read'), array[9002]::bigint[],
    'a person reads what is granted to him, and not what is suspended');
select is(
    pg_temp.seen('granted_person', 'none', 'write'), '{}'::bigint[], 'read access writes nothing');
select is(
    pg_temp.seen('granted_person', 'none', 'manage'), '{}'::bigint[],
    'read access manages nothing');
select is(
    pg_temp.seen('granted_member', 'taisce_reader', 'read'), '{}'::bigint[],
    'whoever takes a role has the grants of that role and no longer his own');
select is(
    pg_temp.seen('granted_member', 'granted_team', 'read'), array[9001, 9002]::bigint[],
    'a role taken brings its grants');
select is(
    pg_temp.seen('granted_pool', 'granted_team', 'read'), array[9001, 9002]::bigint[],
    'a pool that takes the role of a team sees what the team sees');
select is(
    pg_temp.seen('granted_member', 'none', 'nonsense'), '{}'::bigint[],
    'an unknown access grants nothing');
select is(
    pg_temp.seen('granted_member', 'none', null), '{}'::bigint[], 'no access grants nothing');
select is(
    pg_temp.seen('granted_root', 'none', 'any'), '{}'::bigint[],
    'a superuser is a member of every role and has no grant by that');
insert into taisce.project_grant (project_id, grantee, access) values
(9004, 'granted_root'::regrole, 'read');
select is(
    pg_temp.seen('granted_root', 'none', 'read'), array[9004]::bigint[],
    'a superuser has what is granted to him by name');
select is(
    pg_temp.seen('granted_root', 'granted_team', 'read'), array[9001, 9002]::bigint[],
    'a superuser who takes a role has the grants of the role');
delete from taisce.project_grant where project_id = 9004;
select is(
    pg_temp.seen('granted_member', 'none', 'any'), array[9001, 9002, 9003]::bigint[],
    'a grant of a role that was dropped breaks nobody else''s');

-- A login without inheritance has no rights of its groups; only what is granted to him counts.
grant usage on schema taisce to granted_pool;
grant execute on function taisce.granted_projects(text) to granted_pool;
select is(
    pg_temp.seen('granted_pool', 'none', 'any'), '{}'::bigint[],
    'a pool login sees nothing before it takes a role');

-- What the policies make of it
select is(
    pg_temp.policy_sees('granted_root', 'taisce_owner'), null::bigint[],
    'the owner of the tables sees no project without a grant');
grant select on taisce.project to granted_team, granted_person, granted_pool;
select is(
    pg_temp.policy_sees('granted_member', 'granted_team'), array[9001, 9002, 9003]::bigint[],
    'projects themselves are visible with any access');
select is(
    pg_temp.policy_sees('granted_pool', 'none'), null::bigint[],
    'and to a pool login none is');
select is(
    (
        select count(*) from pg_policy as p
        where pg_get_expr(p.polqual, p.polrelid) like '%granted_projects(%'
           or pg_get_expr(p.polwithcheck, p.polrelid) like '%granted_projects(%'
    ),
    (
        select count(*) from pg_policy as p
        join pg_class as c on c.oid = p.polrelid
        where c.relnamespace = 'taisce'::regnamespace and c.relname <> 'project_grant'
    ),
    'every policy but that of the grants themselves asks it');
select is(
    (
        select array_agg(pg_get_expr(p.polqual, p.polrelid)) from pg_policy as p
        where p.polrelid = 'taisce.project_grant'::regclass
    ),
    array['true'], 'the grants have the policy that ends the recursion');
select is_empty(
    $$ select x.grantee from pg_class as c, aclexplode(c.relacl) as x
       where c.oid = 'taisce.project_grant'::regclass and x.grantee <> c.relowner $$,
    'and nobody but the owner has a right on them');

-- Errors
select throws_ok(
    $$ select pg_temp.seen('granted_person', 'granted_team', 'read') $$, '42501', null,
    'a role that was not given cannot be taken');

select * from finish();
rollback;
