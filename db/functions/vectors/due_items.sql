-- requires: vectors/embedding_items.sql
-- taisce.due_items(generation, after_offset, after_id, most)
-- Items of a generation's space that have no vector of what they say now, in a fixed order: texts
-- by their offset, then id; facts by id, which is the same; entities and reports by id.
-- Returns: at most `most` rows.   Runs as: invoker.   Since: 0.1

create or replace function taisce.due_items(
    generation taisce.embedding_generation,
    after_offset bigint,
    after_id uuid,
    most integer
)
returns setof taisce.embedded_text
language plpgsql
stable
parallel safe
rows 100
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $func$
declare
    v_step constant integer := 500;
    v_first constant uuid := '00000000-0000-0000-0000-000000000000';
    v_project_id constant bigint := generation.project_id;
    v_part constant bigint
        := case when generation.own_partition then generation.generation_id else 0 end;
    v_offset bigint := coalesce(due_items.after_offset, -1);
    v_id uuid := coalesce(due_items.after_id, case
        when due_items.after_offset is null then v_first
        else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end);
    v_from bigint;
    v_to bigint;
    v_ids uuid[];
    v_left integer := due_items.most;
    v_rows integer;
begin
    if due_items.after_id is null and generation.space in ('fact', 'entity', 'report') then
        v_id := v_first;
        if generation.space = 'fact' and due_items.after_offset > 0 then
            v_id := (lpad(to_hex(due_items.after_offset + 1), 12, '0') || repeat('0', 20))::uuid;
        end if;
    end if;
    v_from := v_offset;
    loop
        if generation.space in ('message', 'claim') then
            -- Some observations at a time, with all that was said in them.
            select max(o.log_offset)
            into v_to
            from (
                select n.log_offset
                from taisce.observation as n
                where n.project_id = v_project_id
                  and n.log_offset >= v_from
                order by n.log_offset
                limit v_step
            ) as o;
            exit when v_to is null;
            if generation.space = 'message' then
                v_ids := array(
                    select m.passage_id
                    from taisce.observation as o
                    join taisce.message as m
                        on m.project_id = o.project_id and m.observation_id = o.observation_id
                    where o.project_id = v_project_id
                      and o.log_offset between v_from and v_to
                      and (o.log_offset > v_offset or m.passage_id > v_id)
                );
            else
                v_ids := array(
                    select c.claim_id
                    from taisce.observation as o
                    join taisce.claim as c
                        on c.project_id = o.project_id and c.observation_id = o.observation_id
                    where o.project_id = v_project_id
                      and o.log_offset between v_from and v_to
                      and (o.log_offset > v_offset or c.claim_id > v_id)
                );
            end if;
            v_from := v_to + 1;
        elsif generation.space = 'fact' then
            v_ids := array(
                select f.fact_id
                from taisce.fact as f
                where f.project_id = v_project_id
                  and f.fact_id > v_id
                order by f.fact_id
                limit v_step
            );
        elsif generation.space = 'entity' then
            v_ids := array(
                select e.entity_id
                from taisce.entity as e
                where e.project_id = v_project_id
                  and e.entity_id > v_id
                order by e.entity_id
                limit v_step
            );
        else
            v_ids := array(
                select r.report_id
                from taisce.report as r
                where r.project_id = v_project_id
                  and r.report_id > v_id
                order by r.report_id
                limit v_step
            );
        end if;
        if generation.space not in ('message', 'claim') then
            exit when cardinality(v_ids) = 0;
            v_id := v_ids[cardinality(v_ids)];
        end if;

        return query
        select i.*
        from taisce.embedding_items(v_project_id, generation.space, v_ids) as i
        left join lateral (
            select e.input_digest
            from taisce.embedding as e
            where e.project_id = v_project_id
              and e.part = v_part
              and e.generation_id = generation.generation_id
              and e.item_id between i.item_id and i.item_id
            order by e.item_id
            limit 1
        ) as v on true
        where v.input_digest is distinct from i.input_digest
        order by
            case when generation.space in ('message', 'claim') then i.log_offset end,
            i.item_id
        limit v_left;
        get diagnostics v_rows = row_count;
        v_left := v_left - v_rows;
        exit when v_left <= 0;
    end loop;
end
$func$;
comment on function taisce.due_items(taisce.embedding_generation, bigint, uuid, integer) is
'Items of a space that have no vector of what they say now, in a fixed order.';
revoke all on function taisce.due_items(taisce.embedding_generation, bigint, uuid, integer)
from public;
