-- taisce.outer_marks(token)
-- How many marks a token may lose at its beginning: those before its first word, all but one if it
-- has no word, and never more than three.
-- Returns: 0 to 3.   Runs as: invoker.   Since: 0.1

create or replace function taisce.outer_marks(token text)
returns integer
language sql
immutable
parallel safe
as $func$
    select least(3, case
        when w.words = '{}' then pg_catalog.length(outer_marks.token)
        else pg_catalog.strpos(outer_marks.token, w.words[1])
    end - 1)
    from (select taisce.name_words(outer_marks.token) as words) as w
$func$;
comment on function taisce.outer_marks(text) is
'How many marks a token may lose at its beginning.';
revoke all on function taisce.outer_marks(text) from public;
