-- taisce.join_contradiction(project_id, fact_ids)
-- Puts facts into one contradiction group, with all that share a group with one of them already.
-- From then on the no-overlap rule leaves them alone.
-- Returns: the group.   Runs as: invoker.   Since: 0.1

create or replace function taisce.join_contradiction(project_id bigint, fact_ids uuid[])
returns uuid
language plpgsql
volatile
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_groups uuid[];
    v_group uuid;
    v_joined uuid[];
begin
    select array_agg(distinct f.contradiction_group order by f.contradiction_group)
    into v_groups
    from unnest(join_contradiction.fact_ids) as i (fact_id)
    cross join lateral (
        select g.contradiction_group
        from taisce.fact as g
        where g.project_id = join_contradiction.project_id
          and g.fact_id between i.fact_id and i.fact_id
        order by g.fact_id
        limit 1
    ) as f
    where f.contradiction_group is not null;

    v_group := coalesce(
        v_groups[1],
        taisce.make_id('contradiction', join_contradiction.project_id, (
            select i::text from unnest(join_contradiction.fact_ids) as i order by i limit 1
        )));

    with joined as (
        update taisce.fact as f
        set contradiction_group = v_group
        where f.project_id + 0 = join_contradiction.project_id
          and f.ctid = any (array(
            select o.place
            from unnest(join_contradiction.fact_ids) as i (fact_id)
            cross join lateral (
                select g.ctid as place, g.contradiction_group
                from taisce.fact as g
                where g.project_id = join_contradiction.project_id
                  and g.fact_id between i.fact_id and i.fact_id
                order by g.fact_id
                limit 1
            ) as o
            where o.contradiction_group is distinct from v_group
            union
            select o.place
            from unnest(v_groups[2:]) as i (contradiction_group)
            cross join lateral (
                select g.ctid as place
                from taisce.fact as g
                where g.project_id = join_contradiction.project_id
                  and g.contradiction_group
                    between i.contradiction_group and i.contradiction_group
                order by g.contradiction_group
                offset 0
            ) as o
        ))
        returning f.fact_id
    )
    select coalesce(array_agg(j.fact_id), '{}') into v_joined from joined as j;

    update taisce.fact_version as v
    set contested = true
    where v.project_id + 0 = join_contradiction.project_id
      and v.ctid = any (array(
        select o.place
        from unnest(v_joined) as i (fact_id)
        cross join lateral (
            select g.ctid as place
            from taisce.fact_version as g
            where g.project_id = join_contradiction.project_id
              and g.fact_id between i.fact_id and i.fact_id
              and g.known_to = 'infinity'
              and not g.contested
            order by g.fact_id, g.known_from
            offset 0
        ) as o
    ));
    return v_group;
end
$func$;
comment on function taisce.join_contradiction(bigint, uuid[]) is
'Puts facts into one contradiction group, merging the groups they were in.';
revoke all on function taisce.join_contradiction(bigint, uuid[]) from public;
