-- requires: operations/operation_types.sql
-- requires: vectors/fuse_candidates.sql
-- taisce.answer_testimony(project_id, query, entity_ids, k, candidate_k, subject, roles,
-- continuation,
--     near)
-- What testimony_context answers, before it becomes rows or an envelope: claims and passages,
-- nominated apart, confirmed in the live tables, claims of the same words put together, the first k
-- of each. In a scope of entities, who mentions more of them comes first.
-- Returns: one row.   Raises: TS005, TS011.   Runs as: invoker.   Since: 0.1

create or replace function taisce.answer_testimony(
    project_id bigint,
    query text,
    entity_ids uuid[],
    k integer,
    candidate_k integer,
    subject text,
    roles text[],
    continuation text,
    near taisce.asked_vector
)
returns taisce.operation_answer
language plpgsql
stable
parallel safe
as $func$
#variable_conflict use_variable
declare
    v_all_roles constant text[] := array['user', 'assistant', 'system', 'tool', 'document'];
    v_token taisce.page_token;
    v_answer taisce.operation_answer;
    v_found record;
    v_pool record;
    v_wide record;
    v_page record;
    v_exact boolean := true;
    v_reason text;
begin
    v_answer.asked.mode := 'current';
    v_answer.asked.identity_regime := 'current';
    v_answer.asked.evaluated_at := statement_timestamp();
    v_answer.entities := '[]';
    v_answer.anchor_ids := '{}';
    v_answer.neighbour_ids := '{}';
    v_answer.near := 0;
    v_answer.scope_truncated := false;
    v_answer.degraded := taisce.vector_degrades(project_id, array['claim', 'message'], near);
    v_answer.searched := case
        when (near).embedding is null or cardinality(v_answer.degraded) > 0 then 'words'
        else 'both'
    end;
    v_answer.dropped := 0;
    v_answer.truncated := false;
    v_answer.total := 0;
    v_answer.exact := true;
    v_answer.facts := '{}';
    v_answer.testimony := '{}';
    v_answer.pool := '{}';
    v_answer.second_pool := '{}';
    v_answer.digest := decode(md5(concat_ws(
        E'\x1f', 'testimony', project_id, query, coalesce(entity_ids::text, '-'), candidate_k,
        coalesce(subject, '-'), roles::text)), 'hex');
    if continuation is not null then
        v_token := taisce.read_page_token(continuation, 'T', v_answer.digest);
        v_answer.asked.evaluated_at := v_token.evaluated_at;
        v_exact := v_token.near >= 128;
    end if;
    if entity_ids is not null then
        select e.* into v_found from taisce.scope_entities(project_id, entity_ids) as e;
        if v_found.ids is null then
            v_answer.negative := taisce.negative(
                case when continuation is null then 'unknown_entity' else 'boundary' end, 'ids');
            return v_answer;
        end if;
        v_answer.entities := v_found.entities;
        v_answer.anchor_ids := v_found.ids;
    end if;

    select p.*
    into v_pool
    from taisce.testimony_pool(
        project_id, query, case when entity_ids is not null then v_answer.anchor_ids end,
        candidate_k, subject, roles, v_token.first_list, v_token.second_list, near) as p;
    v_exact := v_exact and v_pool.exact;
    v_answer.dropped := v_pool.dropped;
    v_answer.pool := v_pool.claims;
    v_answer.second_pool := v_pool.passages;
    select i.*
    into v_page
    from taisce.testimony_items(
        project_id, v_pool.claims, v_pool.claim_words, v_pool.passages, k) as i;
    v_answer.testimony := v_page.items;
    v_answer.total := v_page.total;
    v_answer.exact := v_exact;
    v_answer.whole := v_exact;
    v_answer.truncated := not v_exact or v_page.total > cardinality(v_page.items);
    if exists (
        select from unnest(v_answer.testimony) as t where t.grain = 'claim' and t.context = ''
    ) then
        v_answer.degraded := v_answer.degraded || 'citation_context'::text;
    end if;
    if cardinality(v_answer.testimony) = 0 then
        if continuation is not null then
            v_reason := 'rest';
        else
            select w.*
            into v_wide
            from taisce.testimony_pool(
                project_id, query, case when entity_ids is not null then v_answer.anchor_ids end,
                candidate_k, null, v_all_roles, null, null, near) as w;
            v_reason := case
                when cardinality(v_wide.claims) + cardinality(v_wide.passages) = 0 then
                    case when entity_ids is null then 'words' else 'no_testimony' end
                when subject is null then 'role'
                else 'subject'
            end;
            if v_reason = 'subject' then
                select w.*
                into v_wide
                from taisce.testimony_pool(
                    project_id, query,
                    case when entity_ids is not null then v_answer.anchor_ids end,
                    candidate_k, subject, v_all_roles, null, null, near) as w;
                if cardinality(v_wide.claims) + cardinality(v_wide.passages) > 0 then
                    v_reason := 'role';
                end if;
            end if;
        end if;
        v_answer.negative := taisce.negative('known_empty', v_reason);
    end if;
    return v_answer;
end
$func$;
comment on function taisce.answer_testimony(
    bigint, text, uuid[], integer, integer, text, text[], text, taisce.asked_vector
) is 'What testimony_context answers, before it becomes rows or an envelope.';
revoke all on function taisce.answer_testimony(
    bigint, text, uuid[], integer, integer, text, text[], text, taisce.asked_vector
) from public;
