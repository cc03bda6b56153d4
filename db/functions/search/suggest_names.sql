-- requires: names/question_terms.sql
-- requires: recall/find_anchors.sql
-- taisce.suggest_names(project_id, question, anchors)
-- Up to three names that hold a capitalised or quoted word of the question which named nothing: for
-- people to read, never used.
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

    select jsonb_agg(n.name order by n.impact desc, n.name collate "C")
    into v_names
    from (
        select e.canonical_name as name, max(p.impact) as impact
        from unnest(v_words[:8]) as w (word)
        cross join lateral (
            select q.item_id, q.impact
            from taisce.posting as q
            where q.project_id = suggest_names.project_id
              and q.space = 'entity'
              and q.term = w.word
            order by q.impact desc
            limit v_most
        ) as p
        join taisce.entity as e
            on e.project_id = suggest_names.project_id
            and e.entity_id = p.item_id
        where e.status = 'active'
          and e.identity_kind = 'named'
        group by e.canonical_name
        order by max(p.impact) desc, e.canonical_name collate "C"
        limit v_most
    ) as n;
    return coalesce(v_names, '[]');
end
$func$;
comment on function taisce.suggest_names(bigint, text, taisce.anchor[]) is
'Up to three names holding a word of the question that named nothing: for people to read.';
revoke all on function taisce.suggest_names(bigint, text, taisce.anchor[]) from public;
