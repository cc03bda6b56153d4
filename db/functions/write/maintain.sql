-- memory_v1.maintain(max_versions, project)
-- Keeps reads fast and the memory small: facts that have ended leave the indexes of current reads,
-- at most max_versions of them and some hundred at a time; blocks of past versions are made anew;
-- staged lines that no load read are dropped. Call it again while it retires as many as it may.
-- Returns: one row a task.   Raises: TS003, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.maintained') is null then
        create type memory_v1.maintained as (task text, rows bigint);
        comment on type memory_v1.maintained is 'What a task of maintenance did to how many rows.';
    end if;
end
$do$;

create or replace function memory_v1.maintain(
    max_versions integer default 100000,
    project text default null
)
returns setof memory_v1.maintained
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.resolve_project(maintain.project, 'admin');
begin
    if maintain.max_versions is null or maintain.max_versions not between 1 and 10000000 then
        perform taisce.refuse_argument('max_versions', 'must be between 1 and 10000000');
    end if;
    perform taisce.lock_clock(v_project_id);
    return query
    values
    ('versions retired', taisce.retire_versions(v_project_id, maintain.max_versions)),
    ('blocks made', taisce.build_blocks(v_project_id)),
    ('staged lines dropped', taisce.clear_stage());
end
$func$;
comment on function memory_v1.maintain(integer, text) is
'Retire facts that have ended from the indexes of current reads, and tidy up.';
revoke all on function memory_v1.maintain(integer, text) from public;
grant execute on function memory_v1.maintain(integer, text) to taisce_admin;
