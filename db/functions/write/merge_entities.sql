-- memory_v1.merge_entities(absorbed, survivor, project)
-- Makes one entity of two named ones: facts, mentions and names of the absorbed one become the
-- survivor's, in reads of every time. absorbed, survivor: a name, as a JSON text, or {"id": ...},
-- {"key": ...}; a merged one stands for its survivor. unmerge takes it back. Merging what is one
-- already changes nothing.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.merged_entities') is null then
        create type memory_v1.merged_entities as (
            merge_id uuid,
            absorbed uuid,
            survivor uuid,
            merged_at timestamptz,
            reversed_at timestamptz,
            repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.merged_entities is
'A merge of two entities, and when it was taken back.';

create or replace function memory_v1.merge_entities(
    absorbed jsonb,
    survivor jsonb,
    project text default null
)
returns setof memory_v1.merged_entities
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(merge_entities.project);
    v_repeated boolean;
    v_merge taisce.entity_merge;
begin
    v_repeated := (taisce.write_line(
        v_project_id,
        jsonb_build_object(
            'type', 'merge',
            'absorbed', merge_entities.absorbed,
            'survivor', merge_entities.survivor)
    ) ->> 'merges')::bigint = 0;
    if v_repeated then
        -- Only an id or a key can still say which of the two it was.
        select m.*
        into v_merge
        from taisce.entity_merge as m
        where m.project_id = v_project_id
          and m.reversed_at is null
          and m.absorbed = case
            when jsonb_typeof(merge_entities.absorbed) = 'object'
                then taisce.entity_behind(v_project_id, merge_entities.absorbed)
          end;
        if not found then
            select m.*
            into v_merge
            from taisce.entity_merge as m
            join taisce.entity as e
                on e.project_id = m.project_id and e.entity_id = m.absorbed
            where m.project_id = v_project_id
              and m.reversed_at is null
              and m.survivor = taisce.load_entity_id(
                v_project_id, 1, 'survivor', merge_entities.survivor)
              and taisce.normalize_name(e.canonical_name) = case
                when jsonb_typeof(merge_entities.absorbed) = 'string'
                    then taisce.normalize_name(merge_entities.absorbed #>> '{}')
              end;
        end if;
        if v_merge.merge_id is null then
            perform taisce.refuse_argument('absorbed', 'is the survivor');
        end if;
    else
        select m.*
        into strict v_merge
        from taisce.entity_merge as m
        where m.project_id = v_project_id
          and m.reversed_at is null
          and m.survivor = taisce.load_entity_id(
            v_project_id, 1, 'survivor', merge_entities.survivor)
        order by m.merged_at desc
        limit 1;
    end if;
    return next row(
        v_merge.merge_id, v_merge.absorbed, v_merge.survivor, v_merge.merged_at, null, v_repeated
    )::memory_v1.merged_entities;
end
$func$;
comment on function memory_v1.merge_entities(jsonb, jsonb, text) is
'Make one entity of two; unmerge takes it back.';
revoke all on function memory_v1.merge_entities(jsonb, jsonb, text) from public;
grant execute on function memory_v1.merge_entities(jsonb, jsonb, text) to taisce_writer;
