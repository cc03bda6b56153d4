-- taisce.has_symbol(normalized)
-- Whether normalised text holds a sign other than +, an emoji or an unseen mark (see mark_ranges).
-- Returns: true or false.   Runs as: invoker.   Since: 0.1

create or replace function taisce.has_symbol(normalized text)
returns boolean
language plpgsql
immutable
strict
parallel safe
as $func$
begin
    if octet_length(normalized) = length(normalized) then
        return normalized ~ '[$<=>^`|~]';
    end if;
    return normalized ~ ('[' || taisce.symbol_ranges() || ']');
end
$func$;
comment on function taisce.has_symbol(text) is
'Whether normalised text holds a sign other than +, an emoji or an unseen mark.';
revoke all on function taisce.has_symbol(text) from public;
