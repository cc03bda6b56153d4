-- memory_v1.load(project)
-- Applies the lines of the load format that this transaction has copied into load_stage, in order,
-- and empties the stage. Loading the same lines again changes nothing. A project that does not
-- exist is made if the caller is an administrator.
-- Returns: one row of counts of what was new; repeated counts lines that changed nothing.
-- Raises: TS003, TS005, TS006, TS007, TS008: the detail reads "line 12, field evidence[0].quote:
-- reason", and nothing of the load is kept. Every look-up in a table asks for the order of the key
-- it is to use, and sorting is off: without statistics the planner takes any index that begins with
-- project_id for as good as the key. What is looked up is a plain column: row security keeps an
-- expression out of the index.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.load_result') is null then
        create type memory_v1.load_result as (
            project text,
            lines bigint,
            predicates bigint,
            observations bigint,
            messages bigint,
            entities bigint,
            names bigint,
            claims bigint,
            facts bigint,
            versions bigint,
            evidence bigint,
            mentions bigint,
            superseded bigint,
            contradictions bigint,
            retracted bigint,
            merges bigint,
            communities bigint,
            reports bigint,
            segments bigint,
            repeated bigint,
            stored bigint,
            known_through timestamptz
        );
    end if;
end
$do$;
comment on type memory_v1.load_result is
'What a load added, in rows; repeated counts lines that changed nothing, stored is the last '
'offset.';

create or replace function memory_v1.load(project text default null)
returns setof memory_v1.load_result
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set datestyle = 'ISO, MDY'
set jit = off
set work_mem = '16MB'
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_rows constant integer := 10000;
    v_bytes constant bigint := 8000000;
    v_project_id bigint;
    v_admin boolean;
    v_now timestamptz;
    v_counts jsonb := '{}';
    v_after integer;
    v_lines taisce.load_line[];
    v_result memory_v1.load_result;
begin
    v_project_id := taisce.open_project(load.project);
    v_admin := v_project_id = any (taisce.granted_projects('admin')) and taisce.is_admin();
    perform taisce.lock_clock(v_project_id);

    if exists (
        select
        from memory_v1.load_stage as s
        where s.txid = pg_current_xact_id()
          and (s.body ? 'id' or s.body ->> 'type' = 'mention' or s.body ? 'known_through')
    ) then
        if not v_admin then
            select min(s.line)
            into v_after
            from memory_v1.load_stage as s
            where s.txid = pg_current_xact_id()
              and (s.body ? 'id' or s.body ->> 'type' = 'mention' or s.body ? 'known_through');
            perform taisce.refuse_line(v_after, 'id', 'needs admin access');
        end if;
        v_counts := taisce.add_counts(v_counts, taisce.restore_lines(v_project_id));
    end if;

    loop
        v_lines := array(
            select row(c.line, c.body ->> 'type', c.body)::taisce.load_line
            from (
                select s.line, s.body,
                    sum(pg_column_size(s.body)) over (order by s.line) - pg_column_size(s.body)
                        as before
                from (
                    select t.line, t.body
                    from memory_v1.load_stage as t
                    where t.txid = pg_current_xact_id()
                      and (v_after is null or t.line > v_after)
                    order by t.line
                    limit v_rows
                ) as s
            ) as c
            where c.before < v_bytes
            order by c.line
        );
        exit when cardinality(v_lines) = 0;
        v_after := v_lines[cardinality(v_lines)].line;
        v_now := pg_catalog.clock_timestamp();
        v_counts := taisce.add_counts(v_counts, taisce.load_lines(
            v_project_id, v_lines, v_admin, v_now));
    end loop;
    delete from memory_v1.load_stage as s where s.txid = pg_current_xact_id();

    select p.name
    into strict v_result.project
    from taisce.project as p
    where p.project_id = v_project_id;
    v_result := jsonb_populate_record(v_result, v_counts);
    select c.stored, nullif(c.last_stamp, '-infinity')
    into strict v_result.stored, v_result.known_through
    from taisce.project_clock as c
    where c.project_id = v_project_id;
    return query
    select v_result.project, coalesce(v_result.lines, 0), coalesce(v_result.predicates, 0),
        coalesce(v_result.observations, 0), coalesce(v_result.messages, 0),
        coalesce(v_result.entities, 0), coalesce(v_result.names, 0),
        coalesce(v_result.claims, 0), coalesce(v_result.facts, 0),
        coalesce(v_result.versions, 0), coalesce(v_result.evidence, 0),
        coalesce(v_result.mentions, 0), coalesce(v_result.superseded, 0),
        coalesce(v_result.contradictions, 0), coalesce(v_result.retracted, 0),
        coalesce(v_result.merges, 0), coalesce(v_result.communities, 0),
        coalesce(v_result.reports, 0), coalesce(v_result.segments, 0),
        coalesce(v_result.repeated, 0), v_result.stored, v_result.known_through;
end
$func$;
comment on function memory_v1.load(text) is
'Applies the lines copied into load_stage by this transaction; gives counts of what was new.';
revoke all on function memory_v1.load(text) from public;
grant execute on function memory_v1.load(text) to taisce_writer;
