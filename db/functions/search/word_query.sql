-- requires: search/tokens.sql
-- requires: search/index_words.sql.j2
-- taisce.word_query(project_id, space, query, asked)
-- What a query asks of one space of texts: its words, weighted by how few texts have them:
-- ln(1 + (N - df + 0.5) / (df + 0.5)), over the project's own counts. Rarest first, at most 64.
-- What is due at this instant counts no more: due lists those texts, anew has the words which facts
-- and entities among them have without the names that may not be read any more.
-- asked: the words, taken from another space's row, instead of reading the query again.
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
            dropped integer,
            due uuid[],
            anew taisce.word_text[],
            asked text[]
        );
    end if;
end
$do$;

create or replace function taisce.word_query(
    project_id bigint,
    space text,
    query text,
    asked text[] default null
)
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
    v_asked text[];
    v_gone text[];
    v_anew text[];
    v_texts bigint := 0;
    v_length double precision := 0;
begin
    select p.word_configuration, p.reference_length
    into v_configuration, v_words.reference
    from taisce.project as p
    where p.project_id = word_query.project_id;
    v_asked := coalesce(word_query.asked, array(
        select i.term
        from taisce.tokens(word_query.query, v_configuration) as i
    ));
    v_words.asked := v_asked;

    -- Of the words asked for, each place where one stands in what is due.
    with due as materialized (
        select d.item_id, d.length, d.terms
        from taisce.word_due as d
        where d.project_id = word_query.project_id
          and d.space = word_query.space
          and d.kept_until <= statement_timestamp()
    )
    select array_agg(d.item_id), -count(*), -coalesce(sum(d.length::double precision), 0),
        array(
            select t.term
            from due as i
            cross join lateral unnest(i.terms) as t (term)
            where t.term = any (v_asked)
        )
    into v_words.due, v_texts, v_length, v_gone
    from due as d;
    if v_words.due is not null then
        v_words.anew := array(
            select t
            from taisce.words_now(
                word_query.space, word_query.project_id, v_words.due) as t
        );
        select v_texts + count(*), v_length + coalesce(sum(n.length::double precision), 0)
        into v_texts, v_length
        from unnest(v_words.anew) as n;
        v_anew := array(
            select t.term
            from unnest(v_words.anew) as n
            cross join lateral unnest(n.terms) as t (term)
            where t.term = any (v_asked)
        );
    end if;

    select coalesce(sum(s.documents), 0) + v_texts,
        greatest((sum(s.total_length) + v_length) / nullif(sum(s.documents) + v_texts, 0), 0.5)
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
        select q.term collate "C" as term,
            coalesce(d.documents, 0)
                - coalesce(cardinality(array_positions(v_gone, q.term)), 0)
                + coalesce(cardinality(array_positions(v_anew, q.term)), 0) as documents
        from unnest(v_asked) as q (term)
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
comment on function taisce.word_query(bigint, text, text, text[]) is
'The words of a query, weighted by how few texts of the project have them.';
revoke all on function taisce.word_query(bigint, text, text, text[]) from public;
