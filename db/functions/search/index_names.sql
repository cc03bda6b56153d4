-- taisce.index_names()
-- Keeps the words of names findable: postings of space entity, one per word and entity.
-- Runs as: a statement trigger of entity_name, as the owner who writes it.   Since: 0.1

create or replace function taisce.index_names()
returns trigger
language plpgsql
as $func$
declare
    v_project_ids bigint[];
    v_entity_ids uuid[];
begin
    if tg_op = 'INSERT' then
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (select distinct i.project_id, i.entity_id from new_names as i) as n;
    elsif tg_op = 'DELETE' then
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (select distinct d.project_id, d.entity_id from old_names as d) as n;
    else
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (
            select i.project_id, i.entity_id from new_names as i
            union
            select d.project_id, d.entity_id from old_names as d
        ) as n;
    end if;

    delete from taisce.posting as p
    using unnest(v_project_ids, v_entity_ids) as e (project_id, entity_id)
    where p.project_id = e.project_id
      and p.space = 'entity'
      and p.item_id = e.entity_id;

    insert into taisce.posting (project_id, space, term, impact, item_id, frequency, length)
    select
        e.project_id,
        'entity',
        w.word,
        max(1.0 / n.words),
        e.entity_id,
        count(*),
        min(n.words)
    from unnest(v_project_ids, v_entity_ids) as e (project_id, entity_id)
    join taisce.entity_name as n
        on n.project_id = e.project_id
        and n.entity_id = e.entity_id
    cross join lateral unnest(taisce.name_words(n.normalized_name)) as w (word)
    where octet_length(w.word) <= 256
    group by e.project_id, e.entity_id, w.word;
    return null;
end
$func$;
comment on function taisce.index_names() is 'Keeps the words of names findable as postings.';
revoke all on function taisce.index_names() from public;

create or replace trigger index_names_inserted
after insert on taisce.entity_name
referencing new table as new_names
for each statement execute function taisce.index_names();
create or replace trigger index_names_updated
after update on taisce.entity_name
referencing old table as old_names new table as new_names
for each statement execute function taisce.index_names();
create or replace trigger index_names_deleted
after delete on taisce.entity_name
referencing old table as old_names
for each statement execute function taisce.index_names();
