-- requires: vectors/show_generation.sql
-- memory_v1.activate_generation(generation_id, project)
-- Lets searches use a generation that is ready. The active one of the same space, model, revision
-- and dimensions becomes ready in the same transaction, so that no search finds none; those of
-- other models or dimensions stay active beside it until they are retired. The one activated last
-- is what active_model names.
-- Returns: one row.   Raises: TS003, TS004, TS005 unless it is ready or active.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.activate_generation(
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
        activate_generation.generation_id, activate_generation.project);
begin
    if v_generation.state in ('building', 'retired') then
        perform taisce.refuse_argument('generation_id', format(
            'names a generation that is %s, not ready', v_generation.state));
    elsif v_generation.state = 'ready' then
        update taisce.embedding_generation as g
        set state = 'ready'
        where g.project_id = v_generation.project_id
          and g.space = v_generation.space
          and g.model = v_generation.model
          and g.revision = v_generation.revision
          and g.dimensions = v_generation.dimensions
          and g.state = 'active';
        update taisce.embedding_generation as g
        set state = 'active',
            activated_at = clock_timestamp()
        where g.project_id = v_generation.project_id
          and g.generation_id = v_generation.generation_id
        returning g.* into v_generation;
    end if;
    return query select s.* from taisce.show_generation(v_generation) as s;
end
$func$;
comment on function memory_v1.activate_generation(bigint, text) is
'Let searches use a generation that is ready, in place of the one of the same model.';
revoke all on function memory_v1.activate_generation(bigint, text) from public;
grant execute on function memory_v1.activate_generation(bigint, text)
to taisce_admin;
