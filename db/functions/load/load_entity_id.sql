-- taisce.load_entity_id(project_id, line, field, reference)
-- The entity that a line means; one that was merged leads to its survivor. Nothing is made.
-- Returns: one uuid.   Raises: TS008 if there is none, or several.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_entity_id(
    project_id bigint,
    line integer,
    field text,
    reference jsonb
)
returns uuid
language plpgsql
volatile
as $func$
declare
    v_found uuid[];
    v_name text;
    v_wanted text;
begin
    if jsonb_typeof(load_entity_id.reference) = 'string' then
        v_name := taisce.name_key(taisce.normalize_name(load_entity_id.reference #>> '{}'));
        v_found := array(
            select n.entity_id
            from taisce.entity_name as n
            where n.project_id = load_entity_id.project_id
              and n.name_key between v_name and v_name
            order by n.name_key, n.entity_id
            limit 2
        );
    elsif load_entity_id.reference ->> 'speaker' is not null then
        v_wanted := load_entity_id.reference ->> 'speaker';
        v_found := array(
            select e.entity_id
            from taisce.entity as e
            where e.project_id = load_entity_id.project_id
              and e.speaker_subject_id between v_wanted and v_wanted
            order by e.speaker_subject_id
            limit 1
        );
    else
        v_found := array[taisce.entity_behind(
            load_entity_id.project_id, load_entity_id.reference)];
    end if;
    if cardinality(v_found) > 1 then
        perform taisce.refuse_line(load_entity_id.line, load_entity_id.field,
            'is a name of several: give a key or an id');
    elsif v_found[1] is null then
        perform taisce.refuse_line(load_entity_id.line, load_entity_id.field,
            'is not an entity declared before');
    end if;
    return coalesce((
        select e.merged_into
        from taisce.entity as e
        where e.project_id = load_entity_id.project_id
          and e.entity_id between v_found[1] and v_found[1]
        order by e.entity_id
        limit 1
    ), v_found[1]);
end
$func$;
comment on function taisce.load_entity_id(bigint, integer, text, jsonb) is
'The entity that a line means; TS008 if there is none, or several.';
revoke all on function taisce.load_entity_id(bigint, integer, text, jsonb) from public;
