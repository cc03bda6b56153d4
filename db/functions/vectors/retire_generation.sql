-- requires: vectors/show_generation.sql
-- memory_v1.retire_generation(generation_id, project)
-- Ends a generation: no search uses it any more, and its vectors are deleted. A partition of its
-- own goes with its index, for one that was active at the next call: searches that began before may
-- still read it. That waits at most five seconds for who reads vectors.
-- Returns: one row.   Raises: TS003, TS004, TS014 if the vectors are being read.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.retire_generation(
    generation_id bigint,
    project text default null
)
returns setof memory_v1.vector_generation
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set lock_timeout = '5s'
as $func$
declare
    v_generation taisce.embedding_generation := taisce.open_generation(
        retire_generation.generation_id, retire_generation.project);
begin
    -- A search that began before may still be about to read a partition that was in use.
    if v_generation.own_partition and v_generation.state <> 'active' then
        begin
            execute format('drop table if exists taisce.embedding_%s', v_generation.generation_id);
        exception
            when lock_not_available then
                raise exception using
                    errcode = 'TS014',
                    message = 'unavailable',
                    detail = 'the vectors are being read; nothing was changed',
                    hint = 'Retire the generation again a little later.';
        end;
        v_generation.own_partition := false;
    elsif not v_generation.own_partition then
        delete from taisce.embedding as e
        where e.project_id = v_generation.project_id
          and e.part = 0
          and e.generation_id = v_generation.generation_id;
    end if;
    update taisce.embedding_generation as g
    set state = 'retired',
        own_partition = v_generation.own_partition,
        retired_at = coalesce(g.retired_at, clock_timestamp())
    where g.project_id = v_generation.project_id
      and g.generation_id = v_generation.generation_id
    returning g.* into v_generation;
    return query select s.* from taisce.show_generation(v_generation) as s;
end
$func$;
comment on function memory_v1.retire_generation(bigint, text) is
'End a generation and delete its vectors.';
revoke all on function memory_v1.retire_generation(bigint, text) from public;
grant execute on function memory_v1.retire_generation(bigint, text)
to taisce_admin;
