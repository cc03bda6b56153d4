-- taisce.leave_tombstones(project_id, observation_ids)
-- Empties observations: what stays is the offset, and the id, so that the key they were told under
-- cannot bring them back.
-- Returns: how many.   Runs as: invoker.   Since: 0.1

create or replace function taisce.leave_tombstones(project_id bigint, observation_ids uuid[])
returns bigint
language plpgsql
volatile
as $func$
declare
    v_parked bigint;
    v_rows bigint;
begin
    select count(*)
    into v_parked
    from taisce.observation as o
    where o.project_id = leave_tombstones.project_id
      and o.observation_id = any (leave_tombstones.observation_ids)
      and o.parked_at is not null;
    update taisce.observation as o
    set kind = 'turn',
        source_role = 'user',
        data_subject_id = null,
        occurred_at = null,
        ingested_at = pg_catalog.clock_timestamp(),
        lineage = '',
        source_kind = null,
        source_ref = null,
        title = null,
        idempotency_key = null,
        content_digest = null,
        message_count = 0,
        characters = 0,
        retention_until = 'infinity',
        formed_at = null,
        parked_at = null,
        parked_reason = null,
        released_at = null,
        erased = true
    where o.project_id = leave_tombstones.project_id
      and o.observation_id = any (leave_tombstones.observation_ids);
    get diagnostics v_rows = row_count;
    update taisce.project_clock as c
    set parked = c.parked - v_parked
    where c.project_id = leave_tombstones.project_id
      and v_parked > 0;
    perform taisce.advance_formed(leave_tombstones.project_id);
    return v_rows;
end
$func$;
comment on function taisce.leave_tombstones(bigint, uuid[]) is
'Empties observations: what stays is the offset and the id.';
revoke all on function taisce.leave_tombstones(bigint, uuid[]) from public;
