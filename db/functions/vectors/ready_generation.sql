-- requires: vectors/show_generation.sql
-- requires: vectors/due_items.sql
-- memory_v1.ready_generation(generation_id, project)
-- Says that a generation is filled and may be activated. What comes later is added to it as before.
-- Returns: one row.   Raises: TS003, TS004, TS005 if it was retired or anything is due.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.ready_generation(
    generation_id bigint,
    project text default null
)
returns setof memory_v1.vector_generation
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_generation taisce.embedding_generation := taisce.open_generation(
        ready_generation.generation_id, ready_generation.project);
begin
    if v_generation.state = 'retired' then
        perform taisce.refuse_argument('generation_id', 'names a generation that was retired');
    elsif v_generation.state = 'building' then
        if exists (select from taisce.due_items(v_generation, null, null, 1)) then
            perform taisce.refuse_argument(
                'generation_id', 'names a generation that is not filled: embedding_due has more');
        end if;
        update taisce.embedding_generation as g
        set state = 'ready'
        where g.project_id = v_generation.project_id
          and g.generation_id = v_generation.generation_id
        returning g.* into v_generation;
    end if;
    return query select s.* from taisce.show_generation(v_generation) as s;
end
$func$;
comment on function memory_v1.ready_generation(bigint, text) is
'Say that a generation of vectors is filled and may be activated.';
revoke all on function memory_v1.ready_generation(bigint, text) from public;
grant execute on function memory_v1.ready_generation(bigint, text)
to taisce_admin;
