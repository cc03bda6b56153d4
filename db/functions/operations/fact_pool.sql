-- requires: operations/operation_types.sql
-- requires: vectors/fuse_candidates.sql
-- taisce.fact_pool(project_id, words, extra, given, anchors, near, far, fenced, roles, subject,
--     predicate, scope, look, wide, asked)
-- The candidates of a fact_context, each held against the live tables. Nominated are the facts with
-- the best words and those of `extra` (facts around the anchors). What an index proposed and the
-- tables refuse (gone, expired, no longer believed, no words behind it that may be shown) is
-- `gone`; what lies outside the roles, the subject, the predicate, the entities or the time was
-- never meant. fenced: only facts of anchors, near or far entities; those touching more anchors
-- come first. Else they only weigh. given: candidates of an earlier page, in their order, instead
-- of a search. Whether words stand behind a fact is asked in order, until `look` are kept; the rest
-- is `open`. wide: nominate without role and subject, to see which of them emptied the answer.
-- asked: a vector, which nominates the nearest facts and adds to the scores by words.
-- Returns: one row: at most 200 candidates in order; counts of what was found up to each filter.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.fact_pool(
    project_id bigint,
    words taisce.word_terms,
    extra uuid[],
    given taisce.pooled[],
    anchors uuid[],
    near uuid[],
    far uuid[],
    fenced boolean,
    roles text[],
    subject text,
    predicate text,
    scope taisce.time_scope,
    look integer,
    wide boolean default false,
    asked taisce.asked_vector default null
)
returns taisce.fact_pool
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
    v_candidates constant integer := 200;
    v_deepest integer := case when fenced then 800 else 3200 end;
    v_few constant integer := 800;
    v_named constant double precision := 0.2;
    v_nominated constant double precision := 0.1;
    v_read_at constant timestamptz := statement_timestamp();
    v_all_weights constant double precision := (
        select coalesce(sum(w.weight), 0) from unnest(words.weights) as w (weight)
    );
    v_roles constant text[] := case
        when wide then array['user', 'assistant', 'system', 'tool', 'document']
        else roles
    end;
    v_most integer := v_candidates;
    v_numbers bigint[];
    v_hits taisce.word_hit[] := '{}';
    v_own taisce.word_hit[] := '{}';
    v_unread boolean := false;
    v_in integer;
    v_batch integer := 64;
    v_next integer := 1;
    v_kept integer := 0;
    v_part taisce.pooled[];
    v_checked taisce.pooled[] := '{}';
    v_pool taisce.fact_pool;
    v_generation constant taisce.embedding_generation
        := taisce.asked_generation(project_id, 'fact', asked);
    v_items uuid[];
    v_fused taisce.pooled[];
begin
    if given is null and fenced then
        -- Little is known of the scope, or at least of the anchors: all of it is scored.
        if taisce.small_scope(project_id, 'fact', anchors || near || far, v_few) then
            v_numbers := taisce.scope_numbers(project_id, 'fact', anchors || near || far);
        elsif taisce.small_scope(project_id, 'fact', anchors, v_few) then
            -- Deeper lies only more about the neighbours.
            v_deepest := v_candidates;
            v_own := array(
                select h
                from taisce.word_candidates(
                    project_id, 'fact', words, v_roles, v_candidates, 500,
                    case when not wide then subject end,
                    taisce.scope_numbers(project_id, 'fact', anchors)) as h
            );
        end if;
    end if;
    loop
        if given is null then
            v_hits := array(
                select h
                from taisce.word_candidates(
                    project_id, 'fact', words, v_roles, v_most, 500,
                    case when not wide then subject end, v_numbers) as h
            );
            v_unread := cardinality(v_hits) >= v_most
                or exists (select from unnest(v_hits) as h where not h.complete);
            if v_generation.generation_id is not null then
                v_fused := array(
                    select row(h.item_id, max(h.score), null, null, 'words', null)::taisce.pooled
                    from unnest(v_hits || v_own) as h
                    group by h.item_id
                );
                if fenced and v_items is null then
                    v_items := taisce.scope_items(project_id, 'fact', anchors || near || far);
                end if;
                v_fused := taisce.fuse_candidates(
                    asked, v_generation, v_fused, v_most, v_roles, case when not wide then subject end,
                    v_items);
                v_unread := v_unread or cardinality(v_fused) >= v_most;
            end if;
        end if;
        select
            (array_agg(
                row(
                    k.item_id,
                    k.score,
                    k.touches,
                    case
                        when cardinality(anchors) = 0 or not fenced and k.touches = 0 then null
                        when k.touches > 0 then 1
                        when k.is_near then 2
                        else 3
                    end,
                    k.why,
                    case when k.fate = 'open' then 'open' else 'gone' end
                )::taisce.pooled
                order by
                    k.place nulls first,
                    case when fenced then k.touches end desc,
                    k.score + case
                        when fenced then 0
                        when k.touches > 0 then v_named * v_all_weights
                        when k.is_near then v_nominated * v_all_weights
                        else 0
                    end desc,
                    k.item_id
            ) filter (
                where k.fate in ('open', 'gone')
                   or given is not null
            ))[:v_candidates + 1],
            true,
            count(*) filter (where k.fate <> 'outside' and k.there and k.kept),
            count(*) filter (where k.fate not in ('outside', 'subject') and k.there and k.kept),
            count(*) filter (
                where k.fate not in ('outside', 'subject', 'role') and k.there and k.kept),
            count(*) filter (where k.fate not in ('outside', 'subject', 'role', 'predicate')
                and k.there and k.kept),
            count(*) filter (where k.fate = 'open')
        into v_pool
        from (
            select
                i.*,
                case
                    when i.there is null then 'gone'
                    when fenced and i.touches = 0 and not i.is_near and not i.is_far
                        then 'outside'
                    when not i.of_subject then 'subject'
                    when not i.of_role then 'role'
                    when not i.of_predicate then 'predicate'
                    when not i.kept then 'gone'
                    when i.holds then 'open'
                    -- Believed at another time of the world, or not yet: it was never meant.
                    when (
                        select
                            bool_or(r.known_from <= scope.known_from_max
                                and r.known_to >= scope.known_to_min)
                            or not bool_or(r.known_from <= scope.known_from_max)
                        from (
                            select j.known_from, j.known_to
                            from taisce.fact_version as j
                            where j.project_id = project_id
                              and j.fact_id between i.item_id and i.item_id
                            order by j.fact_id
                        ) as r
                    ) then 'time'
                    else 'gone'
                end as fate
            from (
                select
                    p.*,
                    v.holds,
                    coalesce(v.holds, f.there) as there,
                    case when v.holds then v.retention_until else f.retention_until end
                        > v_read_at as kept,
                    subject is null or coalesce(
                        case when v.holds then v.data_subject_id else f.data_subject_id end
                        = subject, false) as of_subject,
                    case when v.holds then v.source_role else f.source_role end = any (roles)
                        as of_role,
                    predicate is null or coalesce(
                        case when v.holds then v.predicate else f.predicate end
                        = predicate collate "C" and e.object_id is not null, false)
                        as of_predicate,
                    (e.subject_id = any (anchors))::integer + coalesce(
                        e.object_id <> e.subject_id and e.object_id = any (anchors), false
                    )::integer as touches,
                    e.subject_id = any (near) or coalesce(e.object_id = any (near), false)
                        as is_near,
                    e.subject_id = any (far) or coalesce(e.object_id = any (far), false)
                        as is_far
                from (
                    select g.item_id, max(g.score) as score, min(g.place) as place,
                        coalesce(min(g.why), 'words') as why
                    from (
                        select h.item_id, h.score, null::bigint as place, h.why
                        from unnest(v_fused) as h
                        union all
                        select h.item_id, h.score, null, null
                        from unnest(v_hits || v_own) as h
                        where v_fused is null
                        union all
                        select e.item_id, 0, null, null
                        from unnest(extra) as e (item_id)
                        where given is null
                        union all
                        select k.item_id, k.score, k.place, k.why
                        from unnest(given) with ordinality
                            as k (item_id, score, touches, hops, why, fate, place)
                    ) as g
                    group by g.item_id
                ) as p
                left join lateral (
                    select true as holds, i.subject_entity_id, i.object_entity_id, i.predicate,
                        i.source_role, i.data_subject_id, i.retention_until
                    from taisce.fact_version as i
                    where i.project_id = project_id
                      and i.fact_id between p.item_id and p.item_id
                      and i.known_from <= scope.known_from_max
                      and i.known_to >= scope.known_to_min
                      and i.valid_from <= scope.valid_from_max
                      and i.valid_to >= case when i.replaced then scope.replaced_to_min
                        else scope.valid_to_min end
                    order by i.fact_id
                    limit 1
                ) as v on true
                left join lateral (
                    select true as there, i.subject_entity_id, i.object_entity_id, i.predicate,
                        i.source_role, i.data_subject_id, i.retention_until
                    from taisce.fact as i
                    where i.project_id = project_id
                      and i.fact_id between p.item_id and p.item_id
                      and v.holds is null
                    order by i.fact_id
                    limit 1
                ) as f on true
                cross join lateral (
                    select
                        case when v.holds then v.subject_entity_id else f.subject_entity_id end
                            as subject_id,
                        case when v.holds then v.object_entity_id else f.object_entity_id end
                            as object_id
                ) as e
                offset 0
            ) as i
            offset 0
        ) as k;
        v_pool.items := coalesce(v_pool.items, '{}');

        exit when given is not null or wide;
        v_in := cardinality(v_pool.items);
        -- What the filters took makes room for more, a few times over.
        exit when v_in >= look or not v_unread or v_most >= v_deepest;
        v_most := v_most * 4;
    end loop;
    v_pool.exact := not v_unread and cardinality(v_pool.items) <= v_candidates;
    v_pool.items := v_pool.items[:v_candidates];

    -- Some at a time, until enough are kept; of few, all.
    if cardinality(v_pool.items) > v_batch then
        v_batch := least(v_batch, look + 4);
    end if;
    while not wide and v_next <= cardinality(v_pool.items) and v_kept < look loop
        v_part := v_pool.items[v_next:v_next + v_batch - 1];
        v_part := array(
            select row(p.item_id, p.score, p.touches, p.hops, p.why,
                case
                    when p.fate = 'gone' or e.seen is null then 'gone'
                    else 'kept'
                end)::taisce.pooled
            from unnest(v_part) with ordinality
                as p (item_id, score, touches, hops, why, fate, place)
            left join lateral (
                select true as seen
                from taisce.fact_evidence as j
                where j.project_id = project_id
                  and j.fact_id between p.item_id and p.item_id
                  and j.stance = 'supports'
                  and j.role = any (roles)
                  and (subject is null or j.data_subject_id = subject)
                  and j.retention_until > v_read_at
                  and j.linked_at <= scope.linked_max
                  and p.fate = 'open'
                order by j.fact_id
                limit 1
            ) as e on true
            order by p.place
        );
        v_checked := v_checked || v_part;
        v_kept := v_kept + (select count(*) from unnest(v_part) as p where p.fate = 'kept');
        v_next := v_next + v_batch;
        v_batch := 64;
    end loop;
    v_pool.items := v_checked || v_pool.items[v_next:];
    return v_pool;
end
$func$;
comment on function taisce.fact_pool(
    bigint, taisce.word_terms, uuid[], taisce.pooled[], uuid[], uuid[], uuid[], boolean, text[],
    text, text, taisce.time_scope, integer, boolean, taisce.asked_vector
) is 'The candidates of a fact_context, each held against the live tables.';
revoke all on function taisce.fact_pool(
    bigint, taisce.word_terms, uuid[], taisce.pooled[], uuid[], uuid[], uuid[], boolean, text[],
    text, text, taisce.time_scope, integer, boolean, taisce.asked_vector
) from public;
