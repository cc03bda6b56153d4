-- taisce.small_scope(project_id, space, entity_ids, most)
-- Whether so little is about some entities that all of it can be scored: at most `most` versions of
-- facts, or mentions. It reads no more than that to find out.
-- Returns: one boolean.   Runs as: invoker.   Since: 0.1

create or replace function taisce.small_scope(
    project_id bigint,
    space text,
    entity_ids uuid[],
    most integer
)
returns boolean
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
begin
    if small_scope.space = 'fact' then
        return (
            select count(*) <= small_scope.most
            from (
                select
                from unnest(small_scope.entity_ids) as e (entity_id)
                cross join lateral (
                    (
                        select
                        from taisce.fact_version as v
                        where v.project_id = small_scope.project_id
                          and v.subject_entity_id between e.entity_id and e.entity_id
                        order by v.subject_entity_id, v.live
                        limit small_scope.most + 1
                    )
                    union all
                    (
                        select
                        from taisce.fact_version as v
                        where v.project_id = small_scope.project_id
                          and v.object_entity_id between e.entity_id and e.entity_id
                        order by v.object_entity_id, v.live
                        limit small_scope.most + 1
                    )
                ) as v
                limit small_scope.most + 1
            ) as n
        );
    end if;
    return (
        select count(*) <= small_scope.most
        from (
            select
            from unnest(small_scope.entity_ids) as e (entity_id)
            cross join lateral (
                select
                from taisce.entity_mention as m
                where m.project_id = small_scope.project_id
                  and m.entity_id between e.entity_id and e.entity_id
                order by m.entity_id, m.observation_id, m.ordinal
                limit small_scope.most + 1
            ) as m
            limit small_scope.most + 1
        ) as n
    );
end
$func$;
comment on function taisce.small_scope(bigint, text, uuid[], integer) is
'Whether so little is about some entities that all of it can be scored.';
revoke all on function taisce.small_scope(bigint, text, uuid[], integer) from public;
