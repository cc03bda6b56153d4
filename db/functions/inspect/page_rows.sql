-- taisce.page_rows(max_rows, usual, most)
-- The number of rows of a page: what was asked for, within 1 and the most.
-- Raises: TS005.   Runs as: invoker.   Since: 0.1

create or replace function taisce.page_rows(
    max_rows integer,
    usual integer,
    most integer default 100
)
returns integer
language plpgsql
immutable
parallel safe
as $func$
begin
    if page_rows.max_rows not between 1 and page_rows.most then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = format('max_rows must be between 1 and %s, not %s',
                page_rows.most, page_rows.max_rows),
            hint = 'Ask for further pages with the continuation of the last one.';
    end if;
    return coalesce(page_rows.max_rows, page_rows.usual);
end
$func$;
comment on function taisce.page_rows(integer, integer, integer) is
'The number of rows of a page, within 1 and the most.';
revoke all on function taisce.page_rows(integer, integer, integer) from public;
