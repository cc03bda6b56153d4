-- requires: write/erased_rows.sql
-- memory_v1.erase_observations(ids, dry_run, project)
-- Erases observations and all that rests on them alone: messages, claims, facts left without
-- support, names and profiles they brought, what they did to other facts, and whatever was made of
-- them. Nothing reads them once the transaction has committed. dry_run: count only.
-- Returns: rows by table.   Raises: TS003, TS004 (then nothing is erased), TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.erase_observations(
    ids uuid[],
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
    v_project_id bigint := taisce.open_admin(erase_observations.project);
    v_ids constant uuid[] := array(select distinct i from unnest(erase_observations.ids) as i);
begin
    if cardinality(v_ids) = 0 then
        perform taisce.refuse_argument('ids', 'names no observation');
    elsif (
        select count(*)
        from taisce.observation as o
        where o.project_id = v_project_id
          and o.observation_id = any (v_ids)
          and not o.erased
    ) <> cardinality(v_ids) then
        perform taisce.not_found();
    end if;
    return query
    select r.*
    from taisce.erased_rows(taisce.attempt_erasure(
        v_project_id, v_ids, null, coalesce(erase_observations.dry_run, false))) as r;
end
$func$;
comment on function memory_v1.erase_observations(uuid[], boolean, text) is
'Erase observations and all that rests on them alone; dry_run counts only.';
revoke all on function memory_v1.erase_observations(uuid[], boolean, text) from public;
grant execute on function memory_v1.erase_observations(uuid[], boolean, text) to taisce_admin;
