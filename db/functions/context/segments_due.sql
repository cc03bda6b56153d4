-- memory_v1.segments_due(data_subject_id, max_rows, project)
-- What to condense next for a person. Of what memory_v1.context would show beyond the newest eight
-- turns: every eight turns in a row without a segment, every eight segments of one level in a row
-- without a higher one; and where something condensed at that level or above follows, what is left
-- over of two or more, so that a gap closes. What lies between is never swallowed unseen.
-- Returns: 0 to max_rows (1 to 100) rows, oldest first: level to write, offsets, how many turns
-- that covers, the observations (level 1) or segments to condense. Write them and ask again.
-- Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.due_segment') is null then
        create type memory_v1.due_segment as (
            level integer,
            from_offset bigint,
            to_offset bigint,
            covered integer,
            sources uuid[]
        );
        comment on type memory_v1.due_segment is 'A segment that a summariser should write.';
    end if;
end
$do$;

create or replace function memory_v1.segments_due(
    data_subject_id text,
    max_rows integer default 20,
    project text default null
)
returns setof memory_v1.due_segment
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 4
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_newest constant integer := 8;
    v_full constant integer := 8;
    v_highest constant integer := 6;
    v_empty constant memory_v1.due_segment := row(null, null, null, 0, '{}'::uuid[]);
    v_rows constant integer := taisce.page_rows(segments_due.max_rows, 20);
    v_read_at constant timestamptz := statement_timestamp();
    v_project_id bigint;
    v_levels integer[];
    v_expired bigint[];
    v_end bigint;
    v_position bigint := 0;
    v_item record;
    v_runs memory_v1.due_segment[] := array_fill(v_empty, array[v_highest]);
    v_returned integer := 0;
    v_level integer;
    v_done boolean;
begin
    perform taisce.check_subject(segments_due.data_subject_id);
    v_project_id := taisce.resolve_project(segments_due.project, 'read');
    select n.log_offset
    into v_end
    from (
        select o.log_offset
        from taisce.observation as o
        where o.project_id = v_project_id
          and o.data_subject_id >= segments_due.data_subject_id
          and (o.data_subject_id, o.log_offset)
            < (segments_due.data_subject_id, 9223372036854775807)
          and o.kind = 'turn'
          and o.formed_at is not null
          and o.parked_at is null
          and not o.erased
          and o.retention_until > v_read_at
        order by o.data_subject_id desc, o.log_offset desc
        limit v_newest
    ) as n
    order by n.log_offset
    limit 1;
    v_levels := taisce.segment_levels(v_project_id, segments_due.data_subject_id);
    v_expired := taisce.expired_turns(v_project_id, segments_due.data_subject_id, v_read_at);

    -- The newest eight, or fewer, are never condensed: v_end is the oldest of them.
    loop
        select
            coalesce(g.segment_id, t.observation_id) as item_id,
            coalesce(g.level, 0) as level,
            coalesce(g.from_offset, t.log_offset) as from_offset,
            coalesce(g.to_offset, t.log_offset) as to_offset,
            coalesce(g.covered, 1) as covered
        into v_item
        from (
            select o.observation_id, o.log_offset
            from taisce.observation as o
            where o.project_id = v_project_id
              and (o.data_subject_id, o.log_offset) > (segments_due.data_subject_id, v_position)
              and (o.data_subject_id, o.log_offset) < (segments_due.data_subject_id, v_end)
              and o.kind = 'turn'
              and o.formed_at is not null
              and o.parked_at is null
              and not o.erased
              and o.retention_until > v_read_at
            order by o.data_subject_id, o.log_offset
            limit 1
        ) as t
        left join lateral (
            select s.*
            from unnest(v_levels) as l (level)
            cross join lateral (
                select i.segment_id, i.level, i.from_offset, i.to_offset, i.covered
                from taisce.segment as i
                where i.project_id = v_project_id
                  and i.data_subject_id = segments_due.data_subject_id
                  and i.level = l.level
                  and i.to_offset >= t.log_offset
                order by i.to_offset
                limit 1
            ) as s
            where s.from_offset <= t.log_offset
              and not exists (
                select
                from unnest(v_expired) as e (log_offset)
                where e.log_offset between s.from_offset and s.to_offset
              )
            order by s.level desc
            limit 1
        ) as g on true;
        exit when v_item.item_id is null;

        for v_level in 1..v_highest loop
            if v_item.level = v_level - 1 then
                v_runs[v_level] := row(
                    v_level,
                    coalesce((v_runs[v_level]).from_offset, v_item.from_offset),
                    v_item.to_offset,
                    (v_runs[v_level]).covered + v_item.covered,
                    (v_runs[v_level]).sources || v_item.item_id
                )::memory_v1.due_segment;
                v_done := cardinality((v_runs[v_level]).sources) = v_full;
            else
                v_done := v_item.level >= v_level
                    and cardinality((v_runs[v_level]).sources) > 1;
            end if;
            if v_done then
                return next v_runs[v_level];
                v_returned := v_returned + 1;
                if v_returned = v_rows then
                    return;
                end if;
            end if;
            if v_done or v_item.level <> v_level - 1 then
                v_runs[v_level] := v_empty;
            end if;
        end loop;
        v_position := v_item.to_offset;
    end loop;
end
$func$;
comment on function memory_v1.segments_due(text, integer, text) is
'What to condense next for a person: offsets and sources of the segments that are missing.';
revoke all on function memory_v1.segments_due(text, integer, text) from public;
grant execute on function memory_v1.segments_due(text, integer, text)
to taisce_reader, taisce_writer;
