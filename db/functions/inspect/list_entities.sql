-- memory_v1.list_entities(after, max_rows, project)
-- The entities of a project in service: not merged into another, not without a name that may be
-- read.
-- Returns: a page of 0 to max_rows (1 to 100) rows by entity id. name is a preview of 512
-- characters, name_octets its whole length, names how many spellings lead to it (100 at most are
-- counted). continuation (on every row): what to give as after for the next page, null on the last.
-- Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.listed_entity') is null then
        create type memory_v1.listed_entity as (
            entity_id uuid,
            identity_kind text,
            name text,
            name_octets integer,
            entity_type text,
            names integer,
            speaker_subject_id text,
            first_seen_at timestamptz,
            continuation text
        );
        comment on type memory_v1.listed_entity is 'An entity of an inventory, in preview.';
    end if;
end
$do$;

create or replace function memory_v1.list_entities(
    after text default null,
    max_rows integer default 20,
    project text default null
)
returns setof memory_v1.listed_entity
language plpgsql
stable
parallel safe
security definer
rows 20
set search_path = pg_catalog, pg_temp
set row_security = on
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_preview constant integer := 512;
    v_most_names constant integer := 100;
    v_rows constant integer := taisce.page_rows(list_entities.max_rows, 20);
    v_after constant uuid := coalesce(
        (taisce.read_cursor(
            list_entities.after, 'entities',
            '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'))[1],
        '00000000-0000-0000-0000-000000000000')::uuid;
    v_project_id bigint;
begin
    v_project_id := taisce.resolve_project(list_entities.project, 'read');
    return query
    select
        e.entity_id,
        e.identity_kind,
        left(e.shown_name, v_preview),
        octet_length(e.shown_name),
        case when e.shown_name = e.canonical_name then e.entity_type end,
        n.names::integer,
        e.speaker_subject_id,
        e.first_seen_at,
        case
            when e.found > v_rows then taisce.write_cursor('entities', e.page_end::text)
        end
    from (
        select
            p.*,
            count(*) over () as found,
            nth_value(p.entity_id, v_rows) over (
                order by p.entity_id
                rows between unbounded preceding and unbounded following
            ) as page_end,
            row_number() over (order by p.entity_id) as place
        from (
            select i.*, k.name as shown_name
            from taisce.entity as i
            cross join lateral (
                select case
                    when i.name_until > statement_timestamp() then i.canonical_name
                    else taisce.shown_name(v_project_id, i.entity_id, statement_timestamp())
                end as name
            ) as k
            where i.project_id = v_project_id
              and i.entity_id > v_after
              and i.status = 'active'
              and k.name is not null
            order by i.entity_id
            limit v_rows + 1
        ) as p
    ) as e
    cross join lateral (
        select count(*) as names
        from (
            select
            from taisce.entity_name as i
            where i.project_id = v_project_id
              and i.entity_id between e.entity_id and e.entity_id
              and case
                when i.kept_until > statement_timestamp() then true
                else taisce.name_is_kept(
                    v_project_id, i.entity_id, i.normalized_name, statement_timestamp())
              end
            order by i.entity_id
            limit v_most_names
        ) as l
    ) as n
    where e.place <= v_rows
    order by e.place;
end
$func$;
comment on function memory_v1.list_entities(text, integer, text) is
'The entities of a project in service, by id, in preview.';
revoke all on function memory_v1.list_entities(text, integer, text) from public;
grant execute on function memory_v1.list_entities(text, integer, text) to taisce_reader;
