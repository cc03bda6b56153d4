-- taisce.load_version(project_id, line)
-- Applies a version line: when a fact held by what was known then. It replaces the version known
-- from the same instant, else it is added; versions of a fact never overlap in known time.
-- Returns: {versions, repeated}.   Raises: TS006, TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_version(project_id bigint, line taisce.load_line)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_fact_id uuid := taisce.load_fact_id(
        load_version.project_id, line.line, 'fact', line.body -> 'fact');
    v_valid_from timestamptz := coalesce((line.body ->> 'valid_from')::timestamptz, '-infinity');
    v_valid_to timestamptz := coalesce((line.body ->> 'valid_until')::timestamptz, 'infinity');
    v_known_from timestamptz := line.body ->> 'known_from';
    v_known_to timestamptz := coalesce((line.body ->> 'known_until')::timestamptz, 'infinity');
    v_replaced boolean := coalesce((line.body ->> 'replaced')::boolean, false);
    v_latest timestamptz := pg_catalog.clock_timestamp() + taisce.setting_interval('clock_skew');
    v_fact taisce.fact;
    v_known taisce.fact_version;
begin
    if v_valid_from >= v_valid_to then
        perform taisce.refuse_line(line.line, 'valid_until', 'must be later than valid_from');
    elsif v_known_from >= v_known_to then
        perform taisce.refuse_line(line.line, 'known_until', 'must be later than known_from');
    elsif v_known_from > v_latest then
        perform taisce.refuse_line(line.line, 'known_from', 'lies in the future');
    elsif v_known_to > v_latest and v_known_to < 'infinity' then
        perform taisce.refuse_line(line.line, 'known_until', 'lies in the future');
    end if;

    select f.*
    into strict v_fact
    from taisce.fact as f
    where f.project_id = load_version.project_id
      and f.fact_id between v_fact_id and v_fact_id
    order by f.fact_id
    limit 1;
    select v.*
    into v_known
    from taisce.fact_version as v
    where v.project_id = load_version.project_id
      and v.fact_id between v_fact_id and v_fact_id
      and v.known_from = v_known_from
    order by v.fact_id
    limit 1;
    if (v_known.valid_from, v_known.valid_to, v_known.known_to, v_known.replaced)
        = (v_valid_from, v_valid_to, v_known_to, v_replaced)
    then
        return '{"versions": 0, "repeated": 1}';
    end if;

    if exists (
        select
        from taisce.fact_version as v
        where v.project_id = load_version.project_id
          and v.fact_id = v_fact_id
          and v.known_from < v_known_to
          and v.known_to > v_known_from
          and v.known_from <> v_known_from
    ) then
        perform taisce.refuse_line(
            line.line, 'known_from', 'overlaps another version of the fact in known time');
    end if;
    if v_known_to = 'infinity' and v_fact.contradiction_group is null
        and taisce.slot_is_taken(v_fact, v_valid_from, v_valid_to)
    then
        perform taisce.refuse_line(line.line, 'valid_from',
            'another value holds at a time this one would cover', 'TS006');
    end if;

    insert into taisce.fact_version as v (
        project_id, fact_id, known_from, known_to, valid_from, valid_to, live, replaced, slot,
        contested, subject_entity_id, object_entity_id, predicate, source_role, data_subject_id,
        retention_until, cause, closed_cause
    )
    values (
        load_version.project_id, v_fact_id, v_known_from, v_known_to, v_valid_from, v_valid_to,
        v_known_to = 'infinity' and v_valid_to > pg_catalog.clock_timestamp(), v_replaced,
        v_fact.cardinality = 'one' and v_fact.predicate is not null,
        v_fact.contradiction_group is not null, v_fact.subject_entity_id,
        v_fact.object_entity_id, v_fact.predicate, v_fact.source_role, v_fact.data_subject_id,
        v_fact.retention_until, 'loaded', case when v_known_to < 'infinity' then 'loaded' end
    )
    on conflict on constraint fact_version_pkey do update
    set known_to = excluded.known_to,
        valid_from = excluded.valid_from,
        valid_to = excluded.valid_to,
        live = excluded.live,
        replaced = excluded.replaced,
        closed_cause = excluded.closed_cause;
    perform taisce.accept_stamp(
        load_version.project_id,
        case when v_known_to < 'infinity' then v_known_to else v_known_from end);
    perform taisce.withdraw_reports(
        load_version.project_id, array[v_fact_id], 'loaded', pg_catalog.clock_timestamp());
    return jsonb_build_object('versions', (v_known.fact_id is null)::integer, 'repeated', 0);
end
$func$;
comment on function taisce.load_version(bigint, taisce.load_line) is
'Applies a version line: when a fact held by what was known then.';
revoke all on function taisce.load_version(bigint, taisce.load_line) from public;
