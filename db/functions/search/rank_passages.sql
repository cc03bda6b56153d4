-- requires: search/word_candidates.sql
-- requires: search/word_numbers.sql
-- requires: search/question_speakers.sql
-- taisce.rank_passages(project_id, query, roles, candidate_k, max_rows, subject, numbers, ...)
-- Passages that answer a query, by words alone. Nominated are the messages and the facts with the
-- best words; looked at are those messages, the evidence of those facts, and what was said within
-- two messages of either. A word counts for a passage where it stands in it, less in the messages
-- beside it and in facts whose evidence the passage is, with diminishing returns; a passage said by
-- somebody the question names, or among good passages of its observation, gains. The weights are
-- the settings passage_*. Facts point, they are never in the answer.
-- before: the words of the query in another space. numbers: none but these messages (an entity
-- scope). why: what it owes most to.
-- Returns: at most max_rows rows, confirmed in the live tables, best first, then as told.
-- Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.ranked_passage') is null then
        create type taisce.ranked_passage as (
            number bigint,
            passage_id uuid,
            score double precision,
            why text,
            complete boolean
        );
    end if;
end
$do$;

create or replace function taisce.rank_passages(
    project_id bigint,
    query text,
    roles text[],
    candidate_k integer default 200,
    max_rows integer default 50,
    subject text default null,
    numbers bigint[] default null,
    last_number bigint default null,
    entity_ids uuid[] default null,
    before taisce.word_terms default null
)
returns setof taisce.ranked_passage
language plpgsql
stable
parallel safe
rows 50
set enable_sort = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $func$
#variable_conflict use_variable
declare
    v_now constant timestamptz := statement_timestamp();
    v_reach constant integer := 2;
    v_few constant integer := 128;
    v_pool constant integer := least(greatest(candidate_k / 4, 40), 100);
    v_depth constant integer := 5 * v_pool;
    v_next double precision;
    v_second double precision;
    v_fact double precision;
    v_speaker double precision;
    v_observation double precision;
    v_half double precision;
    v_words taisce.word_terms;
    v_fact_words taisce.word_terms;
    v_terms text[];
    v_weights double precision[];
    v_hits taisce.word_hit[];
    v_fact_hits taisce.word_hit[];
    v_fact_numbers bigint[];
    v_speakers text[];
    v_complete boolean;
begin
    v_words := taisce.word_query(project_id, 'message', query, before);
    v_fact_words := taisce.word_query(project_id, 'fact', query, v_words);
    if cardinality(v_words.terms) + cardinality(v_fact_words.terms) = 0 then
        return;
    end if;
    select
        max(s.value::double precision) filter (where s.name = 'passage_weight_next'),
        max(s.value::double precision) filter (where s.name = 'passage_weight_second'),
        max(s.value::double precision) filter (where s.name = 'passage_weight_fact'),
        max(s.value::double precision) filter (where s.name = 'passage_weight_speaker'),
        max(s.value::double precision) filter (where s.name = 'passage_weight_observation'),
        max(s.value::double precision) filter (where s.name = 'passage_saturation')
    into v_next, v_second, v_fact, v_speaker, v_observation, v_half
    from taisce.setting as s
    where s.name like 'passage\_%';

    v_hits := array(
        select h
        from taisce.word_candidates(
            project_id, 'message', v_words, roles, v_pool, v_depth, subject, numbers, last_number
        ) as h
    );
    if v_fact > 0 then
        -- Of few messages, every fact that rests on one of them; else those with the best words.
        if cardinality(numbers) <= v_few then
            v_fact_numbers := array(
                select distinct taisce.item_number(f.fact_id)
                from unnest(numbers) as n (number)
                cross join lateral (
                    select i.item_id
                    from taisce.word_document as i
                    where i.project_id = project_id
                      and i.space = 'message'
                      and i.number between n.number and n.number
                    order by i.number
                    limit 1
                ) as d
                cross join lateral (
                    select i.observation_id, i.ordinal
                    from taisce.message as i
                    where i.project_id = project_id
                      and i.passage_id between d.item_id and d.item_id
                    order by i.passage_id
                    limit 1
                ) as m
                cross join lateral (
                    select i.claim_id
                    from taisce.claim as i
                    where i.project_id = project_id
                      and i.observation_id between m.observation_id and m.observation_id
                      and i.ordinal = m.ordinal
                    order by i.observation_id, i.ordinal, i.byte_start
                    limit 16
                ) as c
                cross join lateral (
                    select i.fact_id
                    from taisce.fact_evidence as i
                    where i.project_id = project_id
                      and i.claim_id between c.claim_id and c.claim_id
                      and i.stance = 'supports'
                    order by i.claim_id
                    limit 16
                ) as f
            );
        end if;
        v_fact_hits := array(
            select h
            from taisce.word_candidates(
                project_id, 'fact', v_fact_words, roles, v_pool, v_depth, subject, v_fact_numbers
            ) as h
        );
    end if;
    select coalesce(bool_and(h.complete), true) into v_complete from unnest(v_hits) as h;

    -- A word weighs what it weighs in messages; one that only facts have, what it weighs there.
    select array_agg(w.term order by w.place), array_agg(w.weight order by w.place)
    into v_terms, v_weights
    from (
        select t.term, t.weight, t.place
        from unnest(v_words.terms, v_words.weights) with ordinality as t (term, weight, place)
        union all
        select t.term, t.weight, t.place + 64
        from unnest(v_fact_words.terms, v_fact_words.weights) with ordinality
            as t (term, weight, place)
        where t.term <> all (v_words.terms)
    ) as w;
    v_speakers := taisce.question_speakers(project_id, query, entity_ids);

    return query
    with fact_said as materialized (
        select e.number, d.terms, d.frequencies, 0.3 + 0.9 * d.length / v_fact_words.average as norm
        from unnest(v_fact_hits) as h
        cross join lateral (
            (
                select w.terms, w.frequencies, w.length
                from taisce.word_document as w
                where w.project_id = project_id
                  and w.space = 'fact'
                  and w.number between h.number and h.number
                  and w.item_id = h.item_id
                  and (v_fact_words.due is null or w.item_id <> all (v_fact_words.due))
                order by w.number
                limit 1
            )
            union all
            select n.terms, n.frequencies, n.length
            from unnest(v_fact_words.anew) as n
            where n.item_id = h.item_id
        ) as d
        cross join lateral (
            select taisce.message_number(v.log_offset, v.ordinal) as number
            from taisce.fact_evidence as v
            where v.project_id = project_id
              and v.fact_id between h.item_id and h.item_id
              and v.stance = 'supports'
              and v.role = any (roles)
              and v.retention_until > v_now
              and (subject is null or v.data_subject_id = subject)
            order by v.fact_id, v.stance, v.log_offset, v.ordinal
            limit 8
        ) as e
    ),
    pointed as materialized (
        select f.number, f.place, max(f.frequency / (f.frequency + f.norm)) as part
        from (
            select s.number, t.place, s.norm,
                s.frequencies[array_position(s.terms, t.term collate "C")]::double precision
                    as frequency
            from fact_said as s
            cross join unnest(v_terms) with ordinality as t (term, place)
            offset 0
        ) as f
        where f.frequency is not null
        group by f.number, f.place
    ),
    seed as materialized (
        select h.number from unnest(v_hits) as h
        union
        select p.number from pointed as p
    ),
    -- Stretches of an observation with a seed at most every fifth message: read once each.
    stretch as materialized (
        select
            greatest(min(i.number) - v_reach, min(i.number) >> 16 << 16) as first,
            least(max(i.number) + v_reach, min(i.number) >> 16 << 16 | 65535, last_number) as last
        from (
            select j.number, count(*) filter (where j.apart) over (order by j.number) as stretch
            from (
                select h.number,
                    h.number - lag(h.number) over (order by h.number) > 2 * v_reach
                    or h.number >> 16 <> lag(h.number) over (order by h.number) >> 16 as apart
                from seed as h
            ) as j
        ) as i
        group by i.stretch
    ),
    pool as materialized (
        select d.*
        from stretch as s
        cross join lateral (
            select w.number, w.item_id, w.speaker, w.terms, w.frequencies,
                0.3 + 0.9 * w.length / v_words.average as norm
            from taisce.word_document as w
            where w.project_id = project_id
              and w.space = 'message'
              and w.number between s.first and s.last
              and (v_words.due is null or w.item_id not in (
                  select u.item_id from unnest(v_words.due) as u (item_id)
              ))
              and w.role = any (roles)
              and (subject is null or w.data_subject_id = subject)
            order by w.number
            offset 0
        ) as d
    ),
    own as materialized (
        select f.number, f.place, f.frequency / (f.frequency + f.norm) as part
        from (
            select p.number, t.place, p.norm,
                p.frequencies[array_position(p.terms, t.term collate "C")]::double precision
                    as frequency
            from pool as p
            cross join unnest(v_terms) with ordinality as t (term, place)
            offset 0
        ) as f
        where f.frequency is not null
    ),
    felt as (
        select o.number + o.step as number, o.place,
            max(o.part) filter (where o.step = 0) as own,
            coalesce(max(o.part) filter (where o.step = 0), 0)
                + v_next * coalesce(max(o.part) filter (where o.step in (-1, 1)), 0)
                + v_second * coalesce(max(o.part) filter (where o.step in (-2, 2)), 0)
                + v_fact * coalesce(max(o.part) filter (where o.step = 9), 0) as part,
            max(o.part) filter (where o.step = 9) as fact
        from (
            select w.number, w.place, w.part, r.step
            from own as w
            cross join generate_series(-v_reach, v_reach) as r (step)
            union all
            select w.number - 9, w.place, w.part, 9
            from pointed as w
        ) as o (number, place, part, step)
        group by o.number + o.step, o.place
    ),
    -- With the rows of the pool beside, so that nothing needs a join.
    weighed as (
        select f.number,
            (array_agg(f.item_id) filter (where f.item_id is not null))[1] as item_id,
            coalesce(bool_or(f.named), false) as named,
            sum(v_weights[f.place] * f.part / (f.part + v_half)) as score,
            sum(v_weights[f.place] * coalesce(f.own, 0)) as own,
            sum(v_weights[f.place] * v_fact * coalesce(f.fact, 0)) as fact,
            sum(v_weights[f.place] * f.part) as felt
        from (
            select i.number, i.place, i.own, i.part, i.fact, null::uuid as item_id,
                null::boolean as named
            from felt as i
            union all
            select p.number, null, null, null, null, p.item_id, p.speaker = any (v_speakers)
            from pool as p
        ) as f
        group by f.number
        having count(f.item_id) > 0
           and count(f.place) > 0
    ),
    ranked as (
        select w.number, w.item_id,
            w.score + case
                when w.named then v_speaker * (
                    select sum(i.weight) from unnest(v_weights) as i (weight))
                else 0
            end as score,
            case
                when w.own >= w.fact and w.own >= w.felt - w.own - w.fact then 'words'
                when w.fact >= w.felt - w.own - w.fact then 'fact'
                else 'neighbour'
            end as why
        from weighed as w
    ),
    placed as (
        select r.*,
            row_number() over (partition by r.number >> 16 order by r.score desc, r.number) as place
        from ranked as r
    ),
    total as materialized (
        select p.number, p.item_id, p.why,
            p.score + v_observation / 3 * sum(p.score) filter (where p.place <= 3)
                over (partition by p.number >> 16) as score
        from placed as p
    )
    select t.number, t.item_id, t.score, t.why, v_complete
    from (
        select i.*
        from total as i
        where numbers is null
           or i.number in (select f.number from unnest(numbers) as f (number))
        order by i.score desc, i.number
        limit greatest(max_rows * 2, max_rows + 20)
    ) as t
    cross join lateral (
        select true
        from taisce.message as m
        where m.project_id = project_id
          and m.passage_id between t.item_id and t.item_id
          and m.content is not null
          and m.role = any (roles)
          and m.retention_until > v_now
          and (subject is null or m.data_subject_id = subject)
        order by m.passage_id
        limit 1
    ) as m
    order by t.score desc, t.number
    limit max_rows;
end
$func$;
comment on function taisce.rank_passages(
    bigint, text, text[], integer, integer, text, bigint[], bigint, uuid[],
    taisce.word_terms
) is 'Passages that answer a query, by words of their own, of their neighbours and of facts.';
revoke all on function taisce.rank_passages(
    bigint, text, text[], integer, integer, text, bigint[], bigint, uuid[],
    taisce.word_terms
) from public;
