-- requires: search/word_impact.sql
-- taisce.remove_words(space, project_ids, numbers, item_ids)
-- Takes the words of texts out of the index and out of the counts, whether they are there or not:
-- no posting, count or term of theirs is left when it returns.
-- Returns: how many texts had words.   Runs as: invoker.   Since: 0.1

create or replace function taisce.remove_words(
    space text,
    project_ids bigint[],
    numbers bigint[],
    item_ids uuid[]
)
returns bigint
language plpgsql
volatile
as $func$
declare
    v_removed bigint;
    v_projects bigint[];
    v_roles text[];
    v_terms text[];
    v_bands smallint[];
    v_batches bigint[];
    v_slices smallint[];
begin
    if coalesce(cardinality(remove_words.item_ids), 0) = 0 then
        return 0;
    end if;
    with gone as (
        delete from taisce.word_document as d
        using unnest(remove_words.project_ids, remove_words.numbers, remove_words.item_ids)
            as k (project_id, number, item_id)
        where d.project_id = k.project_id
          and d.space = remove_words.space
          and d.number = k.number
          and d.item_id = k.item_id
        returning d.*
    ),
    entry as materialized (
        select
            g.project_id, g.role, t.term, g.batch, g.slice, g.number,
            (31 - taisce.word_impact(t.frequency, g.length, g.reference) / 8)::smallint as band
        from gone as g
        cross join lateral unnest(g.terms, g.frequencies) as t (term, frequency)
    ),
    place as (
        select
            e.project_id, e.role, e.term, e.band, e.batch, e.slice,
            array_agg(e.number) as numbers, count(*) as documents
        from entry as e
        group by e.project_id, e.role, e.term, e.band, e.batch, e.slice
    ),
    cut as (
        update taisce.posting as p
        set entries = array(
            select n.entry
            from unnest(p.entries) with ordinality as n (entry, place)
            where n.entry >> 8 <> all (e.numbers)
            order by n.place
        )
        from place as e
        where p.project_id = e.project_id
          and p.space = remove_words.space
          and p.role = e.role
          and p.term = e.term
          and p.band = e.band
          and p.batch = e.batch
    ),
    counted as (
        update taisce.word_statistics as s
        set documents = s.documents - e.documents
        from (
            select i.project_id, i.term, i.slice, sum(i.documents)::bigint as documents
            from place as i
            group by i.project_id, i.term, i.slice
        ) as e
        where s.project_id = e.project_id
          and s.space = remove_words.space
          and s.term = e.term
          and s.slice = e.slice
    ),
    spaced as (
        update taisce.word_space as s
        set documents = s.documents - e.documents,
            total_length = s.total_length - e.total_length
        from (
            select g.project_id, g.slice, count(*) as documents,
                sum(g.length::double precision) as total_length
            from gone as g
            group by g.project_id, g.slice
        ) as e
        where s.project_id = e.project_id
          and s.space = remove_words.space
          and s.slice = e.slice
    ),
    undue as (
        delete from taisce.word_due as d
        using gone as g
        where d.project_id = g.project_id
          and d.item_id = g.item_id
          and d.space = remove_words.space
    )
    select
        (select count(*) from gone), array_agg(e.project_id), array_agg(e.role),
        array_agg(e.term), array_agg(e.band), array_agg(e.batch), array_agg(e.slice)
    into v_removed, v_projects, v_roles, v_terms, v_bands, v_batches, v_slices
    from place as e;

    delete from taisce.posting as p
    using unnest(v_projects, v_roles, v_terms, v_bands, v_batches)
        as e (project_id, role, term, band, batch)
    where p.project_id = e.project_id
      and p.space = remove_words.space
      and p.role = e.role
      and p.term = e.term
      and p.band = e.band
      and p.batch = e.batch
      and cardinality(p.entries) = 0;
    delete from taisce.word_statistics as s
    using unnest(v_projects, v_terms, v_slices) as e (project_id, term, slice)
    where s.project_id = e.project_id
      and s.space = remove_words.space
      and s.term = e.term
      and s.slice = e.slice
      and s.documents <= 0;
    return v_removed;
end
$func$;
comment on function taisce.remove_words(text, bigint[], bigint[], uuid[]) is
'Takes the words of texts out of the index and out of the counts.';
revoke all on function taisce.remove_words(text, bigint[], bigint[], uuid[]) from public;
