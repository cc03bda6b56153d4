-- taisce.load_segment(project_id, line, now)
-- Applies a segment line: the summary of a range of a subject's observations. Segments of one
-- subject and level do not overlap.
-- Returns: {segments, repeated}.   Raises: TS006, TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_segment(
    project_id bigint,
    line taisce.load_line,
    now timestamptz
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_subject text := line.body ->> 'data_subject_id';
    v_level integer := (line.body ->> 'level')::integer;
    v_from bigint := (line.body ->> 'from_offset')::bigint;
    v_to bigint := (line.body ->> 'to_offset')::bigint;
    v_summary text := line.body ->> 'summary';
    v_stored bigint;
    v_known taisce.segment;
begin
    select c.stored
    into strict v_stored
    from taisce.project_clock as c
    where c.project_id = load_segment.project_id;
    if v_to < v_from then
        perform taisce.refuse_line(line.line, 'to_offset', 'must not be less than from_offset');
    elsif v_to > v_stored then
        perform taisce.refuse_line(line.line, 'to_offset', 'is beyond the last offset');
    end if;

    select g.*
    into v_known
    from taisce.segment as g
    where g.project_id = load_segment.project_id
      and g.data_subject_id = v_subject
      and g.level = v_level
      and g.to_offset >= v_from
    order by g.to_offset
    limit 1;
    if (v_known.from_offset, v_known.to_offset, v_known.summary) = (v_from, v_to, v_summary) then
        return '{"segments": 0, "repeated": 1}';
    elsif v_known.from_offset <= v_to then
        perform taisce.refuse_line(line.line, 'from_offset',
            'another segment of this subject and level covers part of the range', 'TS006');
    end if;

    insert into taisce.segment (
        project_id, segment_id, data_subject_id, level, from_offset, to_offset, covered, summary,
        characters, created_at
    )
    values (
        load_segment.project_id,
        taisce.make_id('segment', load_segment.project_id,
            jsonb_build_array(v_subject, v_level, v_from, v_to)::text),
        v_subject, v_level, v_from, v_to,
        coalesce((line.body ->> 'covered')::integer, (
            select count(*)
            from taisce.observation as o
            where o.project_id = load_segment.project_id
              and o.data_subject_id = v_subject
              and o.log_offset between v_from and v_to
        )),
        v_summary, char_length(v_summary), load_segment.now
    );
    return '{"segments": 1, "repeated": 0}';
end
$func$;
comment on function taisce.load_segment(bigint, taisce.load_line, timestamptz) is
'Applies a segment line.';
revoke all on function taisce.load_segment(bigint, taisce.load_line, timestamptz) from public;
