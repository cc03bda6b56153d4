-- The facts of fact_context by key: names, versions, and the evidence returned, in its context.
select jsonb_agg(
    jsonb_build_object(
        'fact', to_jsonb(f),
        'subject', s.canonical_name,
        'object', o.canonical_name,
        'version', to_jsonb(v),
        'evidence', e.items)
    order by w.place)
from unnest(%(fact_id)s::uuid[]) with ordinality as w (fact_id, place)
cross join lateral (
    select i.*
    from taisce.fact as i
    where i.project_id = %(project_id)s and i.fact_id = w.fact_id
    limit 1
) as f
cross join lateral (
    select i.valid_from, i.valid_to, i.known_from, i.known_to
    from taisce.fact_version as i
    where i.project_id = %(project_id)s and i.fact_id = w.fact_id and i.known_to = 'infinity'
    limit 1
) as v
cross join lateral (
    select i.canonical_name
    from taisce.entity as i
    where i.project_id = %(project_id)s and i.entity_id = f.subject_entity_id
    limit 1
) as s
left join lateral (
    select i.canonical_name
    from taisce.entity as i
    where i.project_id = %(project_id)s and i.entity_id = f.object_entity_id
    limit 1
) as o on true
left join lateral (
    select jsonb_agg(to_jsonb(c) || jsonb_build_object('context', n.context, 'title', b.title))
        as items
    from unnest(%(claims)s::uuid[], %(claim_fact)s::uuid[]) as l (claim_id, fact_id)
    cross join lateral (
        select i.*
        from taisce.claim as i
        where i.project_id = %(project_id)s and i.claim_id = l.claim_id
        limit 1
    ) as c
    cross join lateral (
        select i.content
        from taisce.message as i
        where i.project_id = %(project_id)s
          and i.observation_id = c.observation_id
          and i.ordinal = c.ordinal
        limit 1
    ) as m
    cross join lateral (
        select i.title
        from taisce.observation as i
        where i.project_id = %(project_id)s and i.observation_id = c.observation_id
        limit 1
    ) as b
    cross join lateral memory_v1.evidence_window(m.content, c.byte_start, c.byte_end) as n
    where l.fact_id = w.fact_id
) as e on true
