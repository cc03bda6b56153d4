-- requires: operations/operation_types.sql
-- taisce.testimony_pool(project_id, query, entity_ids, candidate_k, subject, roles, claims_given,
--     passages_given)
-- The candidates of a testimony_context that the live tables confirm: claims by their own words,
-- passages by those of their neighbours and of the facts they are evidence for, too. Given: those
-- of an earlier page, in their order, instead of a search.
-- Returns: one row: at most candidate_k of each in order; how many the tables refused; whether
-- nothing was left unread.   Runs as: invoker.   Since: 0.1

create or replace function taisce.testimony_pool(
    project_id bigint,
    query text,
    entity_ids uuid[],
    candidate_k integer,
    subject text,
    roles text[],
    claims_given taisce.pooled[],
    passages_given taisce.pooled[],
    out claims taisce.pooled[],
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
    v_few constant integer := 1500;
    v_read_at constant timestamptz := statement_timestamp();
    v_words taisce.word_terms;
    v_most integer := candidate_k + 1;
    v_claim_numbers bigint[];
    v_message_numbers bigint[];
    v_whole boolean := true;
    v_given taisce.pooled[] := claims_given;
    v_unread boolean := false;
    v_claims_dropped integer;
    v_passages_dropped integer;
begin
    if claims_given is null then
        v_words := taisce.word_query(project_id, 'claim', query);
        if entity_ids is not null then
            v_whole := taisce.small_scope(project_id, 'claim', entity_ids, v_few);
            if v_whole then
                v_claim_numbers := taisce.scope_numbers(project_id, 'claim', entity_ids);
                v_message_numbers := taisce.scope_numbers(project_id, 'message', entity_ids);
            else
                v_most := candidate_k * 4;
            end if;
        end if;
    end if;

    loop
        if claims_given is null then
            v_given := array(
                select row(h.item_id, h.score, null, null, 'words',
                    case when h.complete then 'whole' end)::taisce.pooled
                from taisce.word_candidates(
                    project_id, 'claim', v_words, roles, v_most, 500, subject, v_claim_numbers
                ) with ordinality as h (number, item_id, score, complete, place)
                order by h.place
            );
            v_unread := cardinality(v_given) >= v_most
                or exists (select from unnest(v_given) as g where g.fate is null);
        end if;
        with judged as materialized (
            select
                g.item_id, g.score, g.place, t.touches,
                case
                    when c.there is null then 'gone'
                    when not c.of_subject or not c.of_role then 'outside'
                    when entity_ids is not null and t.touches = 0 then 'outside'
                    when not c.kept then 'gone'
                    else 'kept'
                end as fate
            from unnest(v_given) with ordinality
                as g (item_id, score, touches, hops, why, fate, place)
            left join lateral (
                select
                    true as there,
                    i.observation_id,
                    i.ordinal,
                    i.is_current_testimony and i.retention_until > v_read_at as kept,
                    subject is null or i.data_subject_id = subject as of_subject,
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
                where c.there
            ) as t on true
        )
        select
            array(
                select row(j.item_id, j.score, j.touches, null, 'words', 'kept')::taisce.pooled
                from judged as j
                where j.fate = 'kept'
                order by
                    case when claims_given is null then j.touches end desc,
                    j.place
                limit candidate_k + 1
            ),
            count(*) filter (
                where j.fate = 'gone' or claims_given is not null and j.fate <> 'kept')
        into claims, v_claims_dropped
        from judged as j;
        exit when claims_given is not null or v_whole or not v_unread
            or cardinality(claims) >= candidate_k / 4;
        -- Words hardly reach this scope: it is scored whole.
        v_claim_numbers := taisce.scope_numbers(project_id, 'claim', entity_ids);
        v_whole := true;
        v_most := candidate_k + 1;
    end loop;
    exact := not v_unread and cardinality(claims) <= candidate_k;
    claims := claims[:candidate_k];

    v_whole := entity_ids is null or v_message_numbers is not null;
    v_most := case when v_whole then candidate_k + 1 else candidate_k * 4 end;
    v_given := passages_given;
    loop
        if claims_given is null then
            v_given := array(
                select row(r.passage_id, r.score, null, null, r.why,
                    case when r.complete then 'whole' end)::taisce.pooled
                from taisce.rank_passages(
                    project_id, query, roles, candidate_k, v_most, subject, v_message_numbers, null,
                    entity_ids
                ) with ordinality as r (number, passage_id, score, why, complete, place)
                order by r.place
            );
            v_unread := cardinality(v_given) >= v_most
                or exists (select from unnest(v_given) as g where g.fate is null);
        end if;
        with judged as materialized (
            select
                g.item_id, g.score, g.place, g.why, t.touches,
                case
                    when m.there is null then 'gone'
                    when not m.of_subject or not m.of_role then 'outside'
                    when entity_ids is not null and t.touches = 0 then 'outside'
                    when not m.kept then 'gone'
                    else 'kept'
                end as fate
            from unnest(v_given) with ordinality
                as g (item_id, score, touches, hops, why, fate, place)
            left join lateral (
                select
                    true as there,
                    i.observation_id,
                    i.ordinal,
                    i.content is not null and i.retention_until > v_read_at as kept,
                    subject is null or i.data_subject_id = subject as of_subject,
                    i.role = any (roles) as of_role
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
            array(
                select row(j.item_id, j.score, j.touches, null, j.why, 'kept')::taisce.pooled
                from judged as j
                where j.fate = 'kept'
                order by
                    case when claims_given is null then j.touches end desc,
                    j.place
                limit candidate_k + 1
            ),
            count(*) filter (
                where j.fate = 'gone' or claims_given is not null and j.fate <> 'kept')
        into passages, v_passages_dropped
        from judged as j;
        exit when claims_given is not null or v_whole or not v_unread
            or cardinality(passages) >= candidate_k / 4;
        v_message_numbers := taisce.scope_numbers(project_id, 'message', entity_ids);
        v_whole := true;
        v_most := candidate_k + 1;
    end loop;
    exact := exact and not v_unread and cardinality(passages) <= candidate_k;
    passages := passages[:candidate_k];
    dropped := v_claims_dropped + v_passages_dropped;
end
$func$;
comment on function taisce.testimony_pool(
    bigint, text, uuid[], integer, text, text[], taisce.pooled[], taisce.pooled[]
) is 'The candidates of a testimony_context that the live tables confirm.';
revoke all on function taisce.testimony_pool(
    bigint, text, uuid[], integer, text, text[], taisce.pooled[], taisce.pooled[]
) from public;
