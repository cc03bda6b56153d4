-- taisce.read_records(project_id, fact_ids, read_at, skew)
-- Facts as they are kept, each with its last version and its status: retracted, knowledge_closed
-- (believed no more), validity_closed (believed, but ended), sources_released (the texts behind it
-- are gone; its first 32 pieces of evidence are looked at), current. A key is asked for as a range
-- and in its order, and sorting is off: the planner then has one index to read by.
-- Returns: one row a fact that has not expired, in the order given.
-- Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.record') is null then
        create type taisce.record as (
            place bigint,
            fact taisce.fact,
            last taisce.fact_version,
            subject text,
            object text,
            status text
        );
    end if;
end
$do$;

create or replace function taisce.read_records(
    project_id bigint,
    fact_ids uuid[],
    read_at timestamptz,
    skew interval
)
returns setof taisce.record
language plpgsql
stable
parallel safe
rows 20
as $func$
declare
    v_probes constant integer := 32;
begin
    return query
    select
        k.place,
        f.fact::taisce.fact,
        l.version::taisce.fact_version,
        s.canonical_name,
        o.canonical_name,
        case
            when (l.version).known_to < 'infinity' and (l.version).closed_cause = 'retracted'
                then 'retracted'
            when (l.version).known_to < 'infinity' then 'knowledge_closed'
            when (l.version).valid_to <= read_records.read_at
                + case when (l.version).replaced then read_records.skew else '0' end
                then 'validity_closed'
            when w.kept is null then 'sources_released'
            else 'current'
        end
    from unnest(read_records.fact_ids) with ordinality as k (fact_id, place)
    cross join lateral (
        select i as fact, i.subject_entity_id, i.object_entity_id
        from taisce.fact as i
        where i.project_id = read_records.project_id
          and i.fact_id between k.fact_id and k.fact_id
          and i.retention_until > read_records.read_at
        order by i.fact_id
        limit 1
    ) as f
    cross join lateral (
        select i as version
        from taisce.fact_version as i
        where i.project_id = read_records.project_id
          and i.fact_id between k.fact_id and k.fact_id
        order by i.fact_id desc, i.known_from desc
        limit 1
    ) as l
    left join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = read_records.project_id
          and i.entity_id between f.subject_entity_id and f.subject_entity_id
        order by i.entity_id
        limit 1
    ) as s on true
    left join lateral (
        select taisce.known_as(
            i.canonical_name, i.name_until, i.project_id, i.entity_id,
            statement_timestamp()) as canonical_name
        from taisce.entity as i
        where i.project_id = read_records.project_id
          and i.entity_id between f.object_entity_id and f.object_entity_id
        order by i.entity_id
        limit 1
    ) as o on true
    left join lateral (
        select true as kept
        from (
            select i.observation_id, i.ordinal
            from taisce.fact_evidence as i
            where i.project_id = read_records.project_id
              and i.fact_id = k.fact_id
              and i.stance = 'supports'
              and i.retention_until > read_records.read_at
            order by i.log_offset, i.ordinal, i.byte_start, i.claim_id
            limit v_probes
        ) as e
        cross join lateral (
            select
            from taisce.message as i
            where i.project_id = read_records.project_id
              and i.observation_id = e.observation_id
              and i.ordinal between e.ordinal and e.ordinal
              and i.content is not null
            order by i.ordinal
            limit 1
        ) as m
        limit 1
    ) as w on true
    order by k.place;
end
$func$;
comment on function taisce.read_records(bigint, uuid[], timestamptz, interval) is
'Facts as they are kept, each with its last version and its status.';
revoke all on function taisce.read_records(bigint, uuid[], timestamptz, interval) from public;
