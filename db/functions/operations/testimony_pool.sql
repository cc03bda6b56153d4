-- requires: operations/operation_types.sql
-- requires: operations/claim_words.sql
-- requires: vectors/fuse_candidates.sql
-- taisce.testimony_pool(project_id, query, entity_ids, candidate_k, subject, roles, claims_given,
--     passages_given, asked)
-- The candidates of a testimony_context that the live tables confirm: claims by their own words,
-- passages by those of their neighbours and of the facts they are evidence for, too. Little that is
-- said about the entities is scored whole; of much, what the words reach, and a part. Given: those
-- of an earlier page, in their order, instead of a search.
-- Returns: one row: at most candidate_k of each in order, the words of the claims, how many the
-- tables refused, whether nothing was left unread.   Runs as: invoker.   Since: 0.1

create or replace function taisce.testimony_pool(
    project_id bigint,
    query text,
    entity_ids uuid[],
    candidate_k integer,
    subject text,
    roles text[],
    claims_given taisce.pooled[],
    passages_given taisce.pooled[],
    asked taisce.asked_vector,
    out claims taisce.pooled[],
    out claim_words text[],
    out passages taisce.pooled[],
    out dropped integer,
    out exact boolean
)
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $func$
#variable_conflict use_variable
declare
    v_few constant integer := 800;
    v_sample constant integer := 400;
    v_read_at constant timestamptz := statement_timestamp();
    v_words taisce.word_terms;
    v_numbers bigint[];
    v_whole boolean := true;
    v_given taisce.pooled[] := claims_given;
    v_unread boolean := false;
    v_small boolean;
    v_part boolean := false;
    v_gone integer;
    v_generation taisce.embedding_generation;
    v_items uuid[];
    v_fact_items uuid[];
begin
    if claims_given is null then
        v_words := taisce.word_query(project_id, 'claim', query);
        if entity_ids is not null then
            v_small := taisce.small_scope(project_id, 'claim', entity_ids, v_few);
            v_whole := v_small;
            if v_small then
                v_numbers := taisce.scope_numbers(project_id, 'claim', entity_ids);
            end if;
        end if;
    end if;
    loop
        if claims_given is null then
            v_given := array(
                select row(h.item_id, h.score, null, null, 'words',
                    case when h.complete then 'whole' end)::taisce.pooled
                from taisce.word_candidates(
                    project_id, 'claim', v_words, roles, candidate_k, 500, subject, v_numbers
                ) with ordinality as h (number, item_id, score, complete, place)
                order by h.place
            );
            v_generation := taisce.asked_generation(project_id, 'claim', asked);
            if v_generation.generation_id is not null then
                if entity_ids is not null then
                    v_items := taisce.scope_items(project_id, 'claim', entity_ids);
                end if;
                v_given := taisce.fuse_candidates(
                    asked, v_generation, v_given, candidate_k, roles, subject, v_items);
            end if;
            v_unread := cardinality(v_given) >= candidate_k
                or exists (select from unnest(v_given) as g where g.fate is null);
        end if;
        with judged as materialized (
            select
                g.item_id, g.score, g.place, g.why, t.touches, c.claim_text,
                case
                    when c.claim_text is null then 'gone'
                    when not c.of_subject or not c.of_role then 'outside'
                    when entity_ids is not null and t.touches = 0 then 'outside'
                    when not c.kept then 'gone'
                    else 'kept'
                end as fate
            from unnest(v_given) with ordinality
                as g (item_id, score, touches, hops, why, fate, place)
            left join lateral (
                select
                    i.claim_text,
                    i.observation_id,
                    i.ordinal,
                    i.is_current_testimony and i.retention_until > v_read_at as kept,
                    subject is null or coalesce(i.data_subject_id = subject, false) as of_subject,
                    i.role = any (roles) as of_role
                from taisce.claim as i
                where i.project_id = project_id
                  and i.claim_id between g.item_id and g.item_id
                order by i.claim_id
                limit 1
            ) as c on true
            left join lateral (
                select count(*)::integer as touches
                from unnest(entity_ids) as e (entity_id)
                cross join lateral (
                    select
                    from taisce.entity_mention as i
                    where i.project_id = project_id
                      and i.entity_id = e.entity_id
                      and i.observation_id between c.observation_id and c.observation_id
                      and i.ordinal = c.ordinal
                      and i.claim_id = g.item_id
                    order by i.observation_id, i.ordinal
                    limit 1
                ) as m
                where c.claim_text is not null
            ) as t on true
        ),
        kept as materialized (
            select j.*
            from judged as j
            where j.fate = 'kept'
            order by
                case when claims_given is null then j.touches end desc,
                j.place
            limit candidate_k + 1
        )
        select
            (
                select array_agg(
                    row(k.item_id, k.score, k.touches, null, k.why, 'kept')::taisce.pooled
                    order by case when claims_given is null then k.touches end desc, k.place)
                from kept as k
            ),
            (
                select array_agg(
                    taisce.claim_words(k.claim_text)
                    order by case when claims_given is null then k.touches end desc, k.place)
                from kept as k
            ),
            count(*) filter (
                where j.fate = 'gone' or claims_given is not null and j.fate <> 'kept')
        into claims, claim_words, dropped
        from judged as j;
        claims := coalesce(claims, '{}');
        exit when claims_given is not null or v_whole or not v_unread
            or cardinality(claims) >= candidate_k / 10;
        -- Words hardly reach this scope: a part of it is scored beside what they reach.
        v_part := true;
        v_whole := true;
        v_numbers := array(
            select taisce.item_number(k.item_id) from unnest(claims) as k
            union
            select taisce.item_number(m.claim_id)
            from unnest(entity_ids) as e (entity_id)
            cross join lateral (
                select i.claim_id
                from taisce.entity_mention as i
                where i.project_id = project_id
                  and i.entity_id between e.entity_id and e.entity_id
                  and i.claim_id is not null
                order by i.entity_id, i.observation_id, i.ordinal
                limit v_sample / cardinality(entity_ids)
            ) as m
        );
    end loop;
    exact := not v_unread and not v_part and cardinality(claims) <= candidate_k;
    claims := claims[:candidate_k];

    v_given := passages_given;
    v_unread := false;
    if claims_given is null then
        v_numbers := null;
        if v_small then
            v_numbers := taisce.scope_numbers(project_id, 'message', entity_ids);
        elsif not v_small then
            -- Of much that mentions the entities: messages with the best words of their own, and
            -- those that the claims above stand in.
            v_unread := true;
            v_numbers := array(
                select distinct n.number
                from (
                    select h.number, m.observation_id, m.ordinal
                    from taisce.word_candidates(
                        project_id, 'message',
                        taisce.word_query(project_id, 'message', query, v_words),
                        roles,
                        case when v_part then 0 else candidate_k end, 500, subject) as h
                    cross join lateral (
                        select i.observation_id, i.ordinal
                        from taisce.message as i
                        where i.project_id = project_id
                          and i.passage_id between h.item_id and h.item_id
                        order by i.passage_id
                        limit 1
                    ) as m
                    union all
                    select taisce.message_number(c.log_offset, c.ordinal), c.observation_id,
                        c.ordinal
                    from unnest(claims) as k
                    cross join lateral (
                        select i.log_offset, i.ordinal, i.observation_id
                        from taisce.claim as i
                        where i.project_id = project_id
                          and i.claim_id between k.item_id and k.item_id
                        order by i.claim_id
                        limit 1
                    ) as c
                ) as n
                where exists (
                    select
                    from unnest(entity_ids) as e (entity_id)
                    cross join lateral (
                        select
                        from taisce.entity_mention as i
                        where i.project_id = project_id
                          and i.entity_id = e.entity_id
                          and i.observation_id between n.observation_id and n.observation_id
                          and i.ordinal = n.ordinal
                        order by i.observation_id, i.ordinal
                        limit 1
                    ) as m
                )
            );
        end if;
        v_given := array(
            select row(r.passage_id, r.score, null, null, r.why,
                case when r.complete then 'whole' end)::taisce.pooled
            from taisce.rank_passages(
                project_id, query, roles, candidate_k, candidate_k + 1, subject, v_numbers, null,
                entity_ids, v_words
            ) with ordinality as r (number, passage_id, score, why, complete, place)
            order by r.place
        );
        v_generation := taisce.asked_generation(project_id, 'message', asked);
        if v_generation.generation_id is not null then
            if entity_ids is not null then
                v_items := taisce.scope_items(project_id, 'message', entity_ids);
                v_fact_items := taisce.scope_items(project_id, 'fact', entity_ids);
            end if;
            v_given := taisce.fuse_candidates(
                asked, v_generation, v_given, candidate_k, roles, subject, v_items, v_fact_items);
        end if;
        v_unread := v_unread or cardinality(v_given) > candidate_k
            or exists (select from unnest(v_given) as g where g.fate is null);
    end if;
    if claims_given is null and entity_ids is null then
        -- rank_passages gives what it has found in the live tables, in this snapshot.
        passages := v_given;
    else
        with judged as materialized (
            select
                g.item_id, g.score, g.place, g.why, t.touches,
                m.there
                and (entity_ids is null or t.touches > 0)
                and m.kept as kept
            from unnest(v_given) with ordinality
                as g (item_id, score, touches, hops, why, fate, place)
            left join lateral (
                select
                    true as there,
                    i.observation_id,
                    i.ordinal,
                    i.content is not null
                    and i.retention_until > v_read_at
                    and i.role = any (roles)
                    and (subject is null or i.data_subject_id = subject) as kept
                from taisce.message as i
                where i.project_id = project_id
                  and i.passage_id between g.item_id and g.item_id
                order by i.passage_id
                limit 1
            ) as m on true
            left join lateral (
                select count(*)::integer as touches
                from unnest(entity_ids) as e (entity_id)
                cross join lateral (
                    select
                    from taisce.entity_mention as i
                    where i.project_id = project_id
                      and i.entity_id = e.entity_id
                      and i.observation_id between m.observation_id and m.observation_id
                      and i.ordinal = m.ordinal
                    order by i.observation_id, i.ordinal
                    limit 1
                ) as n
                where m.there
            ) as t on true
        )
        select
            coalesce(array_agg(
                row(j.item_id, j.score, j.touches, null, j.why, 'kept')::taisce.pooled
                order by case when claims_given is null then j.touches end desc, j.place
            ) filter (where j.kept), '{}'),
            count(*) filter (where j.kept is not true)
        into passages, v_gone
        from judged as j;
        dropped := dropped + v_gone;
    end if;
    exact := exact and not v_unread;
    passages := passages[:candidate_k];
end
$func$;
comment on function taisce.testimony_pool(
    bigint, text, uuid[], integer, text, text[], taisce.pooled[], taisce.pooled[],
    taisce.asked_vector
) is 'The candidates of a testimony_context that the live tables confirm.';
revoke all on function taisce.testimony_pool(
    bigint, text, uuid[], integer, text, text[], taisce.pooled[], taisce.pooled[],
    taisce.asked_vector
) from public;
