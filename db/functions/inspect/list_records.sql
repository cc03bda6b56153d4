-- memory_v1.list_records(data_subject_id, after, max_rows, project)
-- The facts that are kept, whatever their status, in the order of being told: of one data subject
-- or of the whole project.
-- Returns: a page of 0 to max_rows (1 to 100) rows by fact id. subject, predicate, object, value
-- and statement are previews of 512 characters; statement_octets is its whole length. continuation
-- (on every row): what to give as after for the next page, null on the last.
-- Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.listed_record') is null then
        create type memory_v1.listed_record as (
            fact_id uuid,
            kind text,
            subject text,
            subject_id uuid,
            predicate text,
            object text,
            object_id uuid,
            value text,
            statement text,
            statement_octets integer,
            source_role text,
            data_subject_id text,
            recorded_at timestamptz,
            status text,
            support text,
            continuation text
        );
        comment on type memory_v1.listed_record is 'A fact of an inventory, in preview.';
    end if;
end
$do$;

create or replace function memory_v1.list_records(
    data_subject_id text default null,
    after text default null,
    max_rows integer default 20,
    project text default null
)
returns setof memory_v1.listed_record
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 20
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_preview constant integer := 512;
    v_rows constant integer := taisce.page_rows(list_records.max_rows, 20);
    v_after constant uuid := coalesce(
        (taisce.read_cursor(
            list_records.after, 'records',
            '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'))[1],
        '00000000-0000-0000-0000-000000000000')::uuid;
    v_read_at constant timestamptz := statement_timestamp();
    v_project_id bigint;
    v_ids uuid[];
    v_continuation text;
begin
    perform taisce.check_subject(list_records.data_subject_id, false);
    v_project_id := taisce.resolve_project(list_records.project, 'read');
    if list_records.data_subject_id is null then
        select array_agg(i.fact_id order by i.fact_id)
        into v_ids
        from (
            select f.fact_id
            from taisce.fact as f
            where f.project_id = v_project_id
              and f.fact_id > v_after
              and f.retention_until > v_read_at
            order by f.fact_id
            limit v_rows + 1
        ) as i;
    else
        -- Bounded from both sides and ordered by the subject, for one index alone gives that.
        select array_agg(i.fact_id order by i.fact_id)
        into v_ids
        from (
            select f.fact_id
            from taisce.fact as f
            where f.project_id = v_project_id
              and (f.data_subject_id, f.fact_id) > (list_records.data_subject_id, v_after)
              and f.data_subject_id <= list_records.data_subject_id
              and f.retention_until > v_read_at
            order by f.data_subject_id, f.fact_id
            limit v_rows + 1
        ) as i;
    end if;
    if cardinality(v_ids) > v_rows then
        v_ids := v_ids[:v_rows];
        v_continuation := taisce.write_cursor('records', v_ids[v_rows]::text);
    end if;
    return query
    select
        (r.fact).fact_id,
        (r.fact).kind,
        left(r.subject, v_preview),
        (r.fact).subject_entity_id,
        left((r.fact).predicate, v_preview),
        left(r.object, v_preview),
        (r.fact).object_entity_id,
        left((r.fact).object_value, v_preview),
        left((r.fact).statement, v_preview),
        octet_length((r.fact).statement),
        (r.fact).source_role,
        (r.fact).data_subject_id,
        (r.fact).recorded_at,
        r.status,
        (r.fact).support,
        v_continuation
    from taisce.read_records(
        v_project_id, v_ids, v_read_at, taisce.setting_interval('clock_skew')
    ) as r
    order by r.place;
end
$func$;
comment on function memory_v1.list_records(text, text, integer, text) is
'The facts that are kept, whatever their status, in the order of being told.';
revoke all on function memory_v1.list_records(text, text, integer, text) from public;
grant execute on function memory_v1.list_records(text, text, integer, text) to taisce_reader;
