-- taisce.facts_naming(project_id, entity_id, direction)
-- The facts that name an entity as subject or object, by any of their versions.
-- Returns: fact ids in order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.facts_naming(project_id bigint, entity_id uuid, direction text)
returns uuid[]
language plpgsql
stable
as $func$
begin
    -- Live versions and others have indexes of their own.
    if facts_naming.direction = 'subject' then
        return array(
            select v.fact_id
            from taisce.fact_version as v
            where v.project_id = facts_naming.project_id
              and v.subject_entity_id = facts_naming.entity_id
              and v.live
            union
            select v.fact_id
            from taisce.fact_version as v
            where v.project_id = facts_naming.project_id
              and v.subject_entity_id = facts_naming.entity_id
              and not v.live
            order by 1
        );
    end if;
    return array(
        select v.fact_id
        from taisce.fact_version as v
        where v.project_id = facts_naming.project_id
          and v.object_entity_id = facts_naming.entity_id
          and v.live
        union
        select v.fact_id
        from taisce.fact_version as v
        where v.project_id = facts_naming.project_id
          and v.object_entity_id = facts_naming.entity_id
          and not v.live
        order by 1
    );
end
$func$;
comment on function taisce.facts_naming(bigint, uuid, text) is
'The facts that name an entity as subject or object, by any of their versions.';
revoke all on function taisce.facts_naming(bigint, uuid, text) from public;
