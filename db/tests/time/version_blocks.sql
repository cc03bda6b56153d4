-- taisce.build_blocks and widen_blocks: where past reads need not look.
begin;
select plan(13);

-- Given
select memory_v1.create_project('north');
insert into memory_v1.load_stage (line, body) values
(1, '{"type": "observation", "key": "o1", "data_subject_id": "s1", "messages": [
      {"role": "user", "content": "Ann met many people in Cork."}]}');
insert into memory_v1.load_stage (line, body)
select 1 + n, jsonb_build_object(
    'type', 'fact', 'key', 'f' || n, 'subject', 'Ann', 'predicate', 'met',
    'object', 'Person ' || n, 'statement', 'Ann met ' || n,
    'valid_from', (timestamptz '2000-01-01Z' + n * interval '1 year'),
    'evidence', '[{"observation": "o1", "quote": "Ann met many people"}]'::jsonb)
from generate_series(1, 9) as n;
select memory_v1.load('north');
create temporary view home as
select p.project_id from taisce.project as p where p.name = 'north';
-- Versions, in a direction, that have a block though none of it reaches as far as they do.
create temporary view outside as
select v.fact_id, e.direction
from taisce.fact_version as v
cross join lateral (
    values ('subject', v.subject_entity_id), ('object', v.object_entity_id)
) as e (direction, entity_id)
cross join lateral (values (''), (v.data_subject_id)) as s (data_subject_id)
cross join lateral (
    select b.*
    from taisce.version_block as b
    where b.project_id = v.project_id
      and b.entity_id = e.entity_id
      and b.direction = e.direction
      and b.data_subject_id = s.data_subject_id
      and b.source_role = v.source_role
      and b.live = v.live
      and b.last_fact >= v.fact_id
    order by b.last_fact
    limit 1
) as b
where v.project_id = (select project_id from home)
  and not (
    b.after_fact < v.fact_id
    and b.valid_from_min <= v.valid_from
    and b.valid_to_max >= v.valid_to
    and b.known_from_min <= v.known_from
    and b.known_to_max >= v.known_to
    and b.either_to_max >= least(v.valid_to, v.known_to)
    and (v.known_to < 'infinity' or b.believed_to_max >= v.valid_to)
);

-- Contract
select volatility_is(
    'taisce', 'build_blocks', array['bigint', 'integer', 'integer'], 'volatile');
select function_returns('taisce', 'widen_blocks', '{}'::text[], 'trigger');

-- Rights
select is_empty(
    $$ select p.proname from pg_proc as p, aclexplode(p.proacl) as x
       where p.oid in ('taisce.build_blocks'::regproc, 'taisce.widen_blocks'::regproc)
         and x.grantee <> p.proowner $$,
    'only the owner may call them');

-- Result
select is(
    taisce.build_blocks((select project_id from home), 10, 3), 0::bigint,
    'an entity of few versions has no blocks');
select is(
    taisce.build_blocks((select project_id from home), 9, 3), 6::bigint,
    'nine facts in threes, of all subjects and of one');
select is(
    taisce.build_blocks((select project_id from home), 9, 1), 6::bigint,
    'a block is never smaller than the root of all');
select is(
    taisce.build_blocks((select project_id from home), 9, 9), 2::bigint, 'nor than was asked');
select is(
    taisce.build_blocks((select project_id from home), 9, 3), 6::bigint,
    'they are made anew each time');
select is_empty('select * from outside', 'every version is within its block');
select is_empty(
    $$ select from taisce.version_block as b
       where b.project_id <> (select project_id from home) $$,
    'no other project has any');

update taisce.fact_version as v
set valid_from = '1900-01-01Z'
where v.project_id = (select project_id from home)
  and v.fact_id = (
    select min(w.fact_id::text)::uuid from taisce.fact_version as w
    where w.project_id = (select project_id from home));
select is_empty('select * from outside', 'a version that changes widens its block');
select is(
    (select count(*)::integer from taisce.version_block as b
     where b.project_id = (select project_id from home) and b.valid_from_min = '1900-01-01Z'), 2,
    'that one, and no other');
select memory_v1.retract_fact(
    (select min(f.fact_id::text)::uuid from taisce.fact as f
     where f.project_id = (select project_id from home)), project => 'north');
select is_empty('select * from outside', 'so does one that is written, or becomes past');

select * from finish();
rollback;
