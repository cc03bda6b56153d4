-- taisce.checked_entities(project_id, entity_ids, most)
-- Entity ids as a caller gave them, each led to the survivor of its merges.
-- Returns: the ids in order, without repeats.
-- Raises: TS005 for an empty, long or broken list; TS004 if any id is unknown, retired, or
-- has no name left that may be read.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.checked_entities(
    project_id bigint,
    entity_ids uuid[],
    most integer
)
returns uuid[]
language plpgsql
stable
parallel safe
as $func$
declare
    v_ids uuid[];
    v_known integer;
begin
    if checked_entities.entity_ids is null
        or cardinality(checked_entities.entity_ids) not between 1 and most
        or array_ndims(checked_entities.entity_ids) <> 1
        or array_position(checked_entities.entity_ids, null) is not null
        or cardinality(checked_entities.entity_ids)
            <> (select count(distinct i.id) from unnest(checked_entities.entity_ids) as i (id))
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('entity_ids must be 1 to %s distinct ids without nulls', most),
            hint = 'Find ids with memory_v1.recall_anchors(question).';
    end if;
    with recursive led as (
        select i.place, e.entity_id, e.status, e.merged_into, e.name_until
        from unnest(checked_entities.entity_ids) with ordinality as i (id, place)
        join taisce.entity as e
            on e.project_id = checked_entities.project_id
            and e.entity_id = i.id
        union
        select l.place, e.entity_id, e.status, e.merged_into, e.name_until
        from led as l
        join taisce.entity as e
            on e.project_id = checked_entities.project_id
            and e.entity_id = l.merged_into
        where l.status = 'merged'
    )
    select array_agg(d.entity_id order by d.place), sum(d.inputs)
    into v_ids, v_known
    from (
        select l.entity_id, min(l.place) as place, count(distinct l.place) as inputs
        from led as l
        where l.status = 'active'
          and case
            when l.name_until > statement_timestamp() then true
            else taisce.shown_name(
                checked_entities.project_id, l.entity_id, statement_timestamp()) is not null
          end
        group by l.entity_id
    ) as d;
    if v_known is distinct from cardinality(checked_entities.entity_ids) then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'unknown_entity: an id of entity_ids leads to no entity',
            hint = 'Find ids with memory_v1.recall_anchors(question).';
    end if;
    return v_ids;
end
$func$;
comment on function taisce.checked_entities(bigint, uuid[], integer) is
'Entity ids as a caller gave them, each led to the survivor of its merges.';
revoke all on function taisce.checked_entities(bigint, uuid[], integer) from public;
