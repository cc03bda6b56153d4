-- taisce.cut_versions(project_id, fact_ids, known_from, valid_to, stamps, superseded_by, sources),
-- taisce.cut_version(version, valid_to, stamp, superseded_by, source)
-- Close versions in known time and open ones in their places that end where their replacements
-- start: the versions of fact_ids known from known_from, each once.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.cut_versions(
    project_id bigint,
    fact_ids uuid[],
    known_from timestamptz[],
    valid_to timestamptz[],
    stamps timestamptz[],
    superseded_by uuid[],
    sources uuid[]
)
returns void
language plpgsql
volatile
set plan_cache_mode = force_generic_plan
set enable_nestloop = off
set enable_sort = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_versions taisce.fact_version[];
    v_reported uuid;
    v_at timestamptz;
begin
    -- By place: a look-up by key must not depend on what is known of the table. A project that is
    -- compared as it is would let all its rows be read instead.
    with cut as (
        update taisce.fact_version as v
        set known_to = c.stamp,
            live = false,
            closed_cause = 'superseded',
            closed_by = c.source
        from unnest(
            cut_versions.fact_ids, cut_versions.known_from, cut_versions.stamps,
            cut_versions.sources) as c (fact_id, known_from, stamp, source)
        where v.project_id + 0 = cut_versions.project_id
          and v.ctid = any (array(
            select o.ctid
            from unnest(cut_versions.fact_ids, cut_versions.known_from)
                as k (fact_id, known_from)
            cross join lateral (
                select i.ctid
                from taisce.fact_version as i
                where i.project_id = cut_versions.project_id
                  and i.fact_id between k.fact_id and k.fact_id
                  and i.known_from = k.known_from
                order by i.fact_id, i.known_from
                limit 1
            ) as o
          ))
          and v.fact_id = c.fact_id
          and v.known_from = c.known_from
        returning v
    )
    select array_agg(c.v) into v_versions from cut as c;

    insert into taisce.fact_version (
        project_id, fact_id, known_from, valid_from, valid_to, live, replaced, slot, contested,
        subject_entity_id, object_entity_id, predicate, source_role, data_subject_id,
        retention_until, cause, caused_by
    )
    select
        v.project_id, v.fact_id, c.stamp, v.valid_from, c.valid_to,
        c.valid_to > pg_catalog.clock_timestamp(), true, v.slot, v.contested,
        v.subject_entity_id, v.object_entity_id, v.predicate, v.source_role, v.data_subject_id,
        v.retention_until, 'superseded', c.source
    from unnest(v_versions) as v
    join unnest(
        cut_versions.fact_ids, cut_versions.known_from, cut_versions.valid_to,
        cut_versions.stamps, cut_versions.sources)
        as c (fact_id, known_from, valid_to, stamp, source)
        on c.fact_id = v.fact_id and c.known_from = v.known_from;

    update taisce.fact as f
    set superseded_by = c.superseded_by,
        supersession_source = c.source
    from unnest(cut_versions.fact_ids, cut_versions.superseded_by, cut_versions.sources)
        as c (fact_id, superseded_by, source)
    where f.project_id + 0 = cut_versions.project_id
      and f.ctid = any (array(
        select o.ctid
        from unnest(cut_versions.fact_ids) as k (fact_id)
        cross join lateral (
            select i.ctid
            from taisce.fact as i
            where i.project_id = cut_versions.project_id
              and i.fact_id between k.fact_id and k.fact_id
            order by i.fact_id
            limit 1
        ) as o
      ))
      and f.fact_id = c.fact_id;

    for v_reported, v_at in
        select c.fact_id, c.stamp
        from unnest(cut_versions.fact_ids, cut_versions.stamps) as c (fact_id, stamp)
        cross join lateral (
            select true
            from taisce.report_fact as i
            where i.project_id = cut_versions.project_id
              and i.fact_id between c.fact_id and c.fact_id
            order by i.fact_id
            limit 1
        ) as r
    loop
        perform taisce.withdraw_reports(
            cut_versions.project_id, array[v_reported], 'superseded', v_at);
    end loop;
end
$func$;
comment on function taisce.cut_versions(
    bigint, uuid[], timestamptz[], timestamptz[], timestamptz[], uuid[], uuid[]
) is 'Closes versions and opens ones that end where their replacements start.';
revoke all on function taisce.cut_versions(
    bigint, uuid[], timestamptz[], timestamptz[], timestamptz[], uuid[], uuid[]
) from public;

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
as $func$
begin
    perform taisce.cut_versions(
        version.project_id, array[version.fact_id], array[version.known_from],
        array[cut_version.valid_to], array[cut_version.stamp],
        array[cut_version.superseded_by], array[cut_version.source]);
end
$func$;
comment on function taisce.cut_version(
    taisce.fact_version, timestamptz, timestamptz, uuid, uuid
) is 'Closes a version and opens one that ends where its replacement starts.';
revoke all on function taisce.cut_version(
    taisce.fact_version, timestamptz, timestamptz, uuid, uuid
) from public;
