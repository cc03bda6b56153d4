-- taisce.head_key(normalized)
-- What a long name is probed by: its first four words, or a digest of them as in name_key.
-- Returns: one text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.head_key(normalized text)
returns text
language sql
immutable
parallel safe
as $func$
    select taisce.name_key(
        pg_catalog.array_to_string((taisce.name_words(head_key.normalized))[1:4], ' '))
$func$;
comment on function taisce.head_key(text) is
'The first four words of a normalised name, which a long name is probed by.';
revoke all on function taisce.head_key(text) from public;
