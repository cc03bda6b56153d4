-- requires: operations/operation_types.sql
-- requires: vectors/fuse_candidates.sql
-- taisce.answer_facts(project_id, query, entity_ids, hops, predicate, k, evidence_per_fact, asked,
--     subject, roles, continuation, near)
-- What fact_context answers, before it becomes rows or an envelope: scope, candidates, those that
-- the live tables confirm, the first k of them with their evidence and contradictions, and an
-- account of what was left out.
-- Returns: one row.   Raises: TS005, TS011.   Runs as: invoker.   Since: 0.1

create or replace function taisce.answer_facts(
    project_id bigint,
    query text,
    entity_ids uuid[],
    hops integer,
    predicate text,
    k integer,
    evidence_per_fact integer,
    asked taisce.asked_time,
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
    v_most_anchors constant integer := 20;
    v_all_roles constant text[] := array['user', 'assistant', 'system', 'tool', 'document'];
    v_fenced constant boolean := entity_ids is not null;
    v_words taisce.word_terms;
    v_entity_words taisce.word_terms;
    v_token taisce.page_token;
    v_answer taisce.operation_answer;
    v_found record;
    v_around record;
    v_pool taisce.fact_pool;
    v_wide taisce.fact_pool;
    v_item taisce.pooled;
    v_page taisce.pooled[] := '{}';
    v_exact boolean := true;
    v_fact_ids uuid[] := '{}';
    v_nominated uuid[] := '{}';
    v_near uuid[] := '{}';
    v_far uuid[] := '{}';
    v_history taisce.asked_time;
    v_reason text;
begin
    v_answer.asked := asked;
    v_answer.entities := '[]';
    v_answer.anchor_ids := '{}';
    v_answer.neighbour_ids := '{}';
    v_answer.near := 0;
    v_answer.scope_truncated := false;
    v_answer.degraded := taisce.vector_degrades(project_id, array['fact'], near);
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
        E'\x1f', 'facts', project_id, query, coalesce(entity_ids::text, '-'), hops,
        coalesce(predicate, '-'), (asked).mode, coalesce((asked).at::text, '-'),
        coalesce((asked).from_at::text, '-'), coalesce((asked).to_at::text, '-'),
        coalesce((asked).believed_at::text, '-'), (asked).identity_regime,
        coalesce(subject, '-'), roles::text)), 'hex');
    if continuation is not null then
        v_token := taisce.read_page_token(continuation, 'F', v_answer.digest);
        v_answer.asked.evaluated_at := v_token.evaluated_at;
        v_exact := v_token.near >= 128;
        v_token.near := mod(v_token.near, 128);
    end if;
    v_answer.asked := taisce.ask_time(project_id, v_answer.asked);

    -- Scope.
    if v_fenced then
        select e.* into v_found from taisce.scope_entities(project_id, entity_ids) as e;
        if v_found.ids is null then
            v_answer.negative := taisce.negative(
                case when continuation is null then 'unknown_entity' else 'boundary' end, 'ids');
            return v_answer;
        end if;
        v_answer.entities := v_found.entities;
        v_answer.anchor_ids := v_found.ids;
        if continuation is null then
            select s.*
            into v_around
            from taisce.scope_facts(
                project_id, v_answer.anchor_ids,
                case when (asked).mode in ('current', 'at') then hops else 0 end,
                roles, subject, predicate, (v_answer.asked).scope) as s;
            v_fact_ids := v_around.fact_ids;
            v_answer.neighbour_ids := v_around.neighbour_ids;
            v_answer.near := v_around.near;
            v_answer.scope_truncated := v_around.neighbours_cut;
            v_exact := not v_around.cut;
        else
            v_answer.near := 0;
            for v_index in 1 .. cardinality(v_token.entities) loop
                select e.*
                into v_found
                from taisce.scope_entities(project_id, v_token.entities[v_index:v_index]) as e;
                if v_found.ids is null then
                    v_answer.dropped := v_answer.dropped + 1;
                elsif v_found.ids[1] <> all (v_answer.anchor_ids || v_answer.neighbour_ids) then
                    v_answer.neighbour_ids := v_answer.neighbour_ids || v_found.ids;
                    if v_index <= v_token.near then
                        v_answer.near := v_answer.near + 1;
                    end if;
                end if;
            end loop;
        end if;
        v_near := v_answer.neighbour_ids[:v_answer.near];
        v_far := v_answer.neighbour_ids[v_answer.near + 1:];
        select v_answer.entities || coalesce(jsonb_agg(
            jsonb_build_object(
                'entity_id', i.entity_id,
                'canonical_name', i.canonical_name,
                'entity_type', case
                    when i.canonical_name = i.own_name then i.entity_type
                end,
                'asked_id', null,
                'part', 'neighbour'
            ) order by n.place), '[]')
        into v_answer.entities
        from unnest(v_answer.neighbour_ids) with ordinality as n (entity_id, place)
        cross join lateral (
            select e.entity_id, e.entity_type, e.canonical_name as own_name,
                taisce.known_as(
                    e.canonical_name, e.name_until, e.project_id, e.entity_id,
                    statement_timestamp()) as canonical_name
            from taisce.entity as e
            where e.project_id = project_id
              and e.entity_id between n.entity_id and n.entity_id
            order by e.entity_id
            limit 1
        ) as i;
    else
        select a.*
        into v_found
        from taisce.query_anchors(
            project_id, query, subject, (v_answer.asked).scope.read_at) as a;
        if v_found.skipped then
            v_answer.degraded := v_answer.degraded || 'anchoring'::text;
        end if;
        select
            coalesce(array_agg(a.entity_id order by a.place), '{}'),
            coalesce(jsonb_agg(jsonb_build_object(
                'entity_id', a.entity_id,
                'canonical_name', a.name,
                'entity_type', a.entity_type,
                'asked_id', null,
                'part', 'named'
            ) order by a.place), '[]')
        into v_answer.anchor_ids, v_answer.entities
        from unnest(v_found.anchors) with ordinality
            as a (entity_id, name, entity_type, matched, exact, place)
        where a.place <= v_most_anchors;
        if continuation is null then
            if cardinality(v_answer.anchor_ids) = 0 then
                v_entity_words := taisce.word_query(project_id, 'entity', query);
                v_nominated := array(
                    select h.item_id
                    from taisce.word_candidates(
                        project_id, 'entity', v_entity_words, array[''], v_most_anchors
                    ) with ordinality as h (number, item_id, score, complete, place)
                    order by h.place
                );
            end if;
            select s.*
            into v_around
            from taisce.scope_facts(
                project_id, v_answer.anchor_ids || v_nominated, 0, roles, subject, predicate,
                (v_answer.asked).scope) as s;
            v_fact_ids := v_around.fact_ids;
            v_exact := not v_around.cut;
            v_near := v_nominated;
        end if;
    end if;

    -- Nominate and confirm.
    if continuation is null then
        v_words := taisce.word_query(project_id, 'fact', query, v_entity_words);
    end if;
    v_pool := taisce.fact_pool(
        project_id, v_words, v_fact_ids, v_token.first_list, v_answer.anchor_ids, v_near, v_far,
        v_fenced, roles, subject, predicate, (v_answer.asked).scope, k + 1, false, near);
    v_exact := v_exact and v_pool.exact;

    -- Account.
    foreach v_item in array v_pool.items loop
        if v_item.fate = 'kept' then
            exit when cardinality(v_page) = k;
            v_page := array_append(v_page, v_item);
        else
            v_answer.dropped := v_answer.dropped + 1;
        end if;
    end loop;
    select count(*), coalesce(bool_and(i.fate = 'kept'), true)
    into v_answer.total, v_answer.exact
    from unnest(v_pool.items) as i
    where i.fate <> 'gone';
    v_answer.whole := v_exact;
    v_answer.exact := v_exact and v_answer.exact;
    v_answer.truncated := not v_exact or v_answer.total > cardinality(v_page);
    v_answer.pool := v_pool.items;
    if cardinality(v_page) > 0 then
        v_answer.facts := taisce.fact_items(
            project_id, v_page, roles, subject, v_answer.asked, evidence_per_fact);
        if exists (
            select
            from unnest(v_answer.facts) as f
            cross join lateral jsonb_array_elements(f.evidence) as e (item)
            where e.item ->> 'context' = ''
        ) then
            v_answer.degraded := v_answer.degraded || 'citation_context'::text;
        end if;
    elsif continuation is not null then
        v_answer.negative := taisce.negative('known_empty', 'rest');
    else
        -- Which filter emptied it: the same candidates without any.
        v_history := asked;
        v_history.mode := 'history';
        v_history := taisce.ask_time(project_id, v_history);
        select s.*
        into v_around
        from taisce.scope_facts(
            project_id, v_answer.anchor_ids || v_nominated, 0, v_all_roles, null, null,
            v_history.scope) as s;
        v_wide := taisce.fact_pool(
            project_id, v_words, v_around.fact_ids, null, v_answer.anchor_ids, v_near, v_far,
            v_fenced, roles, subject, predicate, (v_answer.asked).scope, 0, true, near);
        v_reason := case
            when v_wide.found = 0 then case when v_fenced then 'no_facts' else 'words' end
            when v_wide.of_subject = 0 then 'subject'
            when v_wide.of_role = 0 then 'role'
            when v_wide.of_predicate = 0 then 'predicate'
            when v_wide.in_time = 0 then 'time'
            else 'evidence'
        end;
        v_answer.negative := taisce.negative('known_empty', v_reason);
    end if;
    return v_answer;
end
$func$;
comment on function taisce.answer_facts(
    bigint, text, uuid[], integer, text, integer, integer, taisce.asked_time, text, text[], text,
    taisce.asked_vector
) is 'What fact_context answers, before it becomes rows or an envelope.';
revoke all on function taisce.answer_facts(
    bigint, text, uuid[], integer, text, integer, integer, taisce.asked_time, text, text[], text,
    taisce.asked_vector
) from public;
