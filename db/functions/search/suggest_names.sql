-- requires: names/question_terms.sql
-- requires: recall/find_anchors.sql
-- taisce.suggest_names(project_id, question, anchors, subject)
-- Up to three names that hold capitalised or quoted words of the question which named nothing, also
-- without a possessive or plural s, or one side of a hyphen: for people to read, never used. A word
-- of more than 16 names suggests none unless another word does too. For a subject only names that
-- his own observations mention. Sorting is off: each read is to follow the index whose order it
-- asks for.
-- Returns: a jsonb list of names: most words shared, rarest word, shortest name first.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.suggest_names(
    project_id bigint,
    question text,
    anchors taisce.anchor[],
    subject text default null
)
returns jsonb
language plpgsql
stable
parallel safe
set enable_sort = off
as $func$
declare
    v_most constant integer := 3;
    v_most_names constant integer := 16;
    v_words text[];
    v_asked text[];
    v_terms text[];
    v_numbers bigint[];
    v_names jsonb;
begin
    select array_agg(distinct taisce.normalize_name(w.word))
    into v_words
    from (
        select c.word
        from unnest(taisce.name_words(
            translate(suggest_names.question, U&'\2019\2010\2011', '''--'))) as t (token)
        cross join lateral unnest(regexp_split_to_array(t.token, '\s+')) as c (word)
        where left(c.word, 1) <> lower(left(c.word, 1))
        union all
        select c.word
        from regexp_matches(suggest_names.question, '["“„«]([^"“”„«»]+)["”“»]', 'g') as m (quoted)
        cross join lateral unnest(taisce.name_words(taisce.normalize_name(m.quoted[1])))
            as c (word)
    ) as w
    where char_length(w.word) > 1
      and not exists (
        select
        from unnest(suggest_names.anchors) as a
        where a.exact
          and taisce.name_words(a.matched) && array[
            taisce.normalize_name(w.word),
            regexp_replace(taisce.normalize_name(w.word), '''s$', '')]
      );
    if v_words is null then
        return '[]';
    end if;

    -- The words of names are kept behind "~".
    select array_agg(w.word), array_agg(t.term), array_agg(i.entry >> 8)
    into v_asked, v_terms, v_numbers
    from unnest(v_words[:8]) as w (word)
    cross join lateral (
        select distinct v.term
        from unnest(string_to_array(w.word, '-') || array[
            w.word, regexp_replace(w.word, '(''s|(?<=...)s)$', '')]) as v (term)
        where char_length(v.term) > 1
    ) as t
    cross join lateral (
        select q.entries
        from taisce.posting as q
        where q.project_id = suggest_names.project_id
          and q.space = 'entity'
          and q.role = ''
          and q.term = ('~' || t.term) collate "C"
        order by q.band, q.batch, q.part
        limit 64
    ) as p
    cross join lateral unnest(p.entries[:64]) as i (entry);
    if v_numbers is null then
        return '[]';
    end if;

    with hit as materialized (
        select distinct t.word, t.term, e.canonical_name as name, e.words
        from unnest(v_asked, v_terms, v_numbers) as t (word, term, number)
        cross join lateral (
            select d.item_id
            from taisce.word_document as d
            where d.project_id = suggest_names.project_id
              and d.space = 'entity'
              and d.number between t.number and t.number
            order by d.number
            limit 2
        ) as d
        cross join lateral (
            select k.name as canonical_name,
                taisce.word_count(taisce.normalize_name(k.name)) as words
            from taisce.entity as i
            cross join lateral (
                select case
                    when i.name_until > statement_timestamp() then i.canonical_name
                    else taisce.shown_name(
                        suggest_names.project_id, i.entity_id, statement_timestamp())
                end as name
            ) as k
            where i.project_id = suggest_names.project_id
              and i.entity_id between d.item_id and d.item_id
              and i.status = 'active'
              and i.identity_kind = 'named'
              and k.name is not null
              -- A name whose retention has passed suggests nothing.
              and (not exists (
                select
                from taisce.word_due as u
                where u.project_id = suggest_names.project_id
                  and u.item_id = d.item_id
                  and u.space = 'entity'
                  and u.kept_until <= statement_timestamp()
              ) or exists (
                select
                from taisce.entity_name as n
                where n.project_id = suggest_names.project_id
                  and n.entity_id = d.item_id
                  and t.term = any (taisce.name_words(n.normalized_name))
                  and case
                    when n.kept_until > statement_timestamp() then true
                    else taisce.name_is_kept(
                        suggest_names.project_id, n.entity_id, n.normalized_name,
                        statement_timestamp())
                  end
              ))
              and (suggest_names.subject is null or exists (
                select
                from taisce.entity_mention as m
                where m.project_id = suggest_names.project_id
                  and m.entity_id = i.entity_id
                  and m.data_subject_id = suggest_names.subject
                  and m.retention_until > statement_timestamp()
              ))
            order by i.entity_id
            limit 1
        ) as e
    ),
    term as (
        select h.term, count(*) as names
        from hit as h
        group by h.term
    )
    select jsonb_agg(n.name order by n.shared desc, n.names, n.words, n.name collate "C")
    into v_names
    from (
        select h.name, h.words, count(distinct h.word) as shared, min(r.names) as names
        from hit as h
        join term as r on r.term = h.term
        group by h.name, h.words
        having (count(distinct h.word) > 1 or min(r.names) <= v_most_names)
          and not exists (
            select
            from unnest(suggest_names.anchors) as a
            where a.name = h.name
          )
        order by 3 desc, 4, 2, h.name collate "C"
        limit v_most
    ) as n;
    return coalesce(v_names, '[]');
end
$func$;
comment on function taisce.suggest_names(bigint, text, taisce.anchor[], text) is
'Up to three names holding a word of the question that named nothing: for people to read.';
revoke all on function taisce.suggest_names(bigint, text, taisce.anchor[], text) from public;
