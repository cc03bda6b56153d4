-- What a reader writes who has only a table of edges: two steps from an entity, each edge once.
with recursive edge as materialized (
    select f.subject_id as a, f.object_id as b
    from bench_reference.fact as f
    where f.scope = any (%(scopes)s::bigint[])
      and f.object_id is not null
      and upper_inf(f.valid_during)
      and upper_inf(f.known_during)
),
both_ways as materialized (
    select e.a, e.b from edge as e
    union all
    select e.b, e.a from edge as e
),
around as (
    select %(start)s::uuid as entity_id, 0 as steps
    union
    select b.b, a.steps + 1
    from around as a
    join both_ways as b on b.a = a.entity_id
    where a.steps < %(steps)s
)
select count(*), min(a.steps) filter (where a.entity_id = %(goal)s::uuid)
from around as a
