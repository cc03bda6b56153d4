-- Rules that every object of the memory keeps, read from the catalogue.
begin;
select plan(22);

create temporary view ours as
select p.oid, p.oid::regprocedure::text as signature, n.nspname as home, p.proname as name,
    p.provolatile, p.prosecdef, p.proowner, p.proconfig,
    case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid) end as definition,
    coalesce(p.proacl, acldefault('f', p.proowner)) as acl
from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace
where n.nspname in ('taisce', 'memory_v1');

create temporary view relations as
select c.oid, c.oid::regclass::text as name, n.nspname as home, c.relkind, c.relowner,
    c.relrowsecurity, c.relforcerowsecurity, c.relispartition,
    coalesce(c.relacl, acldefault(
        case when c.relkind = 'S' then 's' else 'r' end::"char", c.relowner)) as acl,
    exists (
        select from pg_attribute as a
        where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    ) as of_project
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname in ('taisce', 'memory_v1') and c.relkind in ('r', 'p', 'v', 'm', 'S');

-- Described
select is_empty(
    $$ select signature from ours where obj_description(oid, 'pg_proc') is null $$,
    'every function has a comment');
select is_empty(
    $$ select name from relations
       where home = 'memory_v1' and obj_description(oid, 'pg_class') is null $$,
    'every view has a comment');
select is_empty(
    $$ select r.name || '.' || a.attname
       from relations as r
       join pg_attribute as a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
       where r.home = 'memory_v1' and r.relkind = 'v'
         and col_description(r.oid, a.attnum) is null $$,
    'every column of a view has a comment');
select is_empty(
    $$ select t.oid::regtype::text
       from pg_type as t
       join pg_class as c on c.oid = t.typrelid and c.relkind = 'c'
       where t.typnamespace = 'memory_v1'::regnamespace
         and obj_description(t.oid, 'pg_type') is null $$,
    'every row type of the contract has a comment');

-- Owned
select is_empty(
    $$ select n.nspname, r.rolname
       from pg_namespace as n join pg_roles as r on r.oid = n.nspowner
       where n.nspname in ('taisce', 'memory_v1')
         and (r.rolsuper or r.rolbypassrls or r.rolcanlogin) $$,
    'the owner of both schemas is no superuser, does not bypass row security, cannot log in');
select is_empty(
    $$ select signature from ours where proowner <> (
           select nspowner from pg_namespace where nspname = 'taisce')
       union all
       select name from relations where relowner <> (
           select nspowner from pg_namespace where nspname = 'taisce') $$,
    'everything belongs to that owner');

-- Reached
select is_empty(
    $$ select o.signature from ours as o, aclexplode(o.acl) as x where x.grantee = 0 $$,
    'PUBLIC may execute no function');
select is_empty(
    $$ select r.name from relations as r, aclexplode(r.acl) as x where x.grantee = 0 $$,
    'PUBLIC has no right on a table, view or sequence');
select is_empty(
    $$ select x.grantee::regrole::text
       from pg_namespace as n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) as x
       where n.nspname = 'taisce' and x.grantee <> n.nspowner $$,
    'nobody but the owner may use schema taisce');
select is_empty(
    $$ select n.nspname, x.grantee
       from pg_namespace as n, aclexplode(n.nspacl) as x
       where n.nspname = 'memory_v1' and x.grantee <> n.nspowner
         and (x.grantee = 0 or x.privilege_type <> 'USAGE') $$,
    'nobody but the owner may create in schema memory_v1');
select is_empty(
    $$ select r.name from relations as r, aclexplode(r.acl) as x
       where r.home = 'taisce' and x.grantee <> r.relowner
         and not (x.privilege_type = 'INSERT') $$,
    'nobody but the owner may read a table');
select is_empty(
    $$ select r.name from relations as r, aclexplode(r.acl) as x
       where r.relispartition and x.grantee <> r.relowner $$,
    'no grant names a partition');

-- Guarded
select is_empty(
    $$ select name from relations
       where of_project and relkind in ('r', 'p') and not relispartition
         and not (relrowsecurity and relforcerowsecurity)
         and name not like '%staging%' $$,
    'row security is on and forced wherever rows belong to a project');
select is_empty(
    $$ select r.name from relations as r
       where r.of_project and r.relkind in ('r', 'p') and r.relrowsecurity
         and not exists (select from pg_policy as w where w.polrelid = r.oid) $$,
    'each of those has a policy');
select is_empty(
    $$ select r.name, i.indexrelid::regclass
       from relations as r
       join pg_index as i on i.indrelid = r.oid and i.indisunique
       where r.of_project and r.relkind in ('r', 'p') and r.name <> 'taisce.project'
         and not exists (
           select from unnest(i.indkey) as k (number)
           join pg_attribute as a on a.attrelid = r.oid and a.attnum = k.number
           where a.attname = 'project_id') $$,
    'every unique key of such a table carries project_id');
select is_empty(
    $$ select signature from ours
       where prosecdef and not coalesce(
           'search_path=pg_catalog, pg_temp' = any (proconfig), false) $$,
    'what runs as the owner pins its search_path');
select is_empty(
    $$ select signature from ours
       where prosecdef and home = 'memory_v1'
         and not coalesce('row_security=on' = any (proconfig), false) $$,
    'entry points that run as the owner keep row security on');
select is_empty(
    $$ select signature from ours
       where prosecdef and home = 'taisce' and name <> 'granted_projects'
         and not exists (
           select from aclexplode(acl) as x where x.grantee <> ours.proowner) $$,
    'helpers run as the caller');
select is_empty(
    $$ select signature from ours
       where definition ~* 'exception\s+when\s+others|\mwhen others\M'
          or definition ~ 'pg_temp\.' $$,
    'no function swallows every error or reads a temporary schema');

-- Reading
select is_empty(
    $$ select o.signature
       from ours as o, aclexplode(o.acl) as x
       where o.home = 'memory_v1'
         and x.grantee::regrole::text ~ '_reader$'
         and o.provolatile = 'v'
         and o.name not in ('report_feedback', 'audit_record') $$,
    'what a reader may call is STABLE or IMMUTABLE, save what only appends');
select is_empty(
    $$ select o.signature || ' calls ' || v.signature
       from ours as o
       join ours as v on v.provolatile = 'v'
       where o.provolatile <> 'v'
         and o.definition ~ ('\m' || v.home || '\.' || v.name || '\s*\(') $$,
    'nothing STABLE calls anything VOLATILE, which would tear its snapshot');
select is_empty(
    $$ select o.signature
       from ours as o
       join pg_proc as p on p.oid = o.oid
       where o.home = 'memory_v1' and p.prokind = 'f' and p.proparallel = 'u'
         and o.provolatile <> 'v' $$,
    'reads say whether they may run in parallel');

select * from finish();
rollback;
