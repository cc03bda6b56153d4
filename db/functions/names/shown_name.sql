-- taisce.shown_name(project_id, entity_id, read_at)
-- What an entity whose canonical name has passed its retention is called at an instant: by that
-- name if another message has it, else by the first of its names that may be read, as expire()
-- will call it. Callers ask only after name_until of the entity.
-- Returns: a name; null if no name of it may be read: then the entity is not to be seen.
-- Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace function taisce.shown_name(
    project_id bigint,
    entity_id uuid,
    read_at timestamptz
)
returns text
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
begin
    return (
        select n.spelling
        from taisce.entity_name as n
        where n.project_id = shown_name.project_id
          and n.entity_id = shown_name.entity_id
          and case
            when n.kept_until > shown_name.read_at then true
            else taisce.name_is_kept(
                shown_name.project_id, shown_name.entity_id, n.normalized_name,
                shown_name.read_at)
          end
        order by
            n.kind = 'canonical' desc,
            exists (
                select
                from taisce.entity_name as c
                where c.project_id = shown_name.project_id
                  and c.name_key = n.name_key
                  and c.kind = 'canonical'
            ),
            n.name_key
        limit 1
    );
end
$func$;
comment on function taisce.shown_name(bigint, uuid, timestamptz) is
'What an entity is called at an instant; null if no name of it may be read any more.';
revoke all on function taisce.shown_name(bigint, uuid, timestamptz) from public;
grant execute on function taisce.shown_name(bigint, uuid, timestamptz)
to taisce_analyst;
