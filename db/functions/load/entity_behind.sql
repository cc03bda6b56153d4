-- taisce.entity_behind(project_id, reference)
-- The entity that a key or an id was given to, merged or not.
-- Returns: one uuid, null if there is none.   Runs as: invoker.   Since: 0.1

create or replace function taisce.entity_behind(project_id bigint, reference jsonb)
returns uuid
language plpgsql
stable
as $func$
declare
    v_key text := reference ->> 'key';
    v_id uuid := reference ->> 'id';
begin
    if v_key is not null then
        return (
            select k.id
            from taisce.load_key as k
            where k.project_id = entity_behind.project_id
              and k.kind = 'entity'
              and k.key between v_key and v_key
            order by k.key
            limit 1
        );
    end if;
    return (
        select e.entity_id
        from taisce.entity as e
        where e.project_id = entity_behind.project_id
          and e.entity_id between v_id and v_id
        order by e.entity_id
        limit 1
    );
end
$func$;
comment on function taisce.entity_behind(bigint, jsonb) is
'The entity that a key or an id was given to, merged or not.';
revoke all on function taisce.entity_behind(bigint, jsonb) from public;
