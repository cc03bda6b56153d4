-- The claims and passages of testimony_context by key, claims in their context.
select jsonb_build_object(
    'claims', (
        select jsonb_agg(to_jsonb(c) || jsonb_build_object('context', n.context, 'title', b.title))
        from unnest(%(claims)s::uuid[]) as w (claim_id)
        cross join lateral (
            select i.*
            from taisce.claim as i
            where i.project_id = %(project_id)s and i.claim_id = w.claim_id
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
    ),
    'passages', (
        select jsonb_agg(to_jsonb(m) || jsonb_build_object('title', b.title))
        from unnest(%(passages)s::uuid[]) as w (passage_id)
        cross join lateral (
            select i.*
            from taisce.message as i
            where i.project_id = %(project_id)s and i.passage_id = w.passage_id
            limit 1
        ) as m
        cross join lateral (
            select i.title
            from taisce.observation as i
            where i.project_id = %(project_id)s and i.observation_id = m.observation_id
            limit 1
        ) as b
    )
)
