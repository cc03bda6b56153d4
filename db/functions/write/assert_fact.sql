-- memory_v1.assert_fact(subject, predicate, object, value, statement, evidence, valid_from,
--     valid_until, confidence, cardinality, on_conflict, project)
-- Believes a fact, because of words somebody said. subject and object: a name, as a JSON text, or
-- {"id": ...}, {"key": ...}, {"speaker": ...}; unknown names become entities. An object, or a
-- value, or neither for a bare statement. evidence: a list of {observation, ordinal, quote,
-- byte_start, claim_text, stance} or {claim, stance}. Times: from inclusive, until exclusive, null
-- is open. cardinality: one or many, default the predicate's. Of a value that stands alone, a
-- newcomer that starts inside another ends that one; any other overlap is refused, unless
-- on_conflict is contradict (both stand, marked) or truncate (the newcomer ends where the next
-- begins). The same content told again is the same fact, with more evidence. A claim that supports
-- it already changes nothing; a fact that was retracted is then not believed, which a notice says.
-- Returns: one row; superseded is the fact it ended, known_from since when it is believed as it
--     stands: before the call if nothing changed, null if it is not believed.
-- Raises: TS003, TS004, TS005, TS006; notice not_believed.
-- Runs as: owner, bound to the caller's projects.   Since: 0.1
-- requires: write/asserted_fact.sql

create or replace function memory_v1.assert_fact(
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
    v_project_id bigint := taisce.open_write(assert_fact.project);
    v_fact_id uuid;
    v_asserted memory_v1.asserted_fact;
begin
    v_fact_id := taisce.assert_line(v_project_id, taisce.fact_line(
        assert_fact.subject, assert_fact.predicate, assert_fact.object, assert_fact.value,
        assert_fact.statement, assert_fact.evidence, assert_fact.valid_from,
        assert_fact.valid_until, assert_fact.confidence, assert_fact.cardinality,
        assert_fact.on_conflict));
    v_asserted := taisce.asserted_fact(v_project_id, v_fact_id);
    if v_asserted.known_from is null then
        raise notice using
            message = 'not_believed',
            detail = 'The fact was retracted, and all of this evidence was given before.',
            hint = 'Give evidence that is new, or use correct_fact.';
    end if;
    return next v_asserted;
end
$func$;
comment on function memory_v1.assert_fact(
    jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text, text,
    text
) is
'Believe a fact because of words somebody said. subject, object: a JSON text with a name, or '
'{"id"}, {"key"}, {"speaker"}; evidence: a list of {observation, ordinal, quote}; '
'on_conflict: refuse, contradict or truncate. known_from is null if the fact was retracted and the '
'evidence is not new.';
revoke all on function memory_v1.assert_fact(
    jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text, text,
    text
) from public;
grant execute on function memory_v1.assert_fact(
    jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text, text,
    text
) to taisce_writer;
