-- taisce.load_merge(project_id, line)
-- Applies a merge line. Entities that are one already stay as they are.
-- Returns: {merges, repeated}.   Raises: TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_merge(project_id bigint, line taisce.load_line)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_absorbed uuid := taisce.load_entity_id(
        load_merge.project_id, line.line, 'absorbed', line.body -> 'absorbed');
    v_survivor uuid := taisce.load_entity_id(
        load_merge.project_id, line.line, 'survivor', line.body -> 'survivor');
    v_given uuid;
    v_side text;
begin
    if v_absorbed = v_survivor then
        v_given := case when jsonb_typeof(line.body -> 'survivor') = 'object'
            then taisce.entity_behind(load_merge.project_id, line.body -> 'survivor') end;
        if v_given <> v_survivor then
            perform taisce.refuse_line(
                line.line, 'survivor', 'was merged into the absorbed one before');
        end if;
        return '{"merges": 0, "repeated": 1}';
    end if;

    select case when e.entity_id = v_absorbed then 'absorbed' else 'survivor' end
    into v_side
    from taisce.entity as e
    where e.project_id = load_merge.project_id
      and e.entity_id = any (array[v_absorbed, v_survivor])
      and (e.identity_kind = 'speaker' or e.status <> 'active');
    if v_side is not null then
        perform taisce.refuse_line(line.line, v_side, 'is a speaker, or has no name any more');
    end if;
    perform taisce.merge_pair(
        load_merge.project_id, v_absorbed, v_survivor,
        coalesce((line.body ->> 'at')::timestamptz, pg_catalog.clock_timestamp()),
        taisce.caller()::text);
    return '{"merges": 1, "repeated": 0}';
end
$func$;
comment on function taisce.load_merge(bigint, taisce.load_line) is 'Applies a merge line.';
revoke all on function taisce.load_merge(bigint, taisce.load_line) from public;
