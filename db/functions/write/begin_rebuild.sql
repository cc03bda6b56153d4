-- memory_v1.begin_rebuild(from_offset, to_offset, project)
-- Says that a range of offsets is being formed again; freshness shows it until end_rebuild. One at
-- a time; the running one again changes nothing. at_offset is the last offset done.
-- Returns: one row.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.rebuild_state') is null then
        create type memory_v1.rebuild_state as (
            rebuild_id uuid,
            from_offset bigint,
            to_offset bigint,
            at_offset bigint,
            started_at timestamptz,
            ended_at timestamptz
        );
    end if;
end
$do$;
comment on type memory_v1.rebuild_state is
'A range of offsets that is formed again.';

create or replace function memory_v1.begin_rebuild(
    from_offset bigint,
    to_offset bigint,
    project text default null
)
returns setof memory_v1.rebuild_state
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(begin_rebuild.project);
    v_running taisce.rebuild;
    v_stored bigint;
begin
    select c.stored
    into strict v_stored
    from taisce.project_clock as c
    where c.project_id = v_project_id;
    if begin_rebuild.from_offset is null or begin_rebuild.from_offset < 1 then
        perform taisce.refuse_argument('from_offset', 'must be at least 1');
    elsif begin_rebuild.to_offset is null or begin_rebuild.to_offset < begin_rebuild.from_offset
    then
        perform taisce.refuse_argument('to_offset', 'must not be less than from_offset');
    elsif begin_rebuild.to_offset > v_stored then
        perform taisce.refuse_argument('to_offset', 'is beyond the last offset');
    end if;

    select r.*
    into v_running
    from taisce.rebuild as r
    where r.project_id = v_project_id
      and r.ended_at is null;
    if not found then
        insert into taisce.rebuild (
            project_id, rebuild_id, from_offset, to_offset, at_offset, started_at
        )
        values (
            v_project_id, gen_random_uuid(), begin_rebuild.from_offset, begin_rebuild.to_offset,
            begin_rebuild.from_offset - 1, pg_catalog.clock_timestamp()
        )
        returning rebuild.* into v_running;
    elsif (v_running.from_offset, v_running.to_offset)
        <> (begin_rebuild.from_offset, begin_rebuild.to_offset)
    then
        perform taisce.refuse_argument('from_offset', 'a rebuild of another range is running');
    end if;
    return next row(
        v_running.rebuild_id, v_running.from_offset, v_running.to_offset, v_running.at_offset,
        v_running.started_at, v_running.ended_at
    )::memory_v1.rebuild_state;
end
$func$;
comment on function memory_v1.begin_rebuild(bigint, bigint, text) is
'Say that a range of offsets is being formed again; freshness shows it.';
revoke all on function memory_v1.begin_rebuild(bigint, bigint, text) from public;
grant execute on function memory_v1.begin_rebuild(bigint, bigint, text) to taisce_writer;
