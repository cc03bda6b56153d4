-- taisce.scope_items(project_id, space, entity_ids), taisce.subject_entities(project_id, subject)
-- The items of a space that are about some entities: messages and claims that mention one, facts
-- that name one, the entities themselves; at most 50,000. And the entities that a data subject's
-- own observations mention, null if there are more than 5,000 observations to look through.
-- Returns: their ids, without repeats.   Runs as: invoker.   Since: 0.1

create or replace function taisce.scope_items(project_id bigint, space text, entity_ids uuid[])
returns uuid[]
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_most constant integer := 50000;
begin
    if scope_items.space = 'message' then
        return array(
            select p.passage_id
            from (
                select distinct m.observation_id, m.ordinal
                from unnest(scope_items.entity_ids) as e (entity_id)
                cross join lateral (
                    select i.observation_id, i.ordinal
                    from taisce.entity_mention as i
                    where i.project_id = scope_items.project_id
                      and i.entity_id between e.entity_id and e.entity_id
                    order by i.entity_id, i.observation_id, i.ordinal
                    limit v_most
                ) as m
                offset 0
            ) as m
            join taisce.message as p
                on p.project_id = scope_items.project_id
                and p.observation_id = m.observation_id
                and p.ordinal = m.ordinal
            limit v_most
        );
    elsif scope_items.space = 'claim' then
        return array(
            select distinct m.claim_id
            from unnest(scope_items.entity_ids) as e (entity_id)
            cross join lateral (
                select i.claim_id
                from taisce.entity_mention as i
                where i.project_id = scope_items.project_id
                  and i.entity_id between e.entity_id and e.entity_id
                  and i.claim_id is not null
                order by i.entity_id, i.observation_id, i.ordinal
                limit v_most
            ) as m
            limit v_most
        );
    elsif scope_items.space = 'fact' then
        return array(
            select distinct f.fact_id
            from unnest(scope_items.entity_ids) as e (entity_id)
            cross join lateral (
                (
                    select v.fact_id
                    from taisce.fact_version as v
                    where v.project_id = scope_items.project_id
                      and v.subject_entity_id between e.entity_id and e.entity_id
                    order by v.subject_entity_id, v.live
                    limit v_most
                )
                union all
                (
                    select v.fact_id
                    from taisce.fact_version as v
                    where v.project_id = scope_items.project_id
                      and v.object_entity_id between e.entity_id and e.entity_id
                    order by v.object_entity_id, v.live
                    limit v_most
                )
            ) as f
            limit v_most
        );
    end if;
    return scope_items.entity_ids;
end
$func$;
comment on function taisce.scope_items(bigint, text, uuid[]) is
'The items of a space that are about some entities.';
revoke all on function taisce.scope_items(bigint, text, uuid[]) from public;

create or replace function taisce.subject_entities(project_id bigint, subject text)
returns uuid[]
language plpgsql
stable
parallel safe
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_few constant integer := 5000;
    v_said uuid[] := array(
        select o.observation_id
        from taisce.observation as o
        where o.project_id = subject_entities.project_id
          and o.data_subject_id = subject_entities.subject
        order by o.data_subject_id, o.log_offset
        limit v_few + 1
    );
begin
    if cardinality(v_said) > v_few then
        return null;
    end if;
    return array(
        select distinct m.entity_id
        from unnest(v_said) as o (observation_id)
        cross join lateral (
            select i.entity_id
            from taisce.entity_mention as i
            where i.project_id = subject_entities.project_id
              and i.observation_id between o.observation_id and o.observation_id
            order by i.observation_id
            offset 0
        ) as m
    );
end
$func$;
comment on function taisce.subject_entities(bigint, text) is
'The entities that the own observations of a data subject mention.';
revoke all on function taisce.subject_entities(bigint, text) from public;
