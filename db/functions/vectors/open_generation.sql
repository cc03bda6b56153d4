-- taisce.open_generation(generation_id, project)
-- A generation to administer, the clock of its project held until the transaction ends.
-- Returns: its row.   Raises: TS003, TS004, TS005, 40001.   Runs as: invoker.   Since: 0.1

create or replace function taisce.open_generation(generation_id bigint, project text)
returns taisce.embedding_generation
language plpgsql
volatile
as $func$
declare
    v_project_id constant bigint := taisce.open_admin(open_generation.project);
    v_generation taisce.embedding_generation;
begin
    select g.*
    into v_generation
    from taisce.embedding_generation as g
    where g.project_id = v_project_id
      and g.generation_id = open_generation.generation_id;
    if not found then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'generation_id names no generation of this project',
            hint = 'See memory_v1.generations().';
    end if;
    return v_generation;
end
$func$;
comment on function taisce.open_generation(bigint, text) is
'A generation to administer, the clock of its project held until the transaction ends.';
revoke all on function taisce.open_generation(bigint, text) from public;
