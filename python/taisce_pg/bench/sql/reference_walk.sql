-- The published walk: a recursive query over paths, two arms under UNION ALL, each ordered by fact
-- and cut to 64. One of the two files beside it follows.
with recursive walk as (
    select
        0 as hops,
        a.entity_id as tip,
        array[a.entity_id] as nodes,
        null::uuid as fact_id
    from unnest(%(entity_ids)s::uuid[]) as a (entity_id)
    union all
    select
        w.hops + 1,
        nullif(s.other, w.tip),
        w.nodes || s.other,
        s.fact_id
    from walk as w
    cross join lateral (
        (
            select f.fact_id, f.object_id as other
            from bench_reference.fact as f
            {state}
            where f.scope = any (%(scopes)s::bigint[])
              and f.subject_id = w.tip
              and f.source_role = any (%(roles)s::text[])
              and (%(subject)s::text is null or f.data_subject_id = %(subject)s)
              and f.expires_at > statement_timestamp()
              and {seen}
            order by f.fact_id
            limit 64
        )
        union all
        (
            select f.fact_id, f.subject_id as other
            from bench_reference.fact as f
            {state}
            where f.scope = any (%(scopes)s::bigint[])
              and f.object_id = w.tip
              and f.source_role = any (%(roles)s::text[])
              and (%(subject)s::text is null or f.data_subject_id = %(subject)s)
              and f.expires_at > statement_timestamp()
              and {seen}
            order by f.fact_id
            limit 64
        )
    ) as s
    where w.hops < %(hops)s
      and (s.other is null or s.other = w.tip or s.other <> all (w.nodes))
),
once as (
    select distinct on (w.fact_id) w.fact_id, w.hops, w.nodes
    from walk as w
    where w.fact_id is not null
    order by w.fact_id, w.hops
)
