-- requires: operations/operation_types.sql
-- requires: vectors/fuse_candidates.sql
-- taisce.answer_both(project_id, query, entity_ids, hops, predicate, asked, subject, roles,
--     max_characters, near)
-- Both contexts from one snapshot and one instant. A budget takes facts, claims and passages in
-- turn, each in its order, until the first that does not fit, and counts what is rendered: names,
-- predicate, value, label, role and quotes of a fact; text, quote, context, title and role of a
-- claim; words, title and role of a passage.
-- Returns: one jsonb, contract ContextBundle/v1.   Raises: TS011.   Runs as: invoker.   Since: 0.1

create or replace function taisce.answer_both(
    project_id bigint,
    query text,
    entity_ids uuid[],
    hops integer,
    predicate text,
    asked taisce.asked_time,
    subject text,
    roles text[],
    max_characters integer,
    near taisce.asked_vector
)
returns jsonb
language plpgsql
stable
parallel safe
as $func$
#variable_conflict use_variable
declare
    v_testimony taisce.operation_answer;
    v_facts taisce.operation_answer;
    v_kept integer;
    v_kept_claims integer;
    v_kept_passages integer;
    v_characters integer;
    v_all integer;
begin
    v_testimony := taisce.answer_testimony(
        project_id, query, entity_ids, 50, 200, subject, roles, null, near);
    v_facts := taisce.answer_facts(
        project_id, query, entity_ids, hops, predicate, 15, 3, asked, subject, roles, null, near);
    select
        count(*) filter (where r.part = 1 and r.fits),
        count(*) filter (where r.part = 2 and r.fits),
        count(*) filter (where r.part = 3 and r.fits),
        coalesce(max(r.running) filter (where r.fits), 0),
        count(*)
    into v_kept, v_kept_claims, v_kept_passages, v_characters, v_all
    from (
        select
            c.part,
            sum(c.cost) over (order by c.place, c.part) as running,
            max_characters is null
                or sum(c.cost) over (order by c.place, c.part) <= max_characters as fits
        from (
            select
                1 as part,
                f.ordinality as place,
                char_length(f.subject) + coalesce(char_length(f.predicate), 0)
                    + coalesce(char_length(f.object), char_length(f.value), 0)
                    + char_length(f.label) + char_length(f.source_role) + (
                        select coalesce(sum(
                            char_length(e.item ->> 'quote') + char_length(e.item ->> 'context')), 0)
                        from jsonb_array_elements(f.evidence) as e (item)
                    ) as cost
            from unnest(v_facts.facts) with ordinality as f
            union all
            select
                case t.grain when 'claim' then 2 else 3 end,
                row_number() over (partition by t.grain order by t.ordinality),
                coalesce(char_length(t.claim_text), 0) + coalesce(char_length(t.quote), 0)
                    + coalesce(char_length(t.context), 0) + coalesce(char_length(t.content), 0)
                    + coalesce(char_length(t.title), 0) + char_length(t.role)
            from unnest(v_testimony.testimony) with ordinality as t
        ) as c
    ) as r;
    return jsonb_build_object(
        'contract', 'ContextBundle/v1',
        'operation', 'answer_context',
        'evaluated_at', (v_facts.asked).evaluated_at,
        'max_characters', max_characters,
        'characters', v_characters,
        'cut', case
            when v_kept + v_kept_claims + v_kept_passages < v_all then 'characters'
        end,
        'testimony', taisce.operation_envelope(
            project_id, v_testimony, 'testimony_context', 'evidence', v_kept_claims,
            v_kept_passages),
        'facts', taisce.operation_envelope(
            project_id, v_facts, 'fact_context', 'fact', v_kept)
    );
end
$func$;
comment on function taisce.answer_both(
    bigint, text, uuid[], integer, text, taisce.asked_time, text, text[], integer,
    taisce.asked_vector
) is 'Both contexts from one snapshot and one instant.';
revoke all on function taisce.answer_both(
    bigint, text, uuid[], integer, text, taisce.asked_time, text, text[], integer,
    taisce.asked_vector
) from public;
