-- The rows and evidence of an answer, fetched by primary key and made into the same jsonb.
-- What a walk alone can know (hops, route, relations within the answer) is handed in.
select coalesce(
    jsonb_agg(
        jsonb_build_object(
            'fact_id', f.fact_id,
            'kind', f.kind,
            'subject', s.canonical_name,
            'subject_id', f.subject_entity_id,
            'predicate', f.predicate,
            'object', o.canonical_name,
            'object_id', f.object_entity_id,
            'value', f.object_value,
            'statement', f.statement,
            'confidence', f.confidence,
            'valid_from', nullif(v.valid_from, '-infinity'),
            'valid_until', nullif(v.valid_to, 'infinity'),
            'known_from', nullif(v.known_from, '-infinity'),
            'known_until', nullif(v.known_to, 'infinity'),
            'anchored_on', w.anchored_on,
            'source_role', f.source_role,
            'support', f.support,
            'hops', w.hops,
            'path', w.path,
            'via', w.via,
            'co_derived_with', w.co_derived_with,
            'contradicts', w.contradicts,
            'evidence', jsonb_build_array(jsonb_build_object(
                'claim_id', k.claim_id,
                'observation_id', k.observation_id,
                'ordinal', k.ordinal,
                'role', k.role,
                'quote', k.quote,
                'byte_start', k.byte_start,
                'byte_end', k.byte_end,
                'context', convert_from(
                    substr(convert_to(m.content, 'UTF8'), w.context_start + 1, w.context_bytes),
                    'UTF8'),
                'context_start', w.context_start,
                'context_complete', w.context_bytes = m.octets
            )),
            'evidence_total', w.evidence_total
        )
        order by w.place
    ),
    '[]')
from unnest(
    %(fact_id)s::uuid[], %(known_from)s::timestamptz[], %(claim_id)s::uuid[],
    %(context_start)s::integer[], %(context_bytes)s::integer[], %(evidence_total)s::bigint[],
    %(anchored_on)s::text[], %(hops)s::integer[], %(path)s::jsonb[], %(via)s::jsonb[],
    %(co_derived_with)s::jsonb[], %(contradicts)s::jsonb[]
) with ordinality as w (
    fact_id, known_from, claim_id, context_start, context_bytes, evidence_total, anchored_on, hops,
    path, via, co_derived_with, contradicts, place
)
join taisce.fact as f
    on f.project_id = %(project_id)s and f.fact_id = w.fact_id
join taisce.fact_version as v
    on v.project_id = %(project_id)s and v.fact_id = w.fact_id and v.known_from = w.known_from
join taisce.entity as s
    on s.project_id = %(project_id)s and s.entity_id = f.subject_entity_id
left join taisce.entity as o
    on o.project_id = %(project_id)s and o.entity_id = f.object_entity_id
join taisce.claim as k
    on k.project_id = %(project_id)s and k.claim_id = w.claim_id
join taisce.message as m
    on m.project_id = %(project_id)s
    and m.observation_id = k.observation_id
    and m.ordinal = k.ordinal
