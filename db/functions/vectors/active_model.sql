-- requires: vectors/show_generation.sql
-- memory_v1.active_model(space, project)
-- The model whose vectors a search may bring, for each space: asked before a question is embedded,
-- so that no text is sent to any other. Of several active ones it is the one activated last.
-- Returns: one row a space with an active generation.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.active_model') is null then
        create type memory_v1.active_model as (
            space text,
            embedding_model text,
            model text,
            revision text,
            dimensions integer,
            generation_id bigint,
            through_offset bigint,
            covered_through_offset bigint
        );
        comment on type memory_v1.active_model is
            'The model whose vectors a search of a space may bring.';
    end if;
end
$do$;

create or replace function memory_v1.active_model(
    space text default null,
    project text default null
)
returns setof memory_v1.active_model
language plpgsql
stable
parallel safe
rows 5
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id constant bigint := taisce.resolve_project(active_model.project, 'read');
begin
    return query
    select distinct on (g.space)
        g.space, taisce.model_identity(g.model, g.revision), g.model, g.revision, g.dimensions,
        g.generation_id, g.through_offset, g.covered_through_offset
    from taisce.embedding_generation as g
    where g.project_id = v_project_id
      and g.state = 'active'
      and (active_model.space is null or g.space = active_model.space)
    order by g.space, g.activated_at desc nulls last, g.generation_id desc;
end
$func$;
comment on function memory_v1.active_model(text, text) is
'The model whose vectors a search may bring, for each space; asked before any text is sent.';
revoke all on function memory_v1.active_model(text, text) from public;
grant execute on function memory_v1.active_model(text, text)
to taisce_reader, taisce_analyst, taisce_writer;
