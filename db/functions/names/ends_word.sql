-- taisce.ends_word(rest)
-- Whether a word can end before the rest of a normalised text: nothing follows it, a space, or a
-- mark (see mark_ranges and symbol_ranges), with any ' and - before that.
-- Returns: true or false.   Runs as: invoker.   Since: 0.1

create or replace function taisce.ends_word(rest text)
returns boolean
language plpgsql
immutable
strict
parallel safe
as $func$
declare
    v_next text collate "C" := left(ltrim(rest, '''-'), 1);
begin
    return v_next = '' or v_next = ' '
        or v_next ~ ('[' || taisce.mark_ranges() || taisce.symbol_ranges() || ']');
end
$func$;
comment on function taisce.ends_word(text) is
'Whether a word can end before the rest of a normalised text.';
revoke all on function taisce.ends_word(text) from public;
