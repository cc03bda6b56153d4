-- requires: vectors/show_generation.sql
-- taisce.usable_generation(project_id, space, embedding_model, dimensions, strict),
-- taisce.needed_generation(project_id, space, embedding_model, dimensions)
-- The active generation that a vector of some model may be compared with. Asked before any vector
-- is read.
-- Returns: its row, all null if the space has none that is active; not strict: or of this model.
-- Raises: TS011 (strict) if the active ones are of other models or dimensions; TS014 (needed) if
-- there is none.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.usable_generation(
    project_id bigint,
    space text,
    embedding_model text,
    dimensions integer,
    strict boolean default true
)
returns taisce.embedding_generation
language plpgsql
stable
parallel safe
as $func$
declare
    v_generation taisce.embedding_generation;
begin
    select g.*
    into v_generation
    from taisce.embedding_generation as g
    where g.project_id = usable_generation.project_id
      and g.space = usable_generation.space
      and g.state = 'active'
      and taisce.model_identity(g.model, g.revision) = usable_generation.embedding_model
      and g.dimensions = usable_generation.dimensions
    order by g.generation_id desc
    limit 1;
    if not found and usable_generation.strict and exists (
        select
        from taisce.embedding_generation as g
        where g.project_id = usable_generation.project_id
          and g.space = usable_generation.space
          and g.state = 'active'
    ) then
        raise exception using
            errcode = 'TS011',
            message = 'embedding_mismatch',
            detail = 'query_embedding comes from another model than the vectors of this project',
            hint = 'memory_v1.active_model() names the model to ask with.';
    end if;
    return v_generation;
end
$func$;
comment on function taisce.usable_generation(bigint, text, text, integer, boolean) is
'The active generation that a vector of some model may be compared with.';
revoke all on function taisce.usable_generation(bigint, text, text, integer, boolean) from public;

create or replace function taisce.needed_generation(
    project_id bigint,
    space text,
    embedding_model text,
    dimensions integer
)
returns taisce.embedding_generation
language plpgsql
stable
parallel safe
as $func$
declare
    v_generation constant taisce.embedding_generation := taisce.usable_generation(
        needed_generation.project_id, needed_generation.space, needed_generation.embedding_model,
        needed_generation.dimensions);
begin
    if v_generation.generation_id is null then
        raise exception using
            errcode = 'TS014',
            message = 'unavailable',
            detail = format('no generation of vectors of %s is active', needed_generation.space),
            hint = 'An administrator makes one: taisce-pg embed. Words search without vectors.';
    end if;
    return v_generation;
end
$func$;
comment on function taisce.needed_generation(bigint, text, text, integer) is
'The active generation for a vector; TS014 if there is none, TS011 if it is of another model.';
revoke all on function taisce.needed_generation(bigint, text, text, integer) from public;
