-- requires: operations/operation_types.sql
-- taisce.testimony_items(project_id, claims, claim_words, passages, k)
-- Claims and passages as testimony_context shows them, k of each: claims that say the same in the
-- same words are one, the best of them, with the ids of all and the number of distinct lineages.
-- Returns: one row: items, claims first; how many there are in all.   Runs as: invoker.   Since:
-- 0.1

create or replace function taisce.testimony_items(
    project_id bigint,
    claims taisce.pooled[],
    claim_words text[],
    passages taisce.pooled[],
    k integer,
    out items memory_v1.testimony_item[],
    out total integer
)
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
#variable_conflict use_variable
declare
    v_best taisce.pooled[];
    v_ids uuid[];
    v_passages memory_v1.testimony_item[];
begin
    with grouped as materialized (
        select min(g.place) as place, array_agg(g.item_id order by g.place) as ids
        from rows from (unnest(claims), unnest(claim_words)) with ordinality
            as g (item_id, score, touches, hops, why, fate, words, place)
        group by g.words
    ),
    best as materialized (
        select g.*, claims[g.place] as claim, row_number() over (order by g.place) as number
        from (select i.* from grouped as i order by i.place limit k) as g
    )
    select
        array_agg(
            row(
                'claim', s.claim_id, s.observation_id, s.ordinal, s.passage_id, s.claim_text,
                s.quote, s.byte_start, s.byte_end, s.context, s.context_start, s.context_complete,
                s.role, s.asserted_at, s.claim_valid_from, s.claim_valid_until,
                s.claim_valid_precision, s.is_current_testimony, s.title, s.source_kind, s.lineage,
                l.lineages, b.ids, null, s.occurred_at, s.log_offset,
                trim_scale(round((b.claim).score::numeric, 4)), (b.claim).why,
                null, null, null, null
            )::memory_v1.testimony_item
            order by b.number
        ),
        (select count(*) from grouped)
    into items, total
    from best as b
    join taisce.show_claims(
        project_id, array(select (i.claim).item_id from best as i order by i.number)
    ) as s on s.place = b.number
    cross join lateral (
        select case
            when cardinality(b.ids) = 1 then 1
            else (
                select count(distinct o.lineage)::integer
                from unnest(b.ids) as i (id)
                cross join lateral (
                    select j.observation_id
                    from taisce.claim as j
                    where j.project_id = project_id
                      and j.claim_id between i.id and i.id
                    order by j.claim_id
                    limit 1
                ) as c
                cross join lateral (
                    select j.lineage
                    from taisce.observation as j
                    where j.project_id = project_id
                      and j.observation_id between c.observation_id and c.observation_id
                    order by j.observation_id
                    limit 1
                ) as o
            )
        end as lineages
    ) as l;

    v_passages := array(
        select row(
            'passage', null, m.observation_id, m.ordinal, m.passage_id, null, null, null, null,
            null, null, null, m.role, null, null, null, null, null, o.title, o.source_kind,
            o.lineage, null, null, m.content, m.occurred_at, m.log_offset,
            trim_scale(round(p.score::numeric, 4)), p.why, null, null, null, null
        )::memory_v1.testimony_item
        from unnest(passages[:k]) with ordinality
            as p (item_id, score, touches, hops, why, fate, place)
        cross join lateral (
            select i.*
            from taisce.message as i
            where i.project_id = project_id
              and i.passage_id between p.item_id and p.item_id
            order by i.passage_id
            limit 1
        ) as m
        cross join lateral (
            select i.title, i.source_kind, i.lineage
            from taisce.observation as i
            where i.project_id = project_id
              and i.observation_id between m.observation_id and m.observation_id
            order by i.observation_id
            limit 1
        ) as o
        order by p.place
    );
    items := coalesce(items, '{}') || v_passages;
    total := coalesce(total, 0) + cardinality(passages);
end
$func$;
comment on function taisce.testimony_items(
    bigint, taisce.pooled[], text[], taisce.pooled[], integer
) is
'Claims and passages as testimony_context shows them, k of each.';
revoke all on function taisce.testimony_items(
    bigint, taisce.pooled[], text[], taisce.pooled[], integer
) from public;
