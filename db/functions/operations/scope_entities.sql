-- taisce.scope_entities(project_id, entity_ids)
-- Entities that a caller gave by id, each led to the survivor of its merges and shown with the id
-- that was asked for.
-- Returns: as jsonb in the order given, without repeats; null if any id is unknown, retired,
-- foreign or without a name that may be read.   Runs as: invoker.   Since: 0.1

create or replace function taisce.scope_entities(
    project_id bigint,
    entity_ids uuid[],
    out entities jsonb,
    out ids uuid[]
)
language plpgsql
stable
parallel safe
as $func$
declare
    v_entity record;
    v_asked uuid;
begin
    entities := '[]';
    ids := '{}';
    foreach v_asked in array scope_entities.entity_ids loop
        select e.entity_id, e.entity_type, e.status, e.merged_into, e.canonical_name as own_name,
            case
                when e.name_until > statement_timestamp() then e.canonical_name
                else taisce.shown_name(e.project_id, e.entity_id, statement_timestamp())
            end as canonical_name
        into v_entity
        from taisce.entity as e
        where e.project_id = scope_entities.project_id
          and e.entity_id between v_asked and v_asked
        order by e.entity_id
        limit 1;
        -- A chain of merges is as long as there were merges.
        for i in 1 .. 1000 loop
            exit when v_entity.status is distinct from 'merged';
            select e.entity_id, e.entity_type, e.status, e.merged_into, e.canonical_name as own_name,
                case
                    when e.name_until > statement_timestamp() then e.canonical_name
                    else taisce.shown_name(e.project_id, e.entity_id, statement_timestamp())
                end as canonical_name
            into v_entity
            from taisce.entity as e
            where e.project_id = scope_entities.project_id
              and e.entity_id between v_entity.merged_into and v_entity.merged_into
            order by e.entity_id
            limit 1;
        end loop;
        -- What no name may be read of any more is not to be seen.
        if v_entity.status is distinct from 'active' or v_entity.canonical_name is null then
            entities := null;
            ids := null;
            return;
        end if;
        if v_entity.entity_id <> all (ids) then
            ids := array_append(ids, v_entity.entity_id);
            entities := entities || jsonb_build_object(
                'entity_id', v_entity.entity_id,
                'canonical_name', v_entity.canonical_name,
                'entity_type', case
                    when v_entity.canonical_name = v_entity.own_name then v_entity.entity_type
                end,
                'asked_id', v_asked,
                'part', 'anchor'
            );
        end if;
    end loop;
end
$func$;
comment on function taisce.scope_entities(bigint, uuid[]) is
'Entities that a caller gave by id, each led to its survivor; null if any leads nowhere.';
revoke all on function taisce.scope_entities(bigint, uuid[]) from public;
