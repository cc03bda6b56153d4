-- requires: search/tokens.sql
-- requires: search/index_words.sql.j2
-- taisce.word_query(project_id, space, query, asked)
-- What a query asks of one space of texts: its words, weighted by how few texts have them:
-- ln(1 + (N - df + 0.5) / (df + 0.5)), over the project's own counts. Rarest first, at most 64.
-- What is due at this instant counts no more: due lists those texts, anew has the words which facts
-- and entities among them have without the names that may not be read any more.
-- before: the row of the same query in another space, instead of reading query and project again.
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
    before taisce.word_terms default null
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
    v_texts bigint;
    v_length double precision;
    v_due_texts bigint;
    v_due_length double precision;
begin
    if word_query.before is null then
        select p.word_configuration, p.reference_length
        into v_configuration, v_words.reference
        from taisce.project as p
        where p.project_id = word_query.project_id;
        v_words.asked := array(
            select i.term
            from taisce.tokens(word_query.query, v_configuration) as i
        );
    else
        v_words.reference := (word_query.before).reference;
        v_words.asked := (word_query.before).asked;
    end if;
    v_asked := v_words.asked;

    select s.documents, s.length, d.items, d.texts, d.length
    into v_texts, v_length, v_words.due, v_due_texts, v_due_length
    from (
        select coalesce(sum(i.documents), 0)::bigint as documents,
            coalesce(sum(i.total_length), 0)::double precision as length
        from taisce.word_space as i
        where i.project_id = word_query.project_id
          and i.space = word_query.space
          and i.documents > 0
    ) as s
    cross join (
        select array_agg(i.item_id) as items, count(*) as texts,
            sum(i.length::double precision) as length
        from taisce.word_due as i
        where i.project_id = word_query.project_id
          and i.space = word_query.space
          and i.kept_until <= statement_timestamp()
    ) as d;
    if v_words.due is not null then
        -- Of the words asked for, each place where one stands in what is due.
        v_gone := array(
            select t.term
            from taisce.word_due as d
            cross join lateral unnest(d.terms) as t (term)
            where d.project_id = word_query.project_id
              and d.space = word_query.space
              and d.kept_until <= statement_timestamp()
              and t.term = any (v_asked)
        );
        v_words.anew := array(
            select t
            from taisce.words_now(
                word_query.space, word_query.project_id, v_words.due) as t
        );
        select v_texts - v_due_texts + count(*),
            v_length - v_due_length + coalesce(sum(n.length::double precision), 0)
        into v_texts, v_length
        from unnest(v_words.anew) as n;
        v_anew := array(
            select t.term
            from unnest(v_words.anew) as n
            cross join lateral unnest(n.terms) as t (term)
            where t.term = any (v_asked)
        );
    end if;
    v_words.total := v_texts;
    v_words.average := greatest(v_length / nullif(v_texts, 0), 0.5);

    select
        array_agg(t.term order by t.documents, t.term) filter (where t.documents > 0),
        array_agg(t.documents order by t.documents, t.term) filter (where t.documents > 0),
        array_agg(
            ln(1 + (greatest(v_texts, t.documents) - t.documents + 0.5)
                / (t.documents + 0.5))::double precision
            order by t.documents, t.term
        ) filter (where t.documents > 0),
        count(*) filter (where t.documents = 0),
        count(*)
    into v_words.terms, v_words.documents, v_words.weights, v_words.unknown, v_all
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
    v_words.weights := coalesce(v_words.weights[:v_most], '{}');
    v_words.dropped := v_all - v_words.unknown - cardinality(v_words.terms);
    return v_words;
end
$func$;
comment on function taisce.word_query(bigint, text, text, taisce.word_terms) is
'The words of a query, weighted by how few texts of the project have them.';
revoke all on function taisce.word_query(bigint, text, text, taisce.word_terms) from public;
