-- memory_v1.park(observation_id, reason, project)
-- Puts an observation aside that cannot be taken in, so that freshness does not wait for it.
-- mark_formed takes it up again.
-- Returns: one row.   Raises: TS003, TS004, TS005 if it is formed.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1
-- requires: write/mark_formed.sql

create or replace function memory_v1.park(
    observation_id uuid,
    reason text,
    project text default null
)
returns setof memory_v1.formation
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(park.project);
    v_said taisce.observation := taisce.known_observation(v_project_id, park.observation_id);
    v_at timestamptz := coalesce(v_said.parked_at, pg_catalog.clock_timestamp());
begin
    perform taisce.check_text('reason', 'words', park.reason);
    if v_said.formed_at is not null then
        perform taisce.refuse_argument('observation_id', 'is formed already');
    end if;
    if v_said.parked_at is null then
        update taisce.observation as o
        set parked_at = v_at,
            parked_reason = park.reason
        where o.project_id = v_project_id
          and o.observation_id = v_said.observation_id;
        update taisce.project_clock as c
        set parked = c.parked + 1
        where c.project_id = v_project_id;
        perform taisce.advance_formed(v_project_id);
    end if;
    return query
    select v_said.observation_id, v_said.log_offset, null::timestamptz, v_at,
        nullif(c.formed, 0), v_said.parked_at is not null
    from taisce.project_clock as c
    where c.project_id = v_project_id;
end
$func$;
comment on function memory_v1.park(uuid, text, text) is
'Put an observation aside that cannot be taken in, so that freshness does not wait for it.';
revoke all on function memory_v1.park(uuid, text, text) from public;
grant execute on function memory_v1.park(uuid, text, text) to taisce_writer;
