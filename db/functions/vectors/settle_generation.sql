-- requires: vectors/show_generation.sql
-- memory_v1.settle_generation(generation_id, whole, project)
-- Looks up to which offset every item has a vector of what it says now, and keeps it as
-- covered_through_offset. whole: looks from the beginning, else from what was covered before.
-- Returns: one row.   Raises: TS003, TS004.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.settle_generation(
    generation_id bigint,
    whole boolean default false,
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
        settle_generation.generation_id, settle_generation.project);
begin
    if v_generation.state <> 'retired' then
        update taisce.embedding_generation as g
        set covered_through_offset = taisce.covered_through(
            v_generation, coalesce(settle_generation.whole, false))
        where g.project_id = v_generation.project_id
          and g.generation_id = v_generation.generation_id
        returning g.* into v_generation;
    end if;
    return query select s.* from taisce.show_generation(v_generation) as s;
end
$func$;
comment on function memory_v1.settle_generation(bigint, boolean, text) is
'Look how far a generation covers its space, and keep it as covered_through_offset.';
revoke all on function memory_v1.settle_generation(bigint, boolean, text) from public;
grant execute on function memory_v1.settle_generation(bigint, boolean, text)
to taisce_admin;
