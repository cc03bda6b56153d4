-- requires: search/word_candidates.sql
-- requires: search/word_numbers.sql
-- taisce.rank_facts(project_id, query, roles, candidate_k, max_rows, subject, numbers)
-- Facts that answer a query, by words alone. Nominated are the facts with the best words and those
-- that rest on the messages with the best words. A word counts for a fact where it stands in it,
-- less in its evidence and in the messages beside that, with diminishing returns; a fact about
-- somebody the question names gains. The weights are the settings fact_weight_*, passage_saturation
-- and passage_weight_speaker. No time is applied: whoever asks confirms the facts in its own.
-- numbers: none but these facts (an entity scope).
-- Returns: at most max_rows rows, best first, then by id.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.ranked_fact') is null then
        create type taisce.ranked_fact as (
            number bigint,
            fact_id uuid,
            score double precision,
            complete boolean
        );
    end if;
end
$do$;

create or replace function taisce.rank_facts(
    project_id bigint,
    query text,
    roles text[],
    candidate_k integer default 200,
    max_rows integer default 50,
    subject text default null,
    numbers bigint[] default null
)
returns setof taisce.ranked_fact
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
    v_pool constant integer := greatest(candidate_k / 2, max_rows);
    v_evidence double precision;
    v_next double precision;
    v_speaker double precision;
    v_half double precision;
    v_words taisce.word_terms;
    v_fact_words taisce.word_terms;
    v_terms text[];
    v_weights double precision[];
    v_hits taisce.word_hit[];
    v_fact_hits taisce.word_hit[];
    v_question constant text :=
        ' ' || array_to_string(taisce.name_words(taisce.normalize_name(query)), ' ') || ' ';
    v_complete boolean;
    v_all double precision;
begin
    select
        max(s.value::double precision) filter (where s.name = 'fact_weight_evidence'),
        max(s.value::double precision) filter (where s.name = 'fact_weight_next'),
        max(s.value::double precision) filter (where s.name = 'passage_weight_speaker'),
        max(s.value::double precision) filter (where s.name = 'passage_saturation')
    into v_evidence, v_next, v_speaker, v_half
    from taisce.setting as s
    where s.name like 'passage\_%' or s.name like 'fact\_weight\_%';

    v_words := taisce.word_query(project_id, 'message', query);
    v_fact_words := taisce.word_query(project_id, 'fact', query);
    v_fact_hits := array(
        select h
        from taisce.word_candidates(
            project_id, 'fact', v_fact_words, roles, v_pool, 500, subject, numbers) as h
    );
    if v_evidence > 0 then
        v_hits := array(
            select h
            from taisce.word_candidates(
                project_id, 'message', v_words, roles, 40, 500, subject) as h
        );
    end if;
    select coalesce(bool_and(h.complete), true) into v_complete from unnest(v_fact_hits) as h;

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
    if v_terms is null then
        return;
    end if;

    select sum(w.weight) into v_all from unnest(v_weights) as w (weight);

    return query
    with pool as materialized (
        select d.number, d.item_id, d.terms, d.frequencies,
            0.3 + 0.9 * d.length / v_fact_words.average as norm
        from (
            select h.number, h.item_id
            from unnest(v_fact_hits) as h
            union
            select taisce.item_number(f.fact_id), f.fact_id
            from unnest(v_hits) as h
            cross join lateral (
                select i.observation_id, i.ordinal
                from taisce.message as i
                where i.project_id = project_id
                  and i.passage_id between h.item_id and h.item_id
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
        ) as n
        cross join lateral (
            select w.number, w.item_id, w.terms, w.frequencies, w.length
            from taisce.word_document as w
            where w.project_id = project_id
              and w.space = 'fact'
              and w.number between n.number and n.number
              and w.item_id = n.item_id
              and w.role = any (roles)
              and (subject is null or w.data_subject_id = subject)
            order by w.number
            limit 1
        ) as d
        where numbers is null
           or d.number in (select f.number from unnest(numbers) as f (number))
    ),
    resting as materialized (
        select p.number, p.item_id, e.message
        from pool as p
        cross join lateral (
            select taisce.message_number(v.log_offset, v.ordinal) as message
            from taisce.fact_evidence as v
            where v.project_id = project_id
              and v.fact_id between p.item_id and p.item_id
              and v.stance = 'supports'
              and v.role = any (roles)
              and v.retention_until > v_now
              and (subject is null or v.data_subject_id = subject)
            order by v.fact_id, v.stance, v.log_offset, v.ordinal
            limit 8
        ) as e
    ),
    said as materialized (
        select d.*
        from (
            select distinct i.message + r.step as number
            from resting as i
            cross join generate_series(-1, 1) as r (step)
            where (i.message + r.step) >> 16 = i.message >> 16
        ) as s
        cross join lateral (
            select w.number, w.terms, w.frequencies,
                0.3 + 0.9 * w.length / v_words.average as norm
            from taisce.word_document as w
            where w.project_id = project_id
              and w.space = 'message'
              and w.number between s.number and s.number
              and w.role = any (roles)
              and (subject is null or w.data_subject_id = subject)
            order by w.number
            offset 0
        ) as d
    ),
    heard as materialized (
        select f.number, f.place, f.frequency / (f.frequency + f.norm) as part
        from (
            select p.number, t.place, p.norm,
                p.frequencies[array_position(p.terms, t.term collate "C")]::double precision
                    as frequency
            from said as p
            cross join unnest(v_terms) with ordinality as t (term, place)
            offset 0
        ) as f
        where f.frequency is not null
    ),
    part as (
        select f.number, f.item_id, f.place, 0 as source,
            f.frequency / (f.frequency + f.norm) as part
        from (
            select p.number, p.item_id, t.place, p.norm,
                p.frequencies[array_position(p.terms, t.term collate "C")]::double precision
                    as frequency
            from pool as p
            cross join unnest(v_terms) with ordinality as t (term, place)
            offset 0
        ) as f
        where f.frequency is not null
        union all
        select r.number, r.item_id, h.place, abs(s.step) + 1, h.part
        from resting as r
        cross join generate_series(-1, 1) as s (step)
        join heard as h on h.number = r.message + s.step
    ),
    felt as (
        select i.number, i.item_id, i.place,
            coalesce(max(i.part) filter (where i.source = 0), 0)
                + v_evidence * coalesce(max(i.part) filter (where i.source = 1), 0)
                + v_next * coalesce(max(i.part) filter (where i.source = 2), 0) as part
        from part as i
        group by i.number, i.item_id, i.place
    ),
    weighed as (
        select f.number, f.item_id,
            sum(v_weights[f.place] * f.part / (f.part + v_half)) as score
        from felt as f
        group by f.number, f.item_id
    )
    select w.number, w.item_id, w.score + case when m.named then v_speaker * v_all else 0 end,
        v_complete
    from weighed as w
    cross join lateral (
        select i.subject_entity_id
        from taisce.fact as i
        where i.project_id = project_id
          and i.fact_id between w.item_id and w.item_id
          and i.retention_until > v_now
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select exists (
            select
            from taisce.entity_name as n
            where n.project_id = project_id
              and n.entity_id between f.subject_entity_id and f.subject_entity_id
              and strpos(v_question, ' ' || n.normalized_name || ' ') > 0
        ) as named
        offset 0
    ) as m
    order by 3 desc, w.item_id
    limit max_rows;
end
$func$;
comment on function taisce.rank_facts(
    bigint, text, text[], integer, integer, text, bigint[]
) is 'Facts that answer a query, by words of their own and of what they rest on.';
revoke all on function taisce.rank_facts(
    bigint, text, text[], integer, integer, text, bigint[]
) from public;
