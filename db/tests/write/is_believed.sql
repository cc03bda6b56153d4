-- taisce.is_believed: whether a fact is believed now.
begin;
select plan(6);

-- Given
\set writer believed_writer
\set reader believed_reader
\ir memory.psql
select pg_temp.live('Cork', 2020);
create function pg_temp.believed(project_id bigint default null) returns boolean language sql as $$
    select taisce.is_believed(coalesce(believed.project_id, f.project_id), f.fact_id)
    from taisce.fact as f
$$;

-- Result
select ok(pg_temp.believed(), 'a fact that was asserted is believed');
select is(pg_temp.believed(-1), false, 'in its own project only');
update taisce.fact_version set valid_to = '2021-01-01Z';
select ok(pg_temp.believed(), 'also when what it says is over');
select memory_v1.retract_fact(pg_temp.fact('Cork'));
select is(pg_temp.believed(), false, 'one that was retracted is not');
select is(
    taisce.is_believed(f.project_id, gen_random_uuid()), false, 'nor one that there is not')
from taisce.fact as f;

-- Rights
select is_empty(
    $$ select x.grantee from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid = 'taisce.is_believed'::regproc and x.grantee <> p.proowner $$,
    'only the owner may call it');

select * from finish();
rollback;
