-- taisce.is_blank(value)
-- Whether a text holds nothing but white space. Servers differ in what \s is beyond ASCII: here it
-- is Unicode's White_Space, as in names.
-- Returns: true or false, null for null.   Runs as: invoker.   Since: 0.1

create or replace function taisce.is_blank(value text)
returns boolean
language sql
immutable
parallel safe
as $func$
    select value !~ '[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]'
$func$;
comment on function taisce.is_blank(text) is
'Whether a text holds nothing but white space, the same on every server.';
revoke all on function taisce.is_blank(text) from public;
