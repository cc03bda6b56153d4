-- taisce.word_count(normalized)
-- Returns: how many words a normalised name has.   Runs as: invoker.   Since: 0.1

create or replace function taisce.word_count(normalized text)
returns integer
language sql
immutable
parallel safe
as $func$
    select pg_catalog.cardinality(taisce.name_words(word_count.normalized))
$func$;
comment on function taisce.word_count(text) is 'How many words a normalised name has.';
revoke all on function taisce.word_count(text) from public;
