-- requires: write/erased_rows.sql
-- memory_v1.expire(max_observations, dry_run, project)
-- Erases observations whose retention has passed, the longest passed first. No read has shown them
-- since that instant; this frees what they hold. Call it again while it erases as many as it may.
-- Returns: rows by table.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.expire(
    max_observations integer default 1000,
    dry_run boolean default false,
    project text default null
)
returns setof memory_v1.erased_rows
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_admin(expire.project);
    v_ids uuid[];
begin
    if expire.max_observations is null or expire.max_observations not between 1 and 100000 then
        perform taisce.refuse_argument('max_observations', 'must be between 1 and 100000');
    end if;
    v_ids := array(
        select o.observation_id
        from taisce.observation as o
        where o.project_id = v_project_id
          and o.retention_until <= pg_catalog.statement_timestamp()
          and not o.erased
        order by o.retention_until, o.log_offset
        limit expire.max_observations
    );
    return query
    select r.*
    from taisce.erased_rows(taisce.attempt_erasure(
        v_project_id, v_ids, null, coalesce(expire.dry_run, false))) as r;
end
$func$;
comment on function memory_v1.expire(integer, boolean, text) is
'Erase observations whose retention has passed; dry_run counts only.';
revoke all on function memory_v1.expire(integer, boolean, text) from public;
grant execute on function memory_v1.expire(integer, boolean, text) to taisce_admin;
