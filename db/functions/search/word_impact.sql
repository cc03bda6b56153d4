-- taisce.word_impact(frequency, length, reference)
-- How much a word weighs in its text, of 255: the BM25 saturation (k1 1.2, b 0.75) with a reference
-- length in place of the average. It orders postings; scores are computed anew.
-- Returns: 0 to 255.   Runs as: invoker.   Since: 0.1

create or replace function taisce.word_impact(frequency real, length real, reference real)
returns bigint
language sql
immutable
parallel safe
as $func$
    select least(255, floor(256::double precision * frequency
        / (frequency + 0.3 + 0.9 * length / reference)))::bigint
$func$;
comment on function taisce.word_impact(real, real, real) is
'How much a word weighs in its text, of 255, by a reference length.';
revoke all on function taisce.word_impact(real, real, real) from public;
