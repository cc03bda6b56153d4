-- taisce.recall_reach(project_id, question, terms, anchors, walk, fact_ids, silent,
--     subject)
-- The account of a recall: what was looked for, found, cut, and why an answer is empty.
-- Returns: one jsonb object, `reach` of recall/v1.   Runs as: invoker.   Since: 0.1

create or replace function taisce.recall_reach(
    project_id bigint,
    question text,
    terms taisce.term_set,
    anchors taisce.anchor[],
    walk taisce.walk_result,
    fact_ids uuid[],
    silent text,
    subject text
)
returns jsonb
language plpgsql
stable
parallel safe
as $func$
declare
    v_named integer;
begin
    select count(*)
    into v_named
    from unnest(recall_reach.anchors) as a
    where a.exact;
    return jsonb_build_object(
        'terms', cardinality(recall_reach.terms.candidates),
        'terms_dropped', recall_reach.terms.dropped,
        'anchored', v_named,
        'named_nothing_known', v_named = 0,
        'facts_per_anchor', (
            select coalesce(
                jsonb_agg(
                    jsonb_build_object(
                        'entity_id', a.entity_id,
                        'name', a.name,
                        'facts', (
                            select count(*)
                            from unnest(recall_reach.walk.facts) as f
                            where f.anchor = a.place
                              and f.fact_id = any (recall_reach.fact_ids)
                        )
                    )
                    order by a.place),
                '[]')
            from unnest(recall_reach.anchors) with ordinality
                as a (entity_id, name, entity_type, matched, exact, place)
        ),
        'fanout_cut', (
            select coalesce(
                jsonb_agg(
                    jsonb_build_object(
                        'entity_id', c.entity_id,
                        'entity', e.canonical_name,
                        'direction', c.direction,
                        'hop', c.hop
                    )
                    order by c.place),
                '[]')
            from unnest(recall_reach.walk.cuts) with ordinality
                as c (entity_id, direction, hop, place)
            cross join lateral (
                select taisce.known_as(
                    i.canonical_name, i.name_until, i.project_id, i.entity_id,
                    statement_timestamp()) as canonical_name
                from taisce.entity as i
                where i.project_id = recall_reach.project_id
                  and i.entity_id between c.entity_id and c.entity_id
                order by i.entity_id
                limit 1
            ) as e
        ),
        'silent_because', recall_reach.silent,
        'suggestions', taisce.suggest_names(
            recall_reach.project_id, recall_reach.question, recall_reach.anchors,
            recall_reach.subject)
    );
end
$func$;
comment on function taisce.recall_reach(
    bigint, text, taisce.term_set, taisce.anchor[], taisce.walk_result, uuid[], text, text
) is 'The account of a recall: looked for, found, cut, and why an answer is empty.';
revoke all on function taisce.recall_reach(
    bigint, text, taisce.term_set, taisce.anchor[], taisce.walk_result, uuid[], text, text
) from public;
