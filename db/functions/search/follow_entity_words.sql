-- requires: search/index_words.sql
-- requires: search/remove_words.sql
-- requires: search/renew_due.sql.j2
-- taisce.renew_words(space, project_ids, item_ids), taisce.follow_name_words(),
-- taisce.follow_entity_words()
-- Keep words in step with entities: their names, profile and type; a canonical name that changes or
-- goes is renewed in the facts that have it, too, and so is until when it may be read.
-- Runs as: statement triggers of entity_name and entity, as who writes.   Since: 0.1

create or replace function taisce.renew_words(space text, project_ids bigint[], item_ids uuid[])
returns bigint
language plpgsql
volatile
as $func$
begin
    perform taisce.remove_words(
        renew_words.space,
        renew_words.project_ids,
        array(
            select taisce.item_number(i.item_id)
            from unnest(renew_words.item_ids) with ordinality as i (item_id, place)
            order by i.place
        ),
        renew_words.item_ids);
    return taisce.index_words(
        renew_words.space, renew_words.project_ids, renew_words.item_ids);
end
$func$;
comment on function taisce.renew_words(text, bigint[], uuid[]) is
'Words of facts, claims or entities anew, from how they stand.';
revoke all on function taisce.renew_words(text, bigint[], uuid[]) from public;

create or replace function taisce.follow_name_words()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
set jit = off
as $func$
declare
    v_project_ids bigint[];
    v_entity_ids uuid[];
begin
    if tg_op = 'INSERT' then
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (select distinct i.project_id, i.entity_id from new_rows as i) as n;
    elsif tg_op = 'DELETE' then
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (select distinct d.project_id, d.entity_id from old_rows as d) as n;
    else
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (
            select i.project_id, i.entity_id from new_rows as i
            union
            select d.project_id, d.entity_id from old_rows as d
        ) as n;
    end if;
    if v_entity_ids is not null then
        perform taisce.renew_words('entity', v_project_ids, v_entity_ids);
    end if;
    return null;
end
$func$;
comment on function taisce.follow_name_words() is
'Keeps words in step with the names of entities.';
revoke all on function taisce.follow_name_words() from public;

create or replace function taisce.follow_entity_words()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
set jit = off
as $func$
declare
    v_project_ids bigint[];
    v_entity_ids uuid[];
    v_renamed record;
    v_fact_ids uuid[];
begin
    if tg_op = 'DELETE' then
        select array_agg(o.project_id), array_agg(o.entity_id)
        into v_project_ids, v_entity_ids
        from old_rows as o;
    else
        select array_agg(n.project_id), array_agg(n.entity_id)
        into v_project_ids, v_entity_ids
        from (
            select i.project_id, i.entity_id, i.status, i.profile, i.entity_type, i.profile_source
            from new_rows as i
            except
            select i.project_id, i.entity_id, i.status, i.profile, i.entity_type, i.profile_source
            from old_rows as i
        ) as n;
    end if;
    if v_entity_ids is not null then
        perform taisce.renew_words('entity', v_project_ids, v_entity_ids);
    end if;
    if tg_op = 'UPDATE' then
        for v_renamed in
            select c.project_id, c.entity_id, bool_or(c.renamed) as renamed
            from (
                (
                    select i.project_id, i.entity_id, i.canonical_name as kept, true as renamed
                    from new_rows as i
                    except
                    select i.project_id, i.entity_id, i.canonical_name, true
                    from old_rows as i
                )
                union all
                (
                    select i.project_id, i.entity_id, i.name_until::text, false
                    from new_rows as i
                    except
                    select i.project_id, i.entity_id, i.name_until::text, false
                    from old_rows as i
                )
            ) as c
            group by c.project_id, c.entity_id
        loop
            select array_agg(distinct f.fact_id)
            into v_fact_ids
            from unnest(
                taisce.facts_naming(v_renamed.project_id, v_renamed.entity_id, 'subject')
                || taisce.facts_naming(v_renamed.project_id, v_renamed.entity_id, 'object')
            ) as f (fact_id);
            continue when v_fact_ids is null;
            v_project_ids := array_fill(
                v_renamed.project_id, array[cardinality(v_fact_ids)]);
            if v_renamed.renamed then
                perform taisce.renew_words('fact', v_project_ids, v_fact_ids);
            else
                perform taisce.renew_due('fact', v_project_ids, v_fact_ids);
            end if;
        end loop;
    end if;
    return null;
end
$func$;
comment on function taisce.follow_entity_words() is
'Keeps words in step with profiles, types and the canonical names that facts show.';
revoke all on function taisce.follow_entity_words() from public;

create or replace trigger words_inserted after insert on taisce.entity_name
referencing new table as new_rows
for each statement execute function taisce.follow_name_words();
create or replace trigger words_updated after update on taisce.entity_name
referencing old table as old_rows new table as new_rows
for each statement execute function taisce.follow_name_words();
create or replace trigger words_deleted after delete on taisce.entity_name
referencing old table as old_rows
for each statement execute function taisce.follow_name_words();
create or replace trigger words_updated after update on taisce.entity
referencing old table as old_rows new table as new_rows
for each statement execute function taisce.follow_entity_words();
create or replace trigger words_deleted after delete on taisce.entity
referencing old table as old_rows
for each statement execute function taisce.follow_entity_words();
