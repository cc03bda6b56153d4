-- memory_v1.context_items(data_subject_id, max_characters, project)
-- The items of memory_v1.context as rows. kind segment: level, offsets, how many turns it covers,
-- summary. kind turn: its offset twice, its messages of every role (content is null once released).
-- Returns: 0 or more rows, oldest first.   Raises: TS003, TS005.   Runs as: owner.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.context_item') is null then
        create type memory_v1.context_item as (
            ordinal integer,
            kind text,
            item_id uuid,
            level integer,
            from_offset bigint,
            to_offset bigint,
            covered integer,
            occurred_at timestamptz,
            summary text,
            messages jsonb,
            characters integer
        );
        comment on type memory_v1.context_item is 'A turn or a segment of a person''s history.';
    end if;
end
$do$;

create or replace function memory_v1.context_items(
    data_subject_id text,
    max_characters integer default null,
    project text default null
)
returns setof memory_v1.context_item
language plpgsql
stable
parallel safe
security definer
cost 10000
rows 32
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $func$
declare
    v_budget integer;
    v_project_id bigint;
begin
    perform taisce.check_subject(context_items.data_subject_id);
    v_budget := taisce.context_budget(context_items.max_characters);
    v_project_id := taisce.resolve_project(context_items.project, 'read');
    return query
    select i.*
    from taisce.context_of(
        v_project_id, context_items.data_subject_id, v_budget, statement_timestamp()
    ) as c
    cross join unnest(c.items) as i
    order by i.ordinal;
end
$func$;
comment on function memory_v1.context_items(text, integer, text) is
'The items of a context as rows: segments and turns, oldest first.';
revoke all on function memory_v1.context_items(text, integer, text) from public;
grant execute on function memory_v1.context_items(text, integer, text) to taisce_reader;
