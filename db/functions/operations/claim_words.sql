-- taisce.claim_words(claim_text)
-- What two claims of the same words have in common: NFKC, one case, one space between words, no
-- punctuation around the whole.
-- Returns: one text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.claim_words(claim_text text)
returns text
language sql
immutable
parallel safe
as $func$
    select btrim(
        replace(replace(
            taisce.normalize_name(case
                when octet_length(claim_text) = length(claim_text) then claim_text
                else normalize(claim_text, NFKC)
            end),
            U&'\00DF', 'ss'), U&'\03C2', U&'\03C3'),
        U&' .,;:!?()[]{}<>"''`*_/|-\00A1\00AB\00B7\00BB\00BF\2010\2011\2012\2013\2014\2015\2018'
        '\2019\201A\201C\201D\201E\2026\2039\203A\3001\3002\300C\300D')
$func$;
comment on function taisce.claim_words(text) is
'What two claims of the same words have in common.';
revoke all on function taisce.claim_words(text) from public;
