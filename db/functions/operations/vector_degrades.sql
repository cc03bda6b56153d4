-- taisce.vector_degrades(project_id, space, model)
-- What it means that a query brought a vector: nothing without one; a vector of another model than
-- the active one is refused; one that no generation can use is said.
-- Returns: {} or {vectors}.   Raises: TS011.   Runs as: invoker.   Since: 0.1

create or replace function taisce.vector_degrades(project_id bigint, space text, model text)
returns text[]
language plpgsql
stable
parallel safe
as $func$
begin
    if vector_degrades.model is null then
        return '{}';
    end if;
    if exists (
        select
        from taisce.embedding_generation as g
        where g.project_id = vector_degrades.project_id
          and g.space = vector_degrades.space
          and g.state = 'active'
    ) and not exists (
        select
        from taisce.embedding_generation as g
        where g.project_id = vector_degrades.project_id
          and g.space = vector_degrades.space
          and g.state = 'active'
          and g.model = vector_degrades.model
    ) then
        raise exception using
            errcode = 'TS011',
            message = 'embedding_mismatch',
            detail = 'query_embedding comes from another model than the vectors of this project',
            hint = 'memory_v1.freshness() names the active model.';
    end if;
    return array['vectors'];
end
$func$;
comment on function taisce.vector_degrades(bigint, text, text) is
'What it means that a query brought a vector; TS011 if it is of another model.';
revoke all on function taisce.vector_degrades(bigint, text, text) from public;
