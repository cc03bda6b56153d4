-- taisce.renew_entities(project_id, lines, fresh)
-- Gives known entities the type and profile that lines add. One declared without a source is kept
-- whatever is erased. fresh: entities that are new and need nothing.
-- Returns: the entities that changed.   Runs as: invoker.   Since: 0.1

create or replace function taisce.renew_entities(
    project_id bigint,
    lines taisce.load_entity[],
    fresh uuid[]
)
returns uuid[]
language plpgsql
volatile
as $func$
declare
    v_line record;
    v_changed uuid[] := '{}';
begin
    for v_line in
        select l.*, l.body ->> 'entity_type' as entity_type, l.body ->> 'profile' as profile
        from unnest(renew_entities.lines) as l
        where l.keeps_name
          and l.entity_id <> all (renew_entities.fresh)
        order by l.line
    loop
        update taisce.entity as e
        set entity_type = coalesce(v_line.entity_type, e.entity_type),
            profile = coalesce(v_line.profile, e.profile),
            profile_source = case when v_line.profile is null then e.profile_source
                else v_line.source end,
            name_source = case when v_line.source is not null then e.name_source end,
            canonical_name = case when e.status = 'retired' then v_line.name
                else e.canonical_name end,
            status = 'active'
        where e.project_id = renew_entities.project_id
          and e.entity_id = v_line.entity_id
          and (v_line.entity_type <> coalesce(e.entity_type, '')
            or v_line.profile <> coalesce(e.profile, '')
            or v_line.profile is not null and v_line.source is distinct from e.profile_source
            or v_line.source is null and e.name_source is not null
            or e.status = 'retired');
        if found then
            v_changed := v_changed || v_line.entity_id;
        end if;
    end loop;
    return v_changed;
end
$func$;
comment on function taisce.renew_entities(bigint, taisce.load_entity[], uuid[]) is
'Gives known entities the type and profile that lines add.';
revoke all on function taisce.renew_entities(bigint, taisce.load_entity[], uuid[]) from public;
