-- taisce.context_budget(max_characters)
-- The budget of a context: what was asked for, at most and by default the setting
-- bundle_characters.
-- Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.context_budget(max_characters integer)
returns integer
language plpgsql
stable
parallel safe
as $func$
declare
    v_most constant integer := taisce.setting_integer('bundle_characters');
begin
    if context_budget.max_characters not between 1 and v_most then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('max_characters must be between 1 and %s, not %s',
                v_most, context_budget.max_characters),
            hint = 'An administrator may raise the setting bundle_characters.';
    end if;
    return coalesce(context_budget.max_characters, v_most);
end
$func$;
comment on function taisce.context_budget(integer) is
'The budget of a context in characters, within what the installation allows.';
revoke all on function taisce.context_budget(integer) from public;
