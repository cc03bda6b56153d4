-- memory_v1.record_history(fact_id, before, max_rows, project)
-- Every interval of a fact, newest knowledge first: when it held, when that was believed, what
-- began the interval (cause, caused_by: an observation) and what ended it (closed_cause,
-- closed_by); what did it is not named once its own retention has passed.
-- Returns: a page of 1 to max_rows (1 to 100) rows. continuation (on every row): what to give as
-- before for the next page, null on the last.
-- Raises: TS003, TS004, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.record_interval') is null then
        create type memory_v1.record_interval as (
            fact_id uuid,
            statement text,
            valid_from timestamptz,
            valid_until timestamptz,
            known_from timestamptz,
            known_until timestamptz,
            replaced boolean,
            cause text,
            caused_by uuid,
            closed_cause text,
            closed_by uuid,
            continuation text
        );
        comment on type memory_v1.record_interval is
        'An interval of a fact on both clocks; statement is a preview of 512 characters.';
    end if;
end
$do$;

create or replace function memory_v1.record_history(
    fact_id uuid,
    before text default null,
    max_rows integer default 20,
    project text default null
)
returns setof memory_v1.record_interval
language plpgsql
stable
parallel safe
security definer
rows 4
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_preview constant integer := 512;
    v_rows constant integer := taisce.page_rows(record_history.max_rows, 20);
    v_before constant bigint := (taisce.read_cursor(
        record_history.before, 'history', '(-?\d{1,18})', 'before'))[1];
    v_epoch constant timestamptz := 'epoch';
    v_project_id bigint;
    v_statement text;
begin
    v_project_id := taisce.resolve_project(record_history.project, 'read');
    select left(f.statement, v_preview)
    into v_statement
    from taisce.fact as f
    where f.project_id = v_project_id
      and f.fact_id = record_history.fact_id
      and f.retention_until > statement_timestamp();
    if not found then
        perform taisce.not_found();
    end if;
    return query
    select
        v.fact_id,
        v_statement,
        nullif(v.valid_from, '-infinity'),
        nullif(v.valid_to, 'infinity'),
        nullif(v.known_from, '-infinity'),
        nullif(v.known_to, 'infinity'),
        v.replaced,
        v.cause,
        taisce.shown_cause(v_project_id, v.caused_by),
        v.closed_cause,
        taisce.shown_cause(v_project_id, v.closed_by),
        case
            when v.found > v_rows then taisce.write_cursor(
                'history', (extract(epoch from v.page_end) * 1000000)::bigint::text)
        end
    from (
        select
            p.*,
            count(*) over () as found,
            nth_value(p.known_from, v_rows) over (
                order by p.known_from desc
                rows between unbounded preceding and unbounded following
            ) as page_end,
            row_number() over (order by p.known_from desc) as place
        from (
            select w.*
            from taisce.fact_version as w
            where w.project_id = v_project_id
              and w.fact_id between record_history.fact_id and record_history.fact_id
              and w.known_from < case
                when v_before is null then 'infinity'
                else v_epoch + v_before * interval '1 microsecond'
              end
            order by w.fact_id desc, w.known_from desc
            limit v_rows + 1
        ) as p
    ) as v
    where v.place <= v_rows
    order by v.place;
end
$func$;
comment on function memory_v1.record_history(uuid, text, integer, text) is
'Every interval of a fact on both clocks, newest knowledge first, each with its cause.';
revoke all on function memory_v1.record_history(uuid, text, integer, text) from public;
grant execute on function memory_v1.record_history(uuid, text, integer, text) to taisce_reader;
