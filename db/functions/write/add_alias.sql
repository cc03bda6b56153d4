-- memory_v1.add_alias(entity_id, alias, project)
-- Declares another name of an entity; it is kept whatever is erased. A name may lead to several.
-- The id of a merged entity leads to its survivor.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.added_alias') is null then
        create type memory_v1.added_alias as (
            entity_id uuid, normalized_name text, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.added_alias is
'A name as it was normalised, and the entity it leads to.';

create or replace function memory_v1.add_alias(
    entity_id uuid,
    alias text,
    project text default null
)
returns setof memory_v1.added_alias
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(add_alias.project);
    v_entity taisce.entity;
    v_name text;
begin
    perform taisce.check_text('alias', 'name', add_alias.alias);
    select s.*
    into v_entity
    from taisce.entity as e
    join taisce.entity as s
        on s.project_id = e.project_id and s.entity_id = coalesce(e.merged_into, e.entity_id)
    where e.project_id = v_project_id
      and e.entity_id = add_alias.entity_id;
    if not found then
        perform taisce.not_found();
    elsif v_entity.identity_kind = 'speaker' then
        perform taisce.refuse_argument('entity_id', 'is a speaker, who has no names');
    elsif v_entity.status <> 'active' then
        perform taisce.refuse_argument('entity_id', 'has no name any more');
    end if;

    v_name := taisce.normalize_name(add_alias.alias);
    insert into taisce.entity_name as n (
        project_id, name_key, entity_id, normalized_name, spelling, kind, words, head_key
    )
    values (
        v_project_id, taisce.name_key(v_name), v_entity.entity_id, v_name, add_alias.alias, 'alias',
        taisce.word_count(v_name),
        case when taisce.word_count(v_name) > 4 then taisce.head_key(v_name) end
    )
    on conflict on constraint entity_name_pkey do update
    set source_observation_id = null
    where n.source_observation_id is not null;
    return next row(v_entity.entity_id, v_name, not found)::memory_v1.added_alias;
end
$func$;
comment on function memory_v1.add_alias(uuid, text, text) is
'Declare another name of an entity, kept whatever is erased.';
revoke all on function memory_v1.add_alias(uuid, text, text) from public;
grant execute on function memory_v1.add_alias(uuid, text, text) to taisce_writer;
