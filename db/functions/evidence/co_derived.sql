-- taisce.co_derived(fact_ids, said)
-- For each fact of render_facts, the others of the list that rest on the same message and are about
-- the same subject entity: one person saying one thing once. said goes with fact_ids.
-- Returns: one row a fact that has such others: place, their ids in the order of the list.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.co_derived(fact_ids uuid[], said text[])
returns table (place bigint, others jsonb)
language sql
stable
parallel safe
rows 32
as $func$
    select
        p.place,
        pg_catalog.jsonb_agg(p.other_id order by p.other_place)
    from (
        select distinct a.place, b.place as other_place, b.fact_id as other_id
        from (
            select
                pg_catalog.array_agg(i.place) as places,
                pg_catalog.array_agg(i.fact_id) as fact_ids
            from rows from (
                pg_catalog.unnest(co_derived.fact_ids), pg_catalog.unnest(co_derived.said)
            ) with ordinality as i (fact_id, said, place)
            cross join lateral pg_catalog.string_to_table(i.said, E'\x1f') as s (message)
            group by s.message
            having pg_catalog.count(*) > 1
        ) as m
        cross join lateral pg_catalog.unnest(m.places) as a (place)
        cross join lateral rows from (
            pg_catalog.unnest(m.places), pg_catalog.unnest(m.fact_ids)
        ) as b (place, fact_id)
        where a.place <> b.place
    ) as p
    group by p.place
$func$;
comment on function taisce.co_derived(uuid[], text[]) is
'For each fact, the others of a list that rest on the same message about the same subject.';
revoke all on function taisce.co_derived(uuid[], text[]) from public;
