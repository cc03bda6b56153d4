-- requires: vectors/show_generation.sql
-- memory_v1.generations(space, project)
-- The generations of vectors of a project, those retired included: model, state, how far they
-- reach.
-- Returns: one row a generation, newest first.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.generations(
    space text default null,
    project text default null
)
returns setof memory_v1.vector_generation
language plpgsql
stable
parallel safe
rows 5
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id constant bigint := taisce.resolve_project(generations.project, 'read');
begin
    return query
    select s.*
    from taisce.embedding_generation as g
    cross join lateral taisce.show_generation(g) as s
    where g.project_id = v_project_id
      and (generations.space is null or g.space = generations.space)
    order by g.generation_id desc;
end
$func$;
comment on function memory_v1.generations(text, text) is
'The generations of vectors of a project: model, state, how far they reach.';
revoke all on function memory_v1.generations(text, text) from public;
grant execute on function memory_v1.generations(text, text)
to taisce_reader, taisce_analyst, taisce_writer;
