-- taisce.write_line(project_id, body, arguments)
-- Does what a line of the load format does, for a function that has arguments instead of fields:
-- one way to write, whoever asks. arguments: names of arguments by the field they are given in,
-- where they differ. The clock must be held.
-- Returns: counts of what was new.   Raises: TS004, TS005, TS006, TS007 naming the argument.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.write_line(
    project_id bigint,
    body jsonb,
    arguments jsonb default '{}'
)
returns jsonb
language plpgsql
volatile
set timezone = 'UTC'
set datestyle = 'ISO, MDY'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_body constant jsonb := jsonb_strip_nulls(write_line.body);
    v_code text;
    v_detail text;
    v_parts text[];
    v_field text;
    v_reason text;
begin
    return taisce.load_lines(
        write_line.project_id,
        array[row(1, v_body ->> 'type', v_body)::taisce.load_line],
        -- Only observe lets a curated text come here, and asks who writes it.
        coalesce(v_body ->> 'kind' = 'curated', false),
        pg_catalog.clock_timestamp());
exception
    when sqlstate 'TS006' or sqlstate 'TS007' or sqlstate 'TS008' then
        get stacked diagnostics v_code = returned_sqlstate, v_detail = pg_exception_detail;
        v_parts := regexp_match(v_detail, '^line \d+(?:, field ([a-z_]+)([^:]*))?: (.*)$');
        v_field := coalesce(write_line.arguments ->> v_parts[1], v_parts[1], 'arguments')
            || coalesce(v_parts[2], '');
        v_reason := v_parts[3];
        if v_reason like '%declared before' then
            v_code := 'TS004';
            v_reason := 'is not known in the project';
        elsif v_code = 'TS008' then
            v_code := 'TS005';
        end if;
        perform taisce.refuse_argument(v_field, v_reason, v_code);
        return null;
end
$func$;
comment on function taisce.write_line(bigint, jsonb, jsonb) is
'Does what a line of the load format does, with errors that name arguments.';
revoke all on function taisce.write_line(bigint, jsonb, jsonb) from public;
