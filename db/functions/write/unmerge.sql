-- memory_v1.unmerge(merge_id, project)
-- Takes a merge back: what was the absorbed entity's is so again, and reports that the merge
-- withdrew stand again if nothing else changed. What was told since stays with the survivor. Later
-- merges of the survivor must be taken back first. Doing it twice changes nothing.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1
-- requires: write/merge_entities.sql

create or replace function memory_v1.unmerge(merge_id uuid, project text default null)
returns setof memory_v1.merged_entities
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(unmerge.project);
    v_merge taisce.entity_merge;
    v_at timestamptz := pg_catalog.clock_timestamp();
begin
    select m.*
    into v_merge
    from taisce.entity_merge as m
    where m.project_id = v_project_id
      and m.merge_id = unmerge.merge_id;
    if not found then
        perform taisce.not_found();
    end if;
    if v_merge.reversed_at is null then
        perform taisce.split_pair(v_merge, v_at);
        update taisce.entity_merge as m
        set reversed_at = v_at,
            reversed_by = taisce.caller()
        where m.project_id = v_project_id
          and m.merge_id = v_merge.merge_id;
    end if;
    return next row(
        v_merge.merge_id, v_merge.absorbed, v_merge.survivor, v_merge.merged_at,
        coalesce(v_merge.reversed_at, v_at), v_merge.reversed_at is not null
    )::memory_v1.merged_entities;
end
$func$;
comment on function memory_v1.unmerge(uuid, text) is
'Take a merge back: what was the absorbed entity''s is so again.';
revoke all on function memory_v1.unmerge(uuid, text) from public;
grant execute on function memory_v1.unmerge(uuid, text) to taisce_writer;
