-- After the walk: the facts alone, with names.
select
    o.hops, f.fact_id, s.canonical_name, f.predicate, coalesce(b.canonical_name, f.value),
    f.statement, f.source_role, f.valid_during
from once as o
join bench_reference.fact as f on f.fact_id = o.fact_id
join taisce.entity as s on s.project_id = f.scope and s.entity_id = f.subject_id
left join taisce.entity as b on b.project_id = f.scope and b.entity_id = f.object_id
order by o.hops, f.predicate collate "C" nulls last, f.fact_id
limit 201
