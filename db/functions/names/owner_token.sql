-- taisce.owner_token(token)
-- A token without a possessive 's at its end, and without the marks after that.
-- Returns: one text; null if it has none, or nothing else.   Runs as: invoker.   Since: 0.1

create or replace function taisce.owner_token(token text)
returns text
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_parts text[] := taisce.text_parts(token, false);
    v_owned text collate "C" := left(
        token, length(token) - length(v_parts[cardinality(v_parts)]));
begin
    if length(v_owned) > 2 and right(v_owned, 2) in ('''s', U&'\02BCs') then
        return left(v_owned, -2);
    end if;
    return null;
end
$func$;
comment on function taisce.owner_token(text) is
'A token without a possessive at its end.';
revoke all on function taisce.owner_token(text) from public;
