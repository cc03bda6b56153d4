-- taisce.write_cursor(kind, key)
-- Where a page ended, as text that callers hand back unread. It is a position and no right: what
-- it leads to is checked like everything else.
-- Returns: one text, null for a null key.   Runs as: invoker.   Since: 0.1

create or replace function taisce.write_cursor(kind text, key text)
returns text
language sql
immutable
parallel safe
as $func$
    select pg_catalog.encode(pg_catalog.convert_to(
        write_cursor.kind || ' ' || write_cursor.key, 'UTF8'), 'hex')
$func$;
comment on function taisce.write_cursor(text, text) is
'Where a page ended, as text that callers hand back unread.';
revoke all on function taisce.write_cursor(text, text) from public;
