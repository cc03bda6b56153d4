-- taisce.refuse_argument(argument, reason, code)
-- Gives up a write. The detail reads "evidence[0].quote: reason" and never repeats what was given.
-- Returns: never.   Raises: TS005, or the code given (TS004, TS006, TS007).
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.refuse_argument(
    argument text,
    reason text,
    code text default 'TS005'
)
returns void
language plpgsql
immutable
parallel safe
as $func$
begin
    raise exception using
        errcode = refuse_argument.code,
        message = case refuse_argument.code
            when 'TS004' then 'not_found'
            when 'TS006' then 'conflicting_value'
            when 'TS007' then 'idempotency_conflict'
            else 'invalid_argument'
        end,
        detail = refuse_argument.argument || ': ' || refuse_argument.reason,
        hint = case refuse_argument.code
            when 'TS004' then 'It may have been erased or have expired; look it up anew.' || case
                when refuse_argument.argument ~ 'evidence.*(observation|claim)$'
                    then ' A text is a key; an id is written {"id": ...}.'
                else ''
            end
            when 'TS006' then 'Give other times, or say with on_conflict what is to become of it.'
            when 'TS007' then 'Use a new key for new content.'
            else 'Nothing was written: correct the argument and call again.'
        end;
end
$func$;
comment on function taisce.refuse_argument(text, text, text) is
'Gives up a write with the argument and the reason.';
revoke all on function taisce.refuse_argument(text, text, text) from public;
