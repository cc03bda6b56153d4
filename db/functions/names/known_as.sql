-- requires: names/shown_name.sql
-- taisce.known_as(canonical_name, name_until, project_id, entity_id, read_at)
-- What an entity is called at an instant, for reads that show a name whatever became of it.
-- Returns: a name; "(erased)", as expire() will leave it, if none may be read.   Runs as: invoker,
-- inlined.   Since: 0.1

create or replace function taisce.known_as(
    canonical_name text,
    name_until timestamptz,
    project_id bigint,
    entity_id uuid,
    read_at timestamptz
)
returns text
language sql
stable
parallel safe
as $func$
    select case
        when known_as.name_until > known_as.read_at then known_as.canonical_name
        else coalesce(
            taisce.shown_name(known_as.project_id, known_as.entity_id, known_as.read_at),
            '(erased)')
    end
$func$;
comment on function taisce.known_as(text, timestamptz, bigint, uuid, timestamptz) is
'What an entity is called at an instant.';
revoke all on function taisce.known_as(text, timestamptz, bigint, uuid, timestamptz) from public;
grant execute on function taisce.known_as(text, timestamptz, bigint, uuid, timestamptz)
to taisce_analyst;
