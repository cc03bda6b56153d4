-- taisce.end_at(project_id, fact_id, entity_id, side, known_at)
-- Which entity stood at an end of a fact at an instant: merges and their undoing since then, taken
-- back latest first.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.end_at(
    project_id bigint,
    fact_id uuid,
    entity_id uuid,
    side text,
    known_at timestamptz
)
returns uuid
language plpgsql
stable
parallel safe
as $func$
declare
    v_end uuid := end_at.entity_id;
    v_before timestamptz := 'infinity';
    v_event record;
begin
    if v_end is null or end_at.known_at is null then
        return v_end;
    end if;
    loop
        select e.*
        into v_event
        from (
            select m.merged_at as happened, m.absorbed as before
            from taisce.entity_merge as m
            where m.project_id = end_at.project_id
              and m.survivor = v_end
              and m.merged_at > end_at.known_at
              and m.merged_at < v_before
              and m.snapshot -> end_at.side ? end_at.fact_id::text
            union all
            select m.reversed_at, m.survivor
            from taisce.entity_merge as m
            where m.project_id = end_at.project_id
              and m.absorbed = v_end
              and m.reversed_at > end_at.known_at
              and m.reversed_at < v_before
              and m.snapshot -> end_at.side ? end_at.fact_id::text
        ) as e
        order by e.happened desc
        limit 1;
        exit when not found;
        v_end := v_event.before;
        v_before := v_event.happened;
    end loop;
    return v_end;
end
$func$;
comment on function taisce.end_at(bigint, uuid, uuid, text, timestamptz) is
'Which entity stood at an end of a fact at an instant.';
revoke all on function taisce.end_at(bigint, uuid, uuid, text, timestamptz) from public;
