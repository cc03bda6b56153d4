-- requires: recall/walk.sql
-- taisce.render_facts(project_id, facts, anchor_names, roles, subject, evidence_per_fact, scope)
-- Facts of a walk with their names and their earliest visible evidence, each quote in its context.
-- A fact without visible evidence is left out.
-- Returns: one row a fact in the order given: place, item as in recall/v1 (without co_derived_with),
-- cost in code points, whether a context was missing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.render_facts(
    project_id bigint,
    facts taisce.walk_fact[],
    anchor_names text[],
    roles text[],
    subject text,
    evidence_per_fact integer,
    scope taisce.time_scope
)
returns table (place bigint, fact_id uuid, item jsonb, cost integer, released boolean)
language plpgsql
stable
parallel safe
rows 64
as $func$
declare
    v_live constant boolean := render_facts.scope.live;
    v_valid_from_max constant timestamptz := render_facts.scope.valid_from_max;
    v_valid_to_min constant timestamptz := render_facts.scope.valid_to_min;
    v_replaced_to_min constant timestamptz := render_facts.scope.replaced_to_min;
    v_known_from_max constant timestamptz := render_facts.scope.known_from_max;
    v_known_to_min constant timestamptz := render_facts.scope.known_to_min;
    v_linked_max constant timestamptz := render_facts.scope.linked_max;
    v_read_at constant timestamptz := render_facts.scope.read_at;
begin
    return query
    select
        w.place,
        w.fact_id,
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
            'valid_from', nullif(w.valid_from, '-infinity'),
            'valid_until', nullif(w.valid_to, 'infinity'),
            'known_from', nullif(w.known_from, '-infinity'),
            'known_until', nullif(w.known_to, 'infinity'),
            'anchored_on', render_facts.anchor_names[w.anchor],
            'source_role', f.source_role,
            'support', f.support,
            'hops', w.hops,
            'path', to_jsonb(r.path),
            'via', to_jsonb(r.via),
            'contradicts', coalesce(c.fact_ids, '[]'),
            'evidence', e.items,
            'evidence_total', e.total
        ),
        (
            char_length(s.canonical_name)
            + coalesce(char_length(f.predicate), 0)
            + coalesce(char_length(o.canonical_name), char_length(f.object_value), 0)
            + char_length(f.statement)
            + char_length(f.source_role)
            + e.characters
            + char_length(array_to_string(r.path, '') || array_to_string(r.via, ''))
        )::integer,
        e.released
    from unnest(render_facts.facts) with ordinality as w (
        fact_id, hops, anchor, subject_id, predicate, object_id, valid_from, valid_to, known_from,
        known_to, source_role, first_fact, middle, far, first_predicate, place
    )
    join taisce.fact as f
        on f.project_id = render_facts.project_id
        and f.fact_id = w.fact_id
    join taisce.entity as s
        on s.project_id = render_facts.project_id
        and s.entity_id = f.subject_entity_id
    left join taisce.entity as o
        on o.project_id = render_facts.project_id
        and o.entity_id = f.object_entity_id
    left join taisce.entity as m
        on m.project_id = render_facts.project_id
        and m.entity_id = w.middle
    left join taisce.entity as x
        on x.project_id = render_facts.project_id
        and x.entity_id = w.far
    cross join lateral (
        select
            case
                when w.hops = 1 then '{}'
                else array_remove(
                    array[render_facts.anchor_names[w.anchor], m.canonical_name, x.canonical_name],
                    null)
            end as path,
            case
                when w.hops = 1 then '{}'
                else array[coalesce(w.first_predicate, ''), coalesce(w.predicate, '')]
            end as via
    ) as r
    cross join lateral (
        select
            jsonb_agg(
                jsonb_build_object(
                    'claim_id', q.claim_id,
                    'observation_id', q.observation_id,
                    'ordinal', q.ordinal,
                    'role', q.role,
                    'quote', q.quote,
                    'byte_start', q.byte_start,
                    'byte_end', q.byte_end,
                    'context', (q.span).context,
                    'context_start', (q.span).context_start,
                    'context_complete', (q.span).context_complete
                )
                order by q.log_offset, q.ordinal, q.byte_start, q.claim_id
            ) as items,
            max(q.total) as total,
            sum(char_length(q.quote) + char_length((q.span).context)) as characters,
            bool_or(q.content_gone) as released
        from (
            select
                v.*,
                k.quote,
                k.byte_end,
                p.content is null as content_gone,
                memory_v1.evidence_window(p.content, v.byte_start, k.byte_end) as span
            from (
                select
                    l.claim_id,
                    l.observation_id,
                    l.log_offset,
                    l.ordinal,
                    l.byte_start,
                    l.role,
                    count(*) over () as total
                from taisce.fact_evidence as l
                where l.project_id = render_facts.project_id
                  and l.fact_id = w.fact_id
                  and l.stance = 'supports'
                  and l.role = any (render_facts.roles)
                  and (
                    render_facts.subject is null
                    or l.data_subject_id = render_facts.subject
                  )
                  and l.retention_until > v_read_at
                  and l.linked_at <= v_linked_max
                order by l.log_offset, l.ordinal, l.byte_start, l.claim_id
                limit render_facts.evidence_per_fact
            ) as v
            join taisce.claim as k
                on k.project_id = render_facts.project_id
                and k.claim_id = v.claim_id
            join taisce.message as p
                on p.project_id = render_facts.project_id
                and p.observation_id = v.observation_id
                and p.ordinal = v.ordinal
        ) as q
    ) as e
    left join lateral (
        select jsonb_agg(g.fact_id order by g.fact_id) as fact_ids
        from taisce.fact as g
        where f.contradiction_group is not null
          and g.project_id = render_facts.project_id
          and g.contradiction_group = f.contradiction_group
          and g.fact_id <> f.fact_id
          and g.source_role = any (render_facts.roles)
          and (render_facts.subject is null or g.data_subject_id = render_facts.subject)
          and exists (
            select
            from taisce.fact_version as b
            where b.project_id = render_facts.project_id
              and b.fact_id = g.fact_id
              and (b.live or not v_live)
              and b.valid_from <= v_valid_from_max
              and b.valid_to >= case when b.replaced then v_replaced_to_min else v_valid_to_min end
              and b.known_from <= v_known_from_max
              and b.known_to >= v_known_to_min
              and b.retention_until > v_read_at
          )
    ) as c on true
    where e.items is not null
    order by w.place;
end
$func$;
comment on function taisce.render_facts(
    bigint, taisce.walk_fact[], text[], text[], text, integer, taisce.time_scope
) is 'Facts of a walk as recall/v1 items, with their earliest visible evidence in context.';
revoke all on function taisce.render_facts(
    bigint, taisce.walk_fact[], text[], text[], text, integer, taisce.time_scope
) from public;
