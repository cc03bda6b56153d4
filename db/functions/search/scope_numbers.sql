-- requires: search/word_numbers.sql
-- taisce.scope_numbers(project_id, space, entity_ids)
-- The texts of a space that are about some entities: messages and claims that mention one, facts
-- that name one. At most 50,000.
-- Returns: their numbers in order, empty if there are none.   Runs as: invoker.   Since: 0.1

create or replace function taisce.scope_numbers(project_id bigint, space text, entity_ids uuid[])
returns bigint[]
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
    if scope_numbers.space = 'message' then
        return array(
            select distinct taisce.message_number(o.log_offset, m.ordinal)
            from unnest(scope_numbers.entity_ids) as e (entity_id)
            cross join lateral (
                select i.observation_id, i.ordinal
                from taisce.entity_mention as i
                where i.project_id = scope_numbers.project_id
                  and i.entity_id between e.entity_id and e.entity_id
                order by i.entity_id, i.observation_id, i.ordinal
                limit v_most
            ) as m
            cross join lateral (
                select i.log_offset
                from taisce.observation as i
                where i.project_id = scope_numbers.project_id
                  and i.observation_id between m.observation_id and m.observation_id
                order by i.observation_id
                limit 1
            ) as o
            order by 1
            limit v_most
        );
    elsif scope_numbers.space = 'claim' then
        return array(
            select distinct taisce.item_number(m.claim_id)
            from unnest(scope_numbers.entity_ids) as e (entity_id)
            cross join lateral (
                select i.claim_id
                from taisce.entity_mention as i
                where i.project_id = scope_numbers.project_id
                  and i.entity_id between e.entity_id and e.entity_id
                  and i.claim_id is not null
                order by i.entity_id, i.observation_id, i.ordinal
                limit v_most
            ) as m
            order by 1
            limit v_most
        );
    end if;
    return array(
        select distinct taisce.item_number(f.fact_id)
        from unnest(scope_numbers.entity_ids) as e (entity_id)
        cross join lateral (
            (
                select v.fact_id
                from taisce.fact_version as v
                where v.project_id = scope_numbers.project_id
                  and v.subject_entity_id between e.entity_id and e.entity_id
                order by v.subject_entity_id, v.live
                limit v_most
            )
            union all
            (
                select v.fact_id
                from taisce.fact_version as v
                where v.project_id = scope_numbers.project_id
                  and v.object_entity_id between e.entity_id and e.entity_id
                order by v.object_entity_id, v.live
                limit v_most
            )
        ) as f
        order by 1
        limit v_most
    );
end
$func$;
comment on function taisce.scope_numbers(bigint, text, uuid[]) is
'The texts of a space that are about some entities, by their numbers.';
revoke all on function taisce.scope_numbers(bigint, text, uuid[]) from public;
