-- memory_v1.passage_body(passage_id, project)
-- The whole text of a passage.
-- Returns: one text; null once the text was released.
-- Raises: TS003, TS004 (unknown, expired).   Runs as: owner, bound to the caller's projects.
-- Since: 0.1

create or replace function memory_v1.passage_body(passage_id uuid, project text default null)
returns text
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id constant bigint := taisce.resolve_project(passage_body.project, 'read');
    v_content text;
begin
    select m.content
    into v_content
    from taisce.message as m
    where m.project_id = v_project_id
      and m.passage_id = passage_body.passage_id
      and m.retention_until > statement_timestamp();
    if not found then
        raise exception using
            errcode = 'TS004',
            message = 'not_found',
            detail = 'passage_id leads to no passage',
            hint = 'Find passages with memory_v1.passage_search(query).';
    end if;
    return v_content;
end
$func$;
comment on function memory_v1.passage_body(uuid, text) is
'The whole text of a passage; null once it was released.';
revoke all on function memory_v1.passage_body(uuid, text) from public;
grant execute on function memory_v1.passage_body(uuid, text) to taisce_reader, taisce_analyst;
