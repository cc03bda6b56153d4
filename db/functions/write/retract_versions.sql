-- taisce.retract_versions(project_id, fact_id, stamp, reason)
-- Ends the belief in a fact at a stamp; what was believed before stays on record.
-- Returns: true, or false if it was not believed any more.
-- Raises: TS005 if the stamp is not later than the version it closes.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.retract_versions(
    project_id bigint,
    fact_id uuid,
    stamp timestamptz,
    reason text
)
returns boolean
language plpgsql
volatile
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
begin
    if (
        select true
        from taisce.fact_version as v
        where v.project_id = retract_versions.project_id
          and v.fact_id between retract_versions.fact_id and retract_versions.fact_id
          and v.known_to = 'infinity'
          and v.known_from >= retract_versions.stamp
        order by v.fact_id, v.known_from
        limit 1
    ) then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'at: not later than the version that it ends',
            hint = 'Give a later instant, or none.';
    end if;

    update taisce.fact_version as v
    set known_to = retract_versions.stamp,
        live = false,
        closed_cause = 'retracted'
    where v.project_id + 0 = retract_versions.project_id
      and v.ctid = any (array(
        select o.ctid
        from taisce.fact_version as o
        where o.project_id = retract_versions.project_id
          and o.fact_id between retract_versions.fact_id and retract_versions.fact_id
          and o.known_to = 'infinity'
        order by o.fact_id, o.known_from
    ));
    if not found then
        return false;
    end if;

    update taisce.fact as f
    set retracted_at = retract_versions.stamp,
        retraction_reason = retract_versions.reason
    where f.project_id + 0 = retract_versions.project_id
      and f.ctid = (
        select o.ctid
        from taisce.fact as o
        where o.project_id = retract_versions.project_id
          and o.fact_id between retract_versions.fact_id and retract_versions.fact_id
        order by o.fact_id
        limit 1
    );
    perform taisce.withdraw_reports(
        retract_versions.project_id, array[retract_versions.fact_id], 'retracted',
        retract_versions.stamp);
    return true;
end
$func$;
comment on function taisce.retract_versions(bigint, uuid, timestamptz, text) is
'Ends the belief in a fact at a stamp.';
revoke all on function taisce.retract_versions(bigint, uuid, timestamptz, text) from public;
