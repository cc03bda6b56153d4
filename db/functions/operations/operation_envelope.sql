-- requires: operations/operation_types.sql
-- taisce.operation_envelope(project_id, answer, operation, grain, kept, kept_passages)
-- An answer as envelope/v1, cut to the first `kept` facts or claims and passages (null: all).
-- Returns: one jsonb.   Runs as: invoker.   Since: 0.1

create or replace function taisce.operation_envelope(
    project_id bigint,
    answer taisce.operation_answer,
    operation text,
    grain text,
    kept integer default null,
    kept_passages integer default null
)
returns jsonb
language plpgsql
stable
parallel safe
as $func$
#variable_conflict use_variable
declare
    v_facts memory_v1.fact_item[] := answer.facts[:coalesce(kept, cardinality(answer.facts))];
    v_claims memory_v1.testimony_item[] := '{}';
    v_passages memory_v1.testimony_item[] := '{}';
    v_returned integer;
    v_all integer := cardinality(answer.facts) + cardinality(answer.testimony);
begin
    if cardinality(answer.testimony) > 0 then
        v_claims := array(
            select t from unnest(answer.testimony) as t where t.grain = 'claim'
        );
        v_passages := answer.testimony[cardinality(v_claims) + 1:];
        v_claims := v_claims[:coalesce(kept, cardinality(v_claims))];
        v_passages := v_passages[:coalesce(kept_passages, cardinality(v_passages))];
    end if;
    v_returned := cardinality(v_facts) + cardinality(v_claims) + cardinality(v_passages);
    return jsonb_build_object(
        'contract', 'envelope/v1',
        'operation', operation,
        'grain', grain,
        'temporal_scope', jsonb_build_object(
            'mode', (answer.asked).mode,
            'evaluated_at', (answer.asked).evaluated_at,
            'believed_at', (answer.asked).believed_at,
            'identity_regime', (answer.asked).identity_regime
        ) || case (answer.asked).mode
            when 'at' then jsonb_build_object('at', (answer.asked).at)
            when 'overlap' then jsonb_build_object(
                'from', (answer.asked).from_at, 'to', (answer.asked).to_at)
            else '{}'
        end,
        'entities', answer.entities,
        'facts', (
            select coalesce(jsonb_agg(i), '[]')
            from (
                select f.fact_kind, f.fact_id, f.label, f.subject, f.subject_id, f.predicate,
                    f.object, f.object_id, f.value, f.statement,
                    jsonb_build_object(
                        'valid_from', f.valid_from,
                        'valid_until', f.valid_until,
                        'known_from', f.known_from,
                        'known_until', f.known_until
                    ) as validity,
                    f.evidence_count, f.contradict_count, f.contradiction, f.support,
                    f.source_role, f.hops, f.score
                from unnest(v_facts) with ordinality as f
                order by f.ordinality
            ) as i
        ),
        'evidence', case
            when grain = 'fact' then (
                select coalesce(jsonb_agg(i.item order by i.place), '[]')
                from (
                    select distinct on (e.item -> 'claim_id') e.item - 'stance' as item,
                        f.ordinality * 100 + e.place as place
                    from unnest(v_facts) with ordinality as f
                    cross join lateral jsonb_array_elements(f.evidence) with ordinality
                        as e (item, place)
                    order by e.item -> 'claim_id', f.ordinality, e.place
                ) as i
            )
            else (
                select coalesce(jsonb_agg(i), '[]')
                from (
                    select t.claim_id, t.observation_id, t.ordinal, t.passage_id, t.claim_text,
                        t.quote, t.byte_start, t.byte_end, t.context, t.context_start,
                        t.context_complete, t.role, t.asserted_at, t.claim_valid_from,
                        t.claim_valid_until, t.claim_valid_precision, t.is_current_testimony,
                        t.title, t.source_kind, t.lineage, t.corroboration_count,
                        t.grouped_claim_ids, t.score
                    from unnest(v_claims) with ordinality as t
                    order by t.ordinality
                ) as i
            )
        end,
        'fact_evidence', (
            select coalesce(jsonb_agg(
                jsonb_build_object(
                    'fact_kind', f.fact_kind,
                    'fact_id', f.fact_id,
                    'claim_id', e.item -> 'claim_id',
                    'stance', e.item -> 'stance'
                ) order by f.ordinality, e.place), '[]')
            from unnest(v_facts) with ordinality as f
            cross join lateral jsonb_array_elements(f.evidence) with ordinality as e (item, place)
        ),
        'evidence_totals', (
            select coalesce(jsonb_agg(
                jsonb_build_object('fact_kind', f.fact_kind, 'fact_id', f.fact_id)
                || f.evidence_totals
                order by f.ordinality), '[]')
            from unnest(v_facts) with ordinality as f
        ),
        'passages', (
            select coalesce(jsonb_agg(i), '[]')
            from (
                select t.passage_id, t.observation_id, t.ordinal, t.role, t.content, t.title,
                    t.occurred_at, t.log_offset, t.lineage, t.score, t.why
                from unnest(v_passages) with ordinality as t
                order by t.ordinality
            ) as i
        ),
        'scope', jsonb_build_object(
            'anchors', to_jsonb(answer.anchor_ids),
            'neighbours', to_jsonb(answer.neighbour_ids),
            'truncated', answer.scope_truncated
        ),
        'freshness', taisce.operation_freshness(project_id, grain),
        'truncation', jsonb_build_object(
            'truncated', answer.truncated or v_returned < v_all,
            'returned', case when operation = 'resolve_entity'
                then jsonb_array_length(answer.entities) else v_returned end,
            'estimated_total', answer.total,
            'total_is_exact', answer.exact,
            'continuation', taisce.answer_token(
                answer,
                case when grain = 'fact' then cardinality(v_facts) else cardinality(v_claims) end,
                cardinality(v_passages))
        ),
        'dropped_by_hydration', answer.dropped,
        'searched', answer.searched,
        'degraded', to_jsonb(answer.degraded),
        'negative', answer.negative
    );
end
$func$;
comment on function taisce.operation_envelope(
    bigint, taisce.operation_answer, text, text, integer, integer
) is 'An answer of an operation as envelope/v1.';
revoke all on function taisce.operation_envelope(
    bigint, taisce.operation_answer, text, text, integer, integer
) from public;

create or replace function taisce.operation_freshness(project_id bigint, grain text)
returns jsonb
language sql
stable
parallel safe
as $func$
    select taisce.freshness_of(operation_freshness.project_id) || jsonb_build_object(
        'vectors', (
            select jsonb_build_object(
                'space', g.space,
                'generation', g.generation_id,
                'through_offset', g.through_offset
            )
            from taisce.embedding_generation as g
            where g.project_id = operation_freshness.project_id
              and g.state = 'active'
              and g.space = any (case operation_freshness.grain
                when 'fact' then array['fact']
                when 'evidence' then array['claim', 'message']
                else array['entity']
              end)
            order by g.space, g.generation_id desc
            limit 1
        ),
        'compiled', (
            select jsonb_build_object(
                'reports', count(*) filter (where r.withdrawn_at is null),
                'stale', count(*) filter (where r.withdrawn_at is not null)
            )
            from (
                select i.report_id, i.withdrawn_at
                from taisce.report as i
                where i.project_id = operation_freshness.project_id
                order by i.report_id
                limit 1000
            ) as r
            -- Only where something has expired can a report rest on it.
            where not exists (
                select
                from taisce.observation as i
                where i.project_id = operation_freshness.project_id
                  and i.retention_until < 'infinity'
                  and i.retention_until <= statement_timestamp()
            ) or taisce.report_is_kept(
                operation_freshness.project_id, r.report_id, statement_timestamp())
        )
    )
$func$;
comment on function taisce.operation_freshness(bigint, text) is
'How far a project has come, with its vectors and its reports (up to a thousand are counted).';
revoke all on function taisce.operation_freshness(bigint, text) from public;
