-- taisce.known_observation(project_id, observation_id)
-- The observation that a write is about.
-- Returns: one observation.   Raises: TS004 if it is unknown, erased, expired or another project's.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.known_observation(project_id bigint, observation_id uuid)
returns taisce.observation
language plpgsql
volatile
as $func$
declare
    v_observation taisce.observation;
begin
    select o.*
    into v_observation
    from taisce.observation as o
    where o.project_id = known_observation.project_id
      and o.observation_id
        between known_observation.observation_id and known_observation.observation_id
      and not o.erased
      and o.retention_until > pg_catalog.statement_timestamp()
    order by o.observation_id
    limit 1;
    if not found then
        perform taisce.not_found();
    end if;
    return v_observation;
end
$func$;
comment on function taisce.known_observation(bigint, uuid) is
'The observation that a write is about, or TS004.';
revoke all on function taisce.known_observation(bigint, uuid) from public;
