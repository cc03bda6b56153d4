-- memory_v1.correct_fact(fact_id, subject, predicate, object, value, statement, evidence,
--     valid_from, valid_until, confidence, cardinality, on_conflict, project)
-- Ends the belief in a fact and asserts another in its place, at one instant of knowledge. The
-- other arguments are those of assert_fact; what was once retracted is believed again if it is the
-- correction, even by evidence it had before.
-- Returns: one row about the new fact.   Raises: as assert_fact; TS004, TS005 about fact_id.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1
-- requires: write/asserted_fact.sql

create or replace function memory_v1.correct_fact(
    fact_id uuid,
    subject jsonb,
    predicate text default null,
    object jsonb default null,
    value text default null,
    statement text default null,
    evidence jsonb default null,
    valid_from timestamptz default null,
    valid_until timestamptz default null,
    confidence double precision default null,
    cardinality text default null,
    on_conflict text default 'refuse',
    project text default null
)
returns setof memory_v1.asserted_fact
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_project_id bigint := taisce.open_write(correct_fact.project);
    v_old uuid := (taisce.known_fact(v_project_id, correct_fact.fact_id)).fact_id;
    v_closed timestamptz := taisce.take_stamp(v_project_id);
    v_new uuid;
begin
    if not taisce.retract_versions(v_project_id, v_old, v_closed, 'corrected') then
        perform taisce.refuse_argument('fact_id', 'is not believed any more');
    end if;
    v_new := taisce.assert_line(v_project_id, taisce.fact_line(
        correct_fact.subject, correct_fact.predicate, correct_fact.object, correct_fact.value,
        correct_fact.statement, correct_fact.evidence, correct_fact.valid_from,
        correct_fact.valid_until, correct_fact.confidence, correct_fact.cardinality,
        correct_fact.on_conflict));
    if v_new = v_old then
        perform taisce.refuse_argument('fact_id', 'says the same as its correction');
    end if;
    perform taisce.believe_correction(
        v_project_id, v_old, v_new, v_closed, correct_fact.on_conflict);
    return next taisce.asserted_fact(v_project_id, v_new);
end
$func$;
comment on function memory_v1.correct_fact(
    uuid, jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text,
    text, text
) is
'End the belief in a fact and assert another in its place; arguments as of assert_fact.';
revoke all on function memory_v1.correct_fact(
    uuid, jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text,
    text, text
) from public;
grant execute on function memory_v1.correct_fact(
    uuid, jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text,
    text, text
) to taisce_writer;
