-- memory_v1.register_community(key, members, level, parent, project)
-- Keeps a community of entities under a key; told again, it is what was told last. members: a JSON
-- list of names, {"id": ...}, {"key": ...} or {"speaker": ...}. parent: the key of a community told
-- before.
-- Returns: one row; repeated if nothing changed.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.registered_community') is null then
        create type memory_v1.registered_community as (
            community_id uuid, members bigint, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.registered_community is
'A community that was registered.';

create or replace function memory_v1.register_community(
    key text,
    members jsonb,
    level integer default 0,
    parent text default null,
    project text default null
)
returns setof memory_v1.registered_community
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(register_community.project);
    v_counts jsonb;
    v_community_id uuid;
begin
    v_counts := taisce.write_line(v_project_id, jsonb_build_object(
        'type', 'community',
        'key', register_community.key,
        'members', register_community.members,
        'level', register_community.level,
        'parent', register_community.parent));
    v_community_id := taisce.keyed_id(
        v_project_id, 'community', to_jsonb(register_community.key));
    return query
    select v_community_id, count(*), (v_counts ->> 'repeated')::bigint > 0
    from taisce.community_member as m
    where m.project_id = v_project_id
      and m.community_id = v_community_id;
end
$func$;
comment on function memory_v1.register_community(text, jsonb, integer, text, text) is
'Keep a community of entities under a key; told again, it is what was told last.';
revoke all on function memory_v1.register_community(text, jsonb, integer, text, text) from public;
grant execute on function memory_v1.register_community(text, jsonb, integer, text, text)
to taisce_writer;
