-- taisce.refuse_line(line, field, reason, code)
-- Gives up a load. The detail reads "line 12, field evidence[0].quote: reason" and never repeats
-- what the line said.
-- Returns: never.   Raises: TS008, or the code given (TS006, TS007).
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.refuse_line(
    line integer,
    field text,
    reason text,
    code text default 'TS008'
)
returns void
language plpgsql
volatile
as $func$
begin
    raise exception using
        errcode = refuse_line.code,
        message = case refuse_line.code
            when 'TS006' then 'conflicting_value'
            when 'TS007' then 'idempotency_conflict'
            else 'invalid_load'
        end,
        detail = 'line ' || refuse_line.line || coalesce(', field ' || refuse_line.field, '')
            || ': ' || refuse_line.reason,
        hint = 'Nothing of this load was kept: correct the line and load again.';
end
$func$;
comment on function taisce.refuse_line(integer, text, text, text) is
'Gives up a load with the line, the field and the reason.';
revoke all on function taisce.refuse_line(integer, text, text, text) from public;
