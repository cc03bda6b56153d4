-- After the walk: the first evidence of each fact in 160 bytes of context; names by entity.
select
    o.hops, f.fact_id, s.canonical_name, f.predicate, coalesce(b.canonical_name, f.value),
    f.statement, f.source_role, f.valid_during, e.claim_id, k.quote, k.byte_start,
    substr(
        convert_to(m.content, 'UTF8'), greatest(k.byte_start - 160, 0) + 1,
        k.byte_end - greatest(k.byte_start - 160, 0) + 160)
from once as o
join bench_reference.fact as f on f.fact_id = o.fact_id
join taisce.entity as s on s.project_id = f.scope and s.entity_id = f.subject_id
left join taisce.entity as b on b.project_id = f.scope and b.entity_id = f.object_id
cross join lateral (
    select i.claim_id, i.observation_id, i.ordinal
    from taisce.fact_evidence as i
    where i.project_id = f.scope
      and i.fact_id = f.fact_id
      and i.stance = 'supports'
    order by i.log_offset, i.ordinal, i.byte_start
    limit 1
) as e
join taisce.claim as k on k.project_id = f.scope and k.claim_id = e.claim_id
join taisce.message as m
    on m.project_id = f.scope and m.observation_id = e.observation_id and m.ordinal = e.ordinal
order by o.hops, f.predicate collate "C" nulls last, f.fact_id
limit 201
