-- memory_v1.register_segment(data_subject_id, level, from_offset, to_offset, summary, covered,
--     project)
-- Keeps the summary of a range of a person's turns, as segments_due asks for it. level: 1 to 6;
-- covered: how many turns it condenses, default those of the person in the range. Segments of one
-- person and level do not overlap; the same one again changes nothing.
-- Returns: one row.   Raises: TS003, TS005, TS006.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.registered_segment') is null then
        create type memory_v1.registered_segment as (
            segment_id uuid, covered integer, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.registered_segment is
'A segment that was registered.';

create or replace function memory_v1.register_segment(
    data_subject_id text,
    level integer,
    from_offset bigint,
    to_offset bigint,
    summary text,
    covered integer default null,
    project text default null
)
returns setof memory_v1.registered_segment
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(register_segment.project);
    v_counts jsonb;
begin
    v_counts := taisce.write_line(v_project_id, jsonb_build_object(
        'type', 'segment',
        'data_subject_id', register_segment.data_subject_id,
        'level', register_segment.level,
        'from_offset', register_segment.from_offset,
        'to_offset', register_segment.to_offset,
        'summary', register_segment.summary,
        'covered', register_segment.covered));
    return query
    select g.segment_id, g.covered, (v_counts ->> 'segments')::bigint = 0
    from taisce.segment as g
    where g.project_id = v_project_id
      and g.data_subject_id = register_segment.data_subject_id
      and g.level = register_segment.level
      and g.to_offset = register_segment.to_offset;
end
$func$;
comment on function memory_v1.register_segment(text, integer, bigint, bigint, text, integer, text)
is 'Keep the summary of a range of a person''s turns.';
revoke all on function memory_v1.register_segment(
    text, integer, bigint, bigint, text, integer, text
) from public;
grant execute on function memory_v1.register_segment(
    text, integer, bigint, bigint, text, integer, text
) to taisce_writer;
