-- taisce.running_rebuild(project_id)
-- Returns: the rebuild that is running.   Raises: TS004 if there is none.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.running_rebuild(project_id bigint)
returns taisce.rebuild
language plpgsql
volatile
as $func$
declare
    v_running taisce.rebuild;
begin
    select r.*
    into v_running
    from taisce.rebuild as r
    where r.project_id = running_rebuild.project_id
      and r.ended_at is null;
    if not found then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'no rebuild is running in the project',
            hint = 'Begin one with begin_rebuild().';
    end if;
    return v_running;
end
$func$;
comment on function taisce.running_rebuild(bigint) is 'The rebuild that is running, or TS004.';
revoke all on function taisce.running_rebuild(bigint) from public;
