-- taisce.move_ends(project_id, old, new, subject_of, object_of)
-- Lets facts, with all their versions, name another entity at the ends given.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.move_ends(
    project_id bigint,
    old uuid,
    new uuid,
    subject_of uuid[],
    object_of uuid[]
)
returns void
language plpgsql
volatile
as $func$
declare
    v_touched constant uuid[] := move_ends.subject_of || move_ends.object_of;
begin
    update taisce.fact as f
    set subject_entity_id = case when f.fact_id = any (move_ends.subject_of) then move_ends.new
            else f.subject_entity_id end,
        object_entity_id = case when f.fact_id = any (move_ends.object_of) then move_ends.new
            else f.object_entity_id end
    where f.project_id = move_ends.project_id
      and f.fact_id = any (v_touched);
    update taisce.fact as f
    set content_key = taisce.fact_content_key(
        move_ends.project_id, f.kind, f.subject_entity_id, f.predicate, f.object_entity_id,
        f.object_value, f.statement, f.source_role, f.data_subject_id, f.stated_from,
        f.stated_until)
    where f.project_id = move_ends.project_id
      and f.fact_id = any (v_touched);
    update taisce.fact_version as v
    set subject_entity_id = case when v.fact_id = any (move_ends.subject_of) then move_ends.new
            else v.subject_entity_id end,
        object_entity_id = case when v.fact_id = any (move_ends.object_of) then move_ends.new
            else v.object_entity_id end
    where v.project_id = move_ends.project_id
      and v.fact_id = any (v_touched);
end
$func$;
comment on function taisce.move_ends(bigint, uuid, uuid, uuid[], uuid[]) is
'Lets facts, with all their versions, name another entity at the ends given.';
revoke all on function taisce.move_ends(bigint, uuid, uuid, uuid[], uuid[]) from public;
