-- taisce.load_event(project_id, line, now)
-- Applies a line that changes what is stored already.
-- Returns: counts of what was new.   Raises: TS006, TS007, TS008.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.load_event(
    project_id bigint,
    line taisce.load_line,
    now timestamptz
)
returns jsonb
language plpgsql
volatile
as $func$
begin
    case line.type
        when 'project' then
            return taisce.load_settings(load_event.project_id, line);
        when 'version' then
            return taisce.load_version(load_event.project_id, line);
        when 'retract' then
            return taisce.load_retraction(load_event.project_id, line);
        when 'contradiction' then
            return taisce.load_contradiction(load_event.project_id, line);
        when 'merge' then
            return taisce.load_merge(load_event.project_id, line);
        when 'community' then
            return taisce.load_community(load_event.project_id, line, load_event.now);
        when 'report' then
            return taisce.load_report(load_event.project_id, line, load_event.now);
        when 'segment' then
            return taisce.load_segment(load_event.project_id, line, load_event.now);
    end case;
end
$func$;
comment on function taisce.load_event(bigint, taisce.load_line, timestamptz) is
'Applies a line that changes what is stored already.';
revoke all on function taisce.load_event(bigint, taisce.load_line, timestamptz) from public;
