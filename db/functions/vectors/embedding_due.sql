-- requires: vectors/due_items.sql
-- memory_v1.embedding_due(generation_id, after_offset, after_id, max_rows, project)
-- Items that a generation has no vector of, or one of an older text, with the text to embed. For
-- the next page give log_offset and item_id of the last row. after_offset alone: what was told
-- later (for entities and reports, which have no such order, all).
-- Returns: at most max_rows (256, at most 10,000) rows in a fixed order; none if nothing is due.
-- Raises: TS003, TS004, TS005.   Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.embedding_input') is null then
        create type memory_v1.embedding_input as (
            item_id uuid,
            log_offset bigint,
            input_text text,
            input_digest bytea
        );
        comment on type memory_v1.embedding_input is 'A text that wants a vector.';
    end if;
end
$do$;

create or replace function memory_v1.embedding_due(
    generation_id bigint,
    after_offset bigint default null,
    after_id uuid default null,
    max_rows integer default 256,
    project text default null
)
returns setof memory_v1.embedding_input
language plpgsql
stable
parallel safe
rows 256
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id constant bigint := taisce.resolve_project(embedding_due.project, 'admin');
    v_generation taisce.embedding_generation;
begin
    if embedding_due.max_rows is null or embedding_due.max_rows not between 1 and 10000 then
        perform taisce.refuse_argument('max_rows', 'must be between 1 and 10000');
    elsif embedding_due.after_offset not between 0 and 281474976710655 then
        perform taisce.refuse_argument('after_offset', 'must be an offset');
    end if;
    select g.*
    into v_generation
    from taisce.embedding_generation as g
    where g.project_id = v_project_id
      and g.generation_id = embedding_due.generation_id;
    if not found then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'generation_id names no generation of this project',
            hint = 'See memory_v1.generations().';
    end if;
    if v_generation.state <> 'retired' then
        return query
        select d.item_id, d.log_offset, d.input_text, d.input_digest
        from taisce.due_items(
            v_generation, embedding_due.after_offset, embedding_due.after_id,
            embedding_due.max_rows) as d;
    end if;
end
$func$;
comment on function memory_v1.embedding_due(bigint, bigint, uuid, integer, text) is
'Items that a generation has no vector of what they say now, with the text to embed.';
revoke all on function memory_v1.embedding_due(bigint, bigint, uuid, integer, text) from public;
grant execute on function memory_v1.embedding_due(bigint, bigint, uuid, integer, text)
to taisce_admin;
