-- memory_v1.recall_terms(question)
-- The names that a question may hold, as recall probes them. Windows of one to four words; tokens
-- as typed and without outer marks; words without a possessive 's; and for names of more than
-- four words the four words they would begin with.
-- Returns: one row a candidate, ordered as probed: plain, token, possessive, long. A question
--     without words gives none.
-- Raises: TS001.   Runs as: definer.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.recall_term') is null then
        create type memory_v1.recall_term as (ordinal integer, candidate text, kind text);
        comment on type memory_v1.recall_term is
            'A name that a question may hold; kind is plain, token, possessive or long.';
    end if;
end
$do$;

create or replace function memory_v1.recall_terms(question text)
returns setof memory_v1.recall_term
language plpgsql
stable
parallel safe
security definer
rows 100
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_terms taisce.term_set;
begin
    v_terms := taisce.question_terms(
        recall_terms.question, taisce.setting_integer('recall_terms'));
    return query
    select
        c.ordinal::integer,
        c.candidate,
        case
            when c.ordinal > cardinality(v_terms.candidates) then 'long'
            when c.ordinal > v_terms.plain + v_terms.token then 'possessive'
            when c.ordinal > v_terms.plain then 'token'
            else 'plain'
        end
    from unnest(v_terms.candidates || v_terms.heads) with ordinality as c (candidate, ordinal)
    order by c.ordinal;
end
$func$;
comment on function memory_v1.recall_terms(text) is
'The names that a question may hold, in the order in which recall probes them.';
revoke all on function memory_v1.recall_terms(text) from public;
grant execute on function memory_v1.recall_terms(text)
to taisce_reader, taisce_analyst, taisce_writer;
