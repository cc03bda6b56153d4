-- requires: search/date_tokens.sql
-- taisce.word_vector(body, configuration), taisce.exact_tokens(body, vector, at),
-- taisce.tokens(body, configuration)
-- The words of a text as they are indexed and asked for: lexemes of a text search configuration
-- (numbers among them), dates in one form, and beside them, behind "=", the exact form of
-- capitalised words inside a sentence that the configuration would change or drop.
-- Returns: the lexemes with their positions; the tokens beside them, with day and month of an
-- instant (UTC), each once; or all of it, one row a term with its count.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.word_vector(body text, configuration regconfig)
returns tsvector
language sql
immutable
parallel safe
as $func$
    -- A slash between words makes the parser see a path.
    select to_tsvector(configuration, case
        when strpos(body, '/') > 0
            then regexp_replace(body, '([[:alpha:]])/(?=[[:alpha:]])', '\1 ', 'g')
        else body
    end)
$func$;
comment on function taisce.word_vector(text, regconfig) is
'The lexemes of a text in a text search configuration.';
revoke all on function taisce.word_vector(text, regconfig) from public;

create or replace function taisce.exact_tokens(
    body text,
    vector tsvector,
    at timestamptz default null
)
returns text[]
language plpgsql
stable
parallel safe
as $func$
declare
    v_tokens text[] := '{}';
    v_days constant text[] := case
        when isfinite(at) then array[
            to_char(at at time zone 'UTC', 'YYYY-MM-DD'), to_char(at at time zone 'UTC', 'YYYY-MM')
        ]
        else '{}'
    end;
begin
    if body ~ '[[:lower:][:digit:],;:] [[:upper:]][[:alnum:]]' then
        v_tokens := array(
            select '=' || w.word
            from unnest(tsvector_to_array(ts_delete(
                to_tsvector('pg_catalog.simple'::regconfig, (
                    select string_agg(m.found[1], ' ')
                    from regexp_matches(
                        body,
                        '[[:lower:][:digit:],;:]((?: [[:upper:]][[:alnum:]]+)+)', 'g'
                    ) as m (found)
                )),
                tsvector_to_array(vector)
            ))) as w (word)
            where octet_length(w.word) <= 254
        );
    end if;
    if body !~ '[0-9][0-9][0-9][0-9]' then
        return v_tokens || v_days;
    end if;
    return v_tokens || array(
        select d.token
        from taisce.date_tokens(body) as d (token)
        union
        select i.token
        from unnest(v_days) as i (token)
    );
end
$func$;
comment on function taisce.exact_tokens(text, tsvector, timestamptz) is
'Exact names and dates of a text, beside its lexemes.';
revoke all on function taisce.exact_tokens(text, tsvector, timestamptz) from public;

create or replace function taisce.tokens(body text, configuration text)
returns table (term text, frequency real)
language sql
stable
parallel safe
as $func$
    with vector as materialized (
        select taisce.word_vector(body, configuration::regconfig) as words
    )
    select l.lexeme, cardinality(l.positions)::real
    from vector as v
    cross join lateral unnest(v.words) as l
    where octet_length(l.lexeme) <= 255
    union all
    select t.token, 0.5::real
    from vector as v
    cross join lateral unnest(taisce.exact_tokens(body, v.words)) as t (token)
$func$;
comment on function taisce.tokens(text, text) is
'The words of a text as they are indexed and asked for: lexemes, dates, exact names.';
revoke all on function taisce.tokens(text, text) from public;
