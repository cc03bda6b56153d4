-- requires: search/rebuild_words.sql
-- memory_v1.refresh_words(project)
-- Reads every text of a project again and stores its words anew, packed, with the average length of
-- its messages as reference length. Writers of the project wait meanwhile, readers do not.
-- Returns: one row a space with the number of its texts.
-- Raises: TS003, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.refreshed_words') is null then
        create type memory_v1.refreshed_words as (
            space text,
            documents bigint,
            terms bigint,
            reference_length real
        );
        comment on type memory_v1.refreshed_words is
            'A space of texts after its words were stored anew.';
    end if;
end
$do$;

create or replace function memory_v1.refresh_words(project text default null)
returns setof memory_v1.refreshed_words
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
as $func$
declare
    v_project_id constant bigint := taisce.resolve_project(refresh_words.project, 'admin');
    v_length real;
begin
    perform taisce.lock_clock(v_project_id);
    select greatest(1, round((sum(s.total_length) / sum(s.documents))::numeric))
    into v_length
    from taisce.word_space as s
    where s.project_id = v_project_id
      and s.space = 'message'
    having sum(s.documents) > 0;
    -- A new reference length has everything stored anew by its trigger.
    update taisce.project as p
    set reference_length = v_length
    where p.project_id = v_project_id
      and p.reference_length <> v_length;
    if not found then
        perform taisce.rebuild_words(v_project_id);
    end if;
    -- What may not be read any more does not count.
    return query
    select s.space, (q.w).total, t.terms, p.reference_length
    from (
        select distinct i.space
        from taisce.word_space as i
        where i.project_id = v_project_id
    ) as s
    cross join lateral (
        select taisce.word_query(v_project_id, s.space, '') as w
        offset 0
    ) as q
    cross join lateral (
        select count(*) as terms
        from (
            select c.term
            from (
                select i.term, i.documents
                from taisce.word_statistics as i
                where i.project_id = v_project_id
                  and i.space = s.space
                union all
                select g.term, -1
                from unnest((q.w).due) as u (item_id)
                join taisce.word_document as d
                    on d.project_id = v_project_id
                    and d.space = s.space
                    and d.item_id = u.item_id
                cross join lateral unnest(d.terms) as g (term)
                union all
                select g.term, 1
                from unnest((q.w).anew) as n
                cross join lateral unnest(n.terms) as g (term)
            ) as c
            group by c.term
            having sum(c.documents) > 0
        ) as i
    ) as t
    join taisce.project as p on p.project_id = v_project_id
    order by s.space collate "C";
end
$func$;
comment on function memory_v1.refresh_words(text) is
'Stores the words of a project anew, packed, with a reference length that fits it.';
revoke all on function memory_v1.refresh_words(text) from public;
grant execute on function memory_v1.refresh_words(text) to taisce_admin;
