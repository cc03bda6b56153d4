-- requires: names/question_terms.sql
-- requires: recall/find_anchors.sql
-- taisce.suggest_names(project_id, question, anchors)
-- Up to three names that hold a capitalised or quoted word of the question which named nothing: for
-- people to read, never used.
-- Sorting is off: each read is to follow the index whose order it asks for.
-- Returns: a jsonb list of names, shortest name first.   Runs as: invoker.   Since: 0.1

create or replace function taisce.suggest_names(
    project_id bigint,
    question text,
    anchors taisce.anchor[]
)
returns jsonb
language plpgsql
stable
parallel safe
set enable_sort = off
as $func$
declare
    v_most constant integer := 3;
    v_words text[];
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
          and taisce.normalize_name(w.word) = any (taisce.name_words(a.matched))
      );
    if v_words is null then
        return '[]';
    end if;

    -- The words of names are kept behind "~".
    select jsonb_agg(n.name order by n.words, n.name collate "C")
    into v_names
    from (
        select distinct e.canonical_name as name, e.words
        from unnest(v_words[:8]) as w (word)
        cross join lateral (
            select q.entries
            from taisce.posting as q
            where q.project_id = suggest_names.project_id
              and q.space = 'entity'
              and q.role = ''
              and q.term = ('~' || w.word) collate "C"
            order by q.band, q.batch, q.part
            limit 64
        ) as p
        cross join lateral unnest(p.entries[:64]) as i (entry)
        cross join lateral (
            select d.item_id
            from taisce.word_document as d
            where d.project_id = suggest_names.project_id
              and d.space = 'entity'
              and d.number between i.entry >> 8 and i.entry >> 8
            order by d.number
            limit 2
        ) as d
        cross join lateral (
            select i.canonical_name, taisce.word_count(taisce.normalize_name(i.canonical_name))
                as words
            from taisce.entity as i
            where i.project_id = suggest_names.project_id
              and i.entity_id between d.item_id and d.item_id
              and i.status = 'active'
              and i.identity_kind = 'named'
            order by i.entity_id
            limit 1
        ) as e
        order by 2, 1
        limit v_most
    ) as n;
    return coalesce(v_names, '[]');
end
$func$;
comment on function taisce.suggest_names(bigint, text, taisce.anchor[]) is
'Up to three names holding a word of the question that named nothing: for people to read.';
revoke all on function taisce.suggest_names(bigint, text, taisce.anchor[]) from public;
