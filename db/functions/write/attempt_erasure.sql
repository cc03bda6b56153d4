-- taisce.attempt_erasure(project_id, observation_ids, data_subject_id, dry_run)
-- Erases observations, and with a subject what else is kept of him; a dry run does the same and
-- takes it back, so that its counts are those of the erasure. Staged lines that no load read go
-- too.
-- Returns: counts of rows by table.   Runs as: invoker.   Since: 0.1

create or replace function taisce.attempt_erasure(
    project_id bigint,
    observation_ids uuid[],
    data_subject_id text,
    dry_run boolean
)
returns jsonb
language plpgsql
volatile
as $func$
declare
    v_counts jsonb;
begin
    v_counts := taisce.erase(attempt_erasure.project_id, attempt_erasure.observation_ids);
    if attempt_erasure.data_subject_id is not null then
        v_counts := taisce.add_counts(v_counts, taisce.erase_speaker(
            attempt_erasure.project_id, attempt_erasure.data_subject_id));
    end if;
    perform taisce.clear_stage();
    if attempt_erasure.dry_run then
        raise exception using errcode = 'TSDRY', message = 'dry run';
    end if;
    return v_counts;
exception
    when sqlstate 'TSDRY' then
        return v_counts;
end
$func$;
comment on function taisce.attempt_erasure(bigint, uuid[], text, boolean) is
'Erases, or tries to and takes it back; the clock must be held.';
revoke all on function taisce.attempt_erasure(bigint, uuid[], text, boolean) from public;
