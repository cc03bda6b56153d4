-- memory_v1.export_lines(part, project, after, max_rows)
-- One page of a project in the load format. Parts, in the order in which a file must hold them:
-- project, predicate, observation, entity, claim, mention, fact, community, report, segment, merge,
-- key. Call again with the last place as `after` until no row comes back; pages of one transaction
-- (repeatable read) fit together. What has expired is left out; its offset stays as a tombstone.
-- Returns: at most max_rows rows (1 to 100,000) in the order of their places.
-- Raises: TS003, TS005.   Runs as: owner, for callers with admin access.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.export_line') is null then
        create type memory_v1.export_line as (place text, line text);
        comment on type memory_v1.export_line is
            'A line of the load format, and the place from which the next page goes on.';
    end if;
end
$do$;

create or replace function memory_v1.export_lines(
    part text,
    project text default null,
    after text default null,
    max_rows integer default 10000
)
returns setof memory_v1.export_line
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
set timezone = 'UTC'
as $func$
declare
    v_project_id bigint := taisce.resolve_project(export_lines.project, 'admin');
    v_rows integer := export_lines.max_rows;
    v_uuid constant text := '[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}';
begin
    if v_rows is null or v_rows not between 1 and 100000 then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'max_rows must be from 1 to 100000',
            hint = 'Read a large part in pages.';
    end if;
    -- Looked at beforehand: a block with an exception may not run in parallel.
    if export_lines.after !~ (case
        when export_lines.part = 'observation' then '^\d{1,18}$'
        when export_lines.part = 'claim'
            then format('^%s/\d{1,9}/\d{1,9}/%s$', v_uuid, v_uuid)
        when export_lines.part = 'mention' then format('^%s/%s/\d{1,9}(/.*)?$', v_uuid, v_uuid)
        when export_lines.part in ('entity', 'fact', 'merge', 'community', 'report', 'segment')
            then format('^%s$', v_uuid)
        else ''
    end) then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'after is not a place of this part',
            hint = 'Give the place of the last row of the page before.';
    end if;
    if export_lines.part = 'observation' then
        return query select * from taisce.export_observations(
            v_project_id, export_lines.after, v_rows);
    elsif export_lines.part = 'entity' then
        return query select * from taisce.export_entities(v_project_id, export_lines.after, v_rows);
    elsif export_lines.part = 'claim' then
        return query select * from taisce.export_claims(v_project_id, export_lines.after, v_rows);
    elsif export_lines.part = 'fact' then
        return query select * from taisce.export_facts(v_project_id, export_lines.after, v_rows);
    elsif export_lines.part in ('project', 'predicate', 'mention', 'merge', 'key') then
        return query select * from taisce.export_ground(
            v_project_id, export_lines.part, export_lines.after, v_rows);
    elsif export_lines.part in ('community', 'report', 'segment') then
        return query select * from taisce.export_compiled(
            v_project_id, export_lines.part, export_lines.after, v_rows);
    else
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'part is not one of project, predicate, observation, entity, claim, mention, '
                'fact, community, report, segment, merge, key',
            hint = 'Name one part of the load format.';
    end if;
end
$func$;
comment on function memory_v1.export_lines(text, text, text, integer) is
'One page of a project in the load format, for callers with admin access.';
revoke all on function memory_v1.export_lines(text, text, text, integer) from public;
grant execute on function memory_v1.export_lines(text, text, text, integer) to taisce_admin;
