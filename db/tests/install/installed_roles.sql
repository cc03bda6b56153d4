-- taisce.installed_roles: the roles of the package, their memberships and default privileges.
begin;
select plan(7);

-- Given
create role roles_other nologin;
create role roles_member nologin;
create schema outside;
create function pg_temp.run(statement text) returns void language plpgsql as $$
begin
    execute statement;
end $$;
create function pg_temp.roles(class text) returns text language sql as $$
    select string_agg(concat_ws(': ', i.identity, i.definition), '; ' order by i.identity)
    from taisce.installed_roles() as i where i.class = roles.class
$$;

-- Result
select is(
    (select array_agg(i.identity order by i.identity) from taisce.installed_roles() as i
     where i.class = 'role'),
    array['taisce_admin', 'taisce_analyst', 'taisce_owner', 'taisce_reader', 'taisce_writer'],
    'the five roles of the package');
create temporary table usual as
select i.class || i.identity as what from taisce.installed_roles() as i;
grant taisce_reader to roles_member;
grant roles_other to taisce_reader;
alter role taisce_reader in database :"DBNAME" set work_mem = '5MB';
alter default privileges in schema taisce grant select on tables to roles_other;
alter default privileges in schema outside grant select on tables to roles_other;
select is(
    (select array_agg(concat_ws(': ', i.class, i.identity) order by i.class)
     from taisce.installed_roles() as i
     where i.class || i.identity not in (select u.what from usual as u)),
    array['default privileges: tables of ' || current_user || ' in taisce',
        'membership: taisce_reader in roles_other'],
    'what they are members of and default rights in the schemas, not who is a member of them');
select is(pg_temp.roles('role') ~ 'taisce_reader: [^;]*, here work_mem=5MB', true,
    'and their settings in this database');
select is(
    pg_temp.roles('role') ~ 'taisce_reader: nosuperuser, (no)?inherit, nocreaterole, nocreatedb, nologin, noreplication, nobypassrls, connection limit -1, here',
    true, 'after what they may');
select is(
    (select i.definition from taisce.installed_roles() as i
     where i.identity = 'taisce_reader in roles_other'),
    'member', 'a member without the right to make others');
select pg_temp.run(i.undo) from taisce.installed_roles() as i
where i.class <> 'role' and i.class || i.identity not in (select u.what from usual as u);
select is(
    (select count(*) from taisce.installed_roles() as i
     where i.class || i.identity not in (select u.what from usual as u)),
    0::bigint, 'what undoes them takes them away');
select pg_temp.run('grant roles_other to taisce_reader with admin option');
select is(
    (select i.definition from taisce.installed_roles() as i
     where i.identity = 'taisce_reader in roles_other'),
    'admin', 'or with it');

select * from finish();
rollback;
