-- requires: search/tokens.sql
-- taisce.word_query(project_id, space, query)
-- What a query asks of one space of texts: its words, weighted by how few texts have them:
-- ln(1 + (N - df + 0.5) / (df + 0.5)), over the project's own counts. Rarest first, at most 64.
-- Returns: one row; terms that no text has are left out and counted in unknown.
-- Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.word_terms') is null then
        create type taisce.word_terms as (
            terms text[],
            weights double precision[],
            documents bigint[],
            total bigint,
            average double precision,
            reference double precision,
            unknown integer,
            dropped integer
        );
    end if;
end
$do$;

create or replace function taisce.word_query(project_id bigint, space text, query text)
returns taisce.word_terms
language plpgsql
stable
parallel safe
as $func$
declare
    v_most constant integer := 64;
    v_words taisce.word_terms;
    v_configuration text;
    v_all integer;
begin
    select p.word_configuration, p.reference_length
    into v_configuration, v_words.reference
    from taisce.project as p
    where p.project_id = word_query.project_id;
    select coalesce(sum(s.documents), 0), greatest(sum(s.total_length) / sum(s.documents), 0.5)
    into v_words.total, v_words.average
    from taisce.word_space as s
    where s.project_id = word_query.project_id
      and s.space = word_query.space
      and s.documents > 0;

    select
        array_agg(t.term order by t.documents, t.term) filter (where t.documents > 0),
        array_agg(t.documents order by t.documents, t.term) filter (where t.documents > 0),
        count(*) filter (where t.documents = 0),
        count(*)
    into v_words.terms, v_words.documents, v_words.unknown, v_all
    from (
        select q.term collate "C" as term, coalesce(d.documents, 0) as documents
        from (
            select i.term
            from taisce.tokens(word_query.query, v_configuration) as i
            offset 0
        ) as q
        cross join lateral (
            select sum(s.documents)::bigint as documents
            from taisce.word_statistics as s
            where s.project_id = word_query.project_id
              and s.space = word_query.space
              and s.term = q.term collate "C"
        ) as d
    ) as t;
    v_words.terms := coalesce(v_words.terms[:v_most], '{}');
    v_words.documents := coalesce(v_words.documents[:v_most], '{}');
    v_words.dropped := v_all - v_words.unknown - cardinality(v_words.terms);
    v_words.weights := array(
        select ln(1 + (greatest(v_words.total, d.documents) - d.documents + 0.5)
            / (d.documents + 0.5))::double precision
        from unnest(v_words.documents) with ordinality as d (documents, place)
        order by d.place
    );
    return v_words;
end
$func$;
comment on function taisce.word_query(bigint, text, text) is
'The words of a query, weighted by how few texts of the project have them.';
revoke all on function taisce.word_query(bigint, text, text) from public;
