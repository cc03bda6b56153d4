-- memory_v1.mark_formed(observation_id, project)
-- Says that what an observation holds has been taken in: its facts, if any, are asserted. One that
-- was parked is parked no more.
-- Returns: one row.   Raises: TS003, TS004.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.formation') is null then
        create type memory_v1.formation as (
            observation_id uuid,
            log_offset bigint,
            formed_at timestamptz,
            parked_at timestamptz,
            formed bigint,
            repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.formation is
'An observation that was formed or parked, and how far freshness came.';

create or replace function memory_v1.mark_formed(observation_id uuid, project text default null)
returns setof memory_v1.formation
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(mark_formed.project);
    v_said taisce.observation
        := taisce.known_observation(v_project_id, mark_formed.observation_id);
    v_at timestamptz := coalesce(v_said.formed_at, pg_catalog.clock_timestamp());
begin
    if v_said.formed_at is null then
        update taisce.observation as o
        set formed_at = v_at,
            parked_at = null,
            parked_reason = null
        where o.project_id = v_project_id
          and o.observation_id = v_said.observation_id;
        update taisce.project_clock as c
        set parked = c.parked - 1
        where c.project_id = v_project_id
          and v_said.parked_at is not null;
        perform taisce.advance_formed(v_project_id);
    end if;
    return query
    select v_said.observation_id, v_said.log_offset, v_at, null::timestamptz,
        nullif(c.formed, 0), v_said.formed_at is not null
    from taisce.project_clock as c
    where c.project_id = v_project_id;
end
$func$;
comment on function memory_v1.mark_formed(uuid, text) is
'Say that what an observation holds has been taken in.';
revoke all on function memory_v1.mark_formed(uuid, text) from public;
grant execute on function memory_v1.mark_formed(uuid, text) to taisce_writer;
