-- requires: write/erased_rows.sql
-- memory_v1.erase_subject(data_subject_id, dry_run, project)
-- Erases all observations about a person, as erase_observations does, with his segments and the
-- entity that speaks for him. What others said that mentions him is theirs, and stays.
-- dry_run: count only.
-- Returns: rows by table.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

create or replace function memory_v1.erase_subject(
    data_subject_id text,
    dry_run boolean default false,
    project text default null
)
returns setof memory_v1.erased_rows
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_admin(erase_subject.project);
    v_ids uuid[];
begin
    perform taisce.check_text('data_subject_id', 'label', erase_subject.data_subject_id);
    v_ids := array(
        select o.observation_id
        from taisce.observation as o
        where o.project_id = v_project_id
          and o.data_subject_id = erase_subject.data_subject_id
          and not o.erased
    );
    if cardinality(v_ids) = 0 and not exists (
        select
        from taisce.entity as e
        where e.project_id = v_project_id
          and e.speaker_subject_id = erase_subject.data_subject_id
    ) and not exists (
        select
        from taisce.segment as s
        where s.project_id = v_project_id
          and s.data_subject_id = erase_subject.data_subject_id
    ) then
        perform taisce.not_found();
    end if;
    return query
    select r.*
    from taisce.erased_rows(taisce.attempt_erasure(
        v_project_id, v_ids, erase_subject.data_subject_id,
        coalesce(erase_subject.dry_run, false))) as r;
end
$func$;
comment on function memory_v1.erase_subject(text, boolean, text) is
'Erase all observations about a person, and what speaks for him; dry_run counts only.';
revoke all on function memory_v1.erase_subject(text, boolean, text) from public;
grant execute on function memory_v1.erase_subject(text, boolean, text) to taisce_admin;
