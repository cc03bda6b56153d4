-- taisce.read_cursor(cursor, kind, shape, argument)
-- Takes a cursor apart: its key must match shape, a regular expression for the whole of it.
-- Returns: the groups of shape, null for a null cursor.
-- Raises: TS005 for anything that such a page did not give.   Runs as: invoker.   Since: 0.1

create or replace function taisce.read_cursor(
    cursor text,
    kind text,
    shape text,
    argument text default 'after'
)
returns text[]
language plpgsql
immutable
parallel safe
as $func$
declare
    v_key text[];
begin
    if read_cursor.cursor is null then
        return null;
    end if;
    -- Only pairs of digits that stand for printable ASCII, so that decoding cannot fail.
    if octet_length(read_cursor.cursor) <= 512 and read_cursor.cursor ~ '^([2-7][0-9a-f])+$'
    then
        v_key := regexp_match(
            convert_from(decode(read_cursor.cursor, 'hex'), 'UTF8'),
            '^' || read_cursor.kind || ' ' || read_cursor.shape || '$');
    end if;
    if v_key is null then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('%s is not a continuation that this call gave', read_cursor.argument),
            hint = 'Hand back the continuation of the last page unchanged, or leave it out.';
    end if;
    return v_key;
end
$func$;
comment on function taisce.read_cursor(text, text, text, text) is
'Takes the cursor of a page apart; TS005 for anything that such a page did not give.';
revoke all on function taisce.read_cursor(text, text, text, text) from public;
