-- memory_v1.retract_fact(fact_id, reason, project)
-- Ends the belief in a fact from now on; reads at an earlier known time still show it. New evidence
-- of the same content opens it again. Retracting twice changes nothing.
-- Returns: one row.   Raises: TS003, TS004, TS005.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.retracted_fact') is null then
        create type memory_v1.retracted_fact as (
            fact_id uuid, retracted_at timestamptz, repeated boolean
        );
    end if;
end
$do$;
comment on type memory_v1.retracted_fact is
'A fact that is believed no more.';

create or replace function memory_v1.retract_fact(
    fact_id uuid,
    reason text default null,
    project text default null
)
returns setof memory_v1.retracted_fact
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(retract_fact.project);
    v_fact taisce.fact := taisce.known_fact(v_project_id, retract_fact.fact_id);
    v_stamp timestamptz;
begin
    if retract_fact.reason is not null then
        perform taisce.check_text('reason', 'words', retract_fact.reason);
    end if;
    if taisce.is_believed(v_project_id, v_fact.fact_id) then
        v_stamp := taisce.take_stamp(v_project_id);
        perform taisce.retract_versions(
            v_project_id, v_fact.fact_id, v_stamp, retract_fact.reason);
    end if;
    return next row(
        v_fact.fact_id, coalesce(v_stamp, v_fact.retracted_at), v_stamp is null
    )::memory_v1.retracted_fact;
end
$func$;
comment on function memory_v1.retract_fact(uuid, text, text) is
'End the belief in a fact from now on; what was believed before stays on record.';
revoke all on function memory_v1.retract_fact(uuid, text, text) from public;
grant execute on function memory_v1.retract_fact(uuid, text, text) to taisce_writer;
