-- taisce.co_derived(items)
-- For each item of render_facts, the others of the list that rest on the same message and are about
-- the same subject entity: one person saying one thing once.
-- Returns: one row an item that has such others: place, their ids in the order of the list.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.co_derived(items jsonb[])
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
                pg_catalog.array_agg(i.item -> 'fact_id') as fact_ids
            from pg_catalog.unnest(co_derived.items) with ordinality as i (item, place)
            cross join lateral pg_catalog.jsonb_array_elements(i.item -> 'said') as s (message)
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
comment on function taisce.co_derived(jsonb[]) is
'For each fact, the others of a list that rest on the same message about the same subject.';
revoke all on function taisce.co_derived(jsonb[]) from public;
