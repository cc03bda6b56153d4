-- taisce.exported_name(entity, read_at)
-- What an export calls an entity: as reads do at an instant; a merged one by the first name that
-- the record of the merge still has, as expire() will call it.
-- Returns: a name; null if no name of it may be read any more.   Runs as: invoker.   Since: 0.1

create or replace function taisce.exported_name(entity taisce.entity, read_at timestamptz)
returns text
language plpgsql
stable
parallel safe
as $func$
begin
    if entity.name_until > exported_name.read_at then
        return entity.canonical_name;
    elsif entity.status = 'merged' then
        return (
            select n.value ->> 'spelling'
            from taisce.entity_merge as m
            cross join lateral jsonb_array_elements(
                taisce.kept_snapshot(m, exported_name.read_at) -> 'names') as n
            where m.project_id = entity.project_id
              and m.absorbed between entity.entity_id and entity.entity_id
              and m.reversed_at is null
              and n.value ->> 'kind' = 'canonical'
            order by m.absorbed
            limit 1
        );
    end if;
    return taisce.shown_name(entity.project_id, entity.entity_id, exported_name.read_at);
end
$func$;
comment on function taisce.exported_name(taisce.entity, timestamptz) is
'What an export calls an entity; null if no name of it may be read any more.';
revoke all on function taisce.exported_name(taisce.entity, timestamptz) from public;
