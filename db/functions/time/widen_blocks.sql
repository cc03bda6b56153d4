-- taisce.widen_blocks()
-- Keeps version_block true: a version that is written, or becomes past, widens the block it falls
-- into. Nothing is looked up in a project without blocks.
-- Runs as: a statement trigger of fact_version, as the owner who writes it.   Since: 0.1

create or replace function taisce.widen_blocks()
returns trigger
language plpgsql
as $func$
begin
    if not exists (
        select
        from taisce.version_block as b
        where b.project_id between
            (select min(w.project_id) from written as w)
            and (select max(w.project_id) from written as w)
    ) then
        return null;
    end if;
    update taisce.version_block as b
    set
        valid_from_min = least(b.valid_from_min, h.valid_from_min),
        valid_to_max = greatest(b.valid_to_max, h.valid_to_max),
        known_from_min = least(b.known_from_min, h.known_from_min),
        known_to_max = greatest(b.known_to_max, h.known_to_max),
        either_to_max = greatest(b.either_to_max, h.either_to_max),
        believed_to_max = greatest(b.believed_to_max, h.believed_to_max)
    from (
        select
            k.project_id, k.entity_id, k.direction, k.data_subject_id, k.source_role, k.live,
            c.last_fact,
            min(k.valid_from) as valid_from_min,
            max(k.valid_to) as valid_to_max,
            min(k.known_from) as known_from_min,
            max(k.known_to) as known_to_max,
            max(least(k.valid_to, k.known_to)) as either_to_max,
            max(case when k.known_to = 'infinity' then k.valid_to else '-infinity' end)
                as believed_to_max
        from (
            select
                w.project_id, e.entity_id, e.direction, s.data_subject_id, w.source_role,
                w.live, w.fact_id, w.valid_from, w.valid_to, w.known_from, w.known_to
            from written as w
            cross join lateral (
                values ('subject', w.subject_entity_id), ('object', w.object_entity_id)
            ) as e (direction, entity_id)
            cross join lateral (
                values (''), (w.data_subject_id)
            ) as s (data_subject_id)
            where e.entity_id is not null
              and s.data_subject_id is not null
        ) as k
        cross join lateral (
            select i.last_fact
            from taisce.version_block as i
            where i.project_id = k.project_id
              and i.entity_id = k.entity_id
              and i.direction = k.direction
              and i.data_subject_id = k.data_subject_id
              and i.source_role = k.source_role
              and i.live = k.live
              and i.last_fact >= k.fact_id
            order by i.last_fact
            limit 1
        ) as c
        group by
            k.project_id, k.entity_id, k.direction, k.data_subject_id, k.source_role, k.live,
            c.last_fact
    ) as h
    where b.project_id = h.project_id
      and b.entity_id = h.entity_id
      and b.direction = h.direction
      and b.data_subject_id = h.data_subject_id
      and b.source_role = h.source_role
      and b.live = h.live
      and b.last_fact = h.last_fact;
    return null;
end
$func$;
comment on function taisce.widen_blocks() is
'Keeps version_block true: a version that is written widens its block.';
revoke all on function taisce.widen_blocks() from public;

create or replace trigger widen_blocks_inserted
after insert on taisce.fact_version
referencing new table as written
for each statement execute function taisce.widen_blocks();
create or replace trigger widen_blocks_updated
after update on taisce.fact_version
referencing new table as written
for each statement execute function taisce.widen_blocks();
