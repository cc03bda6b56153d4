-- taisce.cut_version(version, valid_to, stamp, superseded_by, source)
-- Closes a version in known time and opens one in its place that ends where its replacement starts.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.cut_version(
    version taisce.fact_version,
    valid_to timestamptz,
    stamp timestamptz,
    superseded_by uuid,
    source uuid
)
returns void
language plpgsql
volatile
set plan_cache_mode = force_generic_plan
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
begin
    update taisce.fact_version as v
    set known_to = cut_version.stamp,
        live = false,
        closed_cause = 'superseded',
        closed_by = cut_version.source
    where v.project_id = version.project_id
      and v.ctid = (
        select o.ctid
        from taisce.fact_version as o
        where o.project_id = version.project_id
          and o.fact_id between version.fact_id and version.fact_id
          and o.known_from = version.known_from
        order by o.fact_id, o.known_from
        limit 1
    );

    insert into taisce.fact_version (
        project_id, fact_id, known_from, valid_from, valid_to, live, replaced, slot, contested,
        subject_entity_id, object_entity_id, predicate, source_role, data_subject_id,
        retention_until, cause, caused_by
    )
    values (
        version.project_id, version.fact_id, cut_version.stamp, version.valid_from,
        cut_version.valid_to, cut_version.valid_to > pg_catalog.clock_timestamp(), true,
        version.slot, version.contested, version.subject_entity_id, version.object_entity_id,
        version.predicate, version.source_role, version.data_subject_id,
        version.retention_until, 'superseded', cut_version.source
    );

    update taisce.fact as f
    set superseded_by = cut_version.superseded_by,
        supersession_source = cut_version.source
    where f.project_id = version.project_id
      and f.ctid = (
        select o.ctid
        from taisce.fact as o
        where o.project_id = version.project_id
          and o.fact_id between version.fact_id and version.fact_id
        order by o.fact_id
        limit 1
    );
    perform taisce.withdraw_reports(
        version.project_id, array[version.fact_id], 'superseded', cut_version.stamp);
end
$func$;
comment on function taisce.cut_version(
    taisce.fact_version, timestamptz, timestamptz, uuid, uuid
) is 'Closes a version and opens one that ends where its replacement starts.';
revoke all on function taisce.cut_version(
    taisce.fact_version, timestamptz, timestamptz, uuid, uuid
) from public;
