-- requires: recall/walk.sql
-- taisce.render_facts(project_id, facts, anchor_names, roles, subject, evidence_per_fact, scope)
-- Facts of a walk with their names and their earliest visible evidence, each quote in its context.
-- A fact without visible evidence is left out.
-- Returns: one row a fact in the order given: place, item as in recall/v1 (co_derived_with is empty
-- yet), cost in code points, whether a context was missing, and what co_derived reads: who is said
-- something of in which messages.   Runs as: invoker.   Since: 0.1

create or replace function taisce.render_facts(
    project_id bigint,
    facts taisce.walk_fact[],
    anchor_names text[],
    roles text[],
    subject text,
    evidence_per_fact integer,
    scope taisce.time_scope
)
returns table (
    place bigint, fact_id uuid, item jsonb, cost integer, released boolean, said text
)
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
            'path', r.path,
            'via', r.via,
            'contradicts', case
                when f.contradiction_group is null then '{}'
                else array(
                    select g.fact_id
                    from (
                        select i.fact_id, i.source_role, i.data_subject_id
                        from taisce.fact as i
                        where i.project_id = render_facts.project_id
                          and i.contradiction_group = f.contradiction_group
                        offset 0
                    ) as g
                    cross join lateral (
                        select
                        from taisce.fact_version as b
                        where b.project_id = render_facts.project_id
                          and b.fact_id between g.fact_id and g.fact_id
                          and (b.live or not v_live)
                          and b.valid_from <= v_valid_from_max
                          and b.valid_to >= case
                            when b.replaced then v_replaced_to_min else v_valid_to_min end
                          and b.known_from <= v_known_from_max
                          and b.known_to >= v_known_to_min
                          and b.retention_until > v_read_at
                        order by b.fact_id
                        limit 1
                    ) as seen
                    where g.fact_id <> f.fact_id
                      and g.source_role = any (render_facts.roles)
                      and (render_facts.subject is null or g.data_subject_id = render_facts.subject)
                    order by g.fact_id
                )
            end,
            'evidence', e.items,
            'evidence_total', l.total,
            'co_derived_with', '[]'::jsonb
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
        e.released,
        l.said
    from unnest(render_facts.facts) with ordinality as w (
        fact_id, hops, anchor, subject_id, predicate, object_id, valid_from, valid_to, known_from,
        known_to, source_role, first_fact, middle, far, first_predicate, place
    )
    -- Each lateral read is one probe by key: its limit leaves the planner nothing to reorder.
    cross join lateral (
        select i.*
        from taisce.fact as i
        where i.project_id = render_facts.project_id
          and i.fact_id between w.fact_id and w.fact_id
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = render_facts.project_id
          and i.entity_id between f.subject_entity_id and f.subject_entity_id
        order by i.entity_id
        limit 1
    ) as s
    left join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = render_facts.project_id
          and i.entity_id between f.object_entity_id and f.object_entity_id
        order by i.entity_id
        limit 1
    ) as o on true
    cross join lateral (
        select
            case
                when w.hops = 1 then '{}'
                else array_remove(
                    array[
                        render_facts.anchor_names[w.anchor],
                        case when w.middle is not null then (
                            select taisce.known_as(
                                i.canonical_name, i.name_until, i.project_id, i.entity_id,
                                statement_timestamp())
                            from taisce.entity as i
                            where i.project_id = render_facts.project_id
                              and i.entity_id between w.middle and w.middle
                            order by i.entity_id
                            limit 1
                        ) end,
                        case when w.far is not null then (
                            select taisce.known_as(
                                i.canonical_name, i.name_until, i.project_id, i.entity_id,
                                statement_timestamp())
                            from taisce.entity as i
                            where i.project_id = render_facts.project_id
                              and i.entity_id between w.far and w.far
                            order by i.entity_id
                            limit 1
                        ) end
                    ],
                    null)
            end as path,
            case
                when w.hops = 1 then '{}'
                else array[coalesce(w.first_predicate, ''), coalesce(w.predicate, '')]
            end as via
        -- Kept apart, or it would be looked up again for the cost.
        offset 0
    ) as r
    cross join lateral (
        select
            count(*) as total,
            array_agg(v.claim_id) as claim_ids,
            array_agg(v.observation_id) as observation_ids,
            array_agg(v.ordinal) as ordinals,
            array_agg(v.byte_start) as byte_starts,
            array_agg(v.role) as said_by,
            string_agg(
                f.subject_entity_id::text || v.observation_id || ' ' || v.ordinal, E'\x1f'
            ) as said
        from (
            -- The key of the table gives this order.
            select i.claim_id, i.observation_id, i.ordinal, i.byte_start, i.role
            from taisce.fact_evidence as i
            where i.project_id = render_facts.project_id
              and i.fact_id = w.fact_id
              and i.stance = 'supports'
              and i.role = any (render_facts.roles)
              and (render_facts.subject is null or i.data_subject_id = render_facts.subject)
              and i.retention_until > v_read_at
              and i.linked_at <= v_linked_max
            order by i.log_offset, i.ordinal, i.byte_start, i.claim_id
            offset 0
        ) as v
    ) as l
    cross join lateral (
        select
            array_agg(
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
                order by q.place
            ) as items,
            sum(char_length(q.quote) + char_length((q.span).context)) as characters,
            bool_or(q.content_gone) as released
        from (
            select
                v.*,
                k.quote,
                k.byte_end,
                p.content is null as content_gone,
                memory_v1.evidence_window(p.content, v.byte_start, k.byte_end) as span
            from unnest(
                l.claim_ids[:render_facts.evidence_per_fact],
                l.observation_ids[:render_facts.evidence_per_fact],
                l.ordinals[:render_facts.evidence_per_fact],
                l.byte_starts[:render_facts.evidence_per_fact],
                l.said_by[:render_facts.evidence_per_fact]
            ) with ordinality as v (claim_id, observation_id, ordinal, byte_start, role, place)
            cross join lateral (
                select i.quote, i.byte_end
                from taisce.claim as i
                where i.project_id = render_facts.project_id
                  and i.claim_id between v.claim_id and v.claim_id
                order by i.claim_id
                limit 1
            ) as k
            cross join lateral (
                select i.content
                from taisce.message as i
                where i.project_id = render_facts.project_id
                  and i.observation_id = v.observation_id
                  and i.ordinal between v.ordinal and v.ordinal
                order by i.ordinal
                limit 1
            ) as p
            -- Kept apart, or each part of the span would compute it again.
            offset 0
        ) as q
    ) as e
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
