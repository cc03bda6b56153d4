-- taisce.observation_of(project_id, reference)
-- The observation that a line means by a key or an id.
-- Returns: one uuid, null if there is none.   Runs as: invoker.   Since: 0.1

create or replace function taisce.observation_of(project_id bigint, reference jsonb)
returns uuid
language sql
stable
as $func$
    select case
        when reference ->> 'id' is not null then (
            select o.observation_id
            from taisce.observation as o
            where o.project_id = observation_of.project_id
              and o.observation_id = (reference ->> 'id')::uuid
        )
        else coalesce((
            select o.observation_id
            from taisce.observation as o
            where o.project_id = observation_of.project_id
              and o.idempotency_key = coalesce(reference ->> 'key', reference #>> '{}')
        ), (
            select k.id
            from taisce.load_key as k
            where k.project_id = observation_of.project_id
              and k.kind = 'observation'
              and k.key = coalesce(reference ->> 'key', reference #>> '{}')
        ))
    end
$func$;
comment on function taisce.observation_of(bigint, jsonb) is
'The observation that a line means by a key or an id.';
revoke all on function taisce.observation_of(bigint, jsonb) from public;
