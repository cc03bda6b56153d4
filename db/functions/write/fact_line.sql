-- taisce.fact_line(subject, predicate, object, value, statement, evidence, ...)
-- Writes the arguments of an assertion as a line of the load format.
-- Returns: one jsonb.   Runs as: invoker.   Since: 0.1

create or replace function taisce.fact_line(
    subject jsonb,
    predicate text,
    object jsonb,
    value text,
    statement text,
    evidence jsonb,
    valid_from timestamptz,
    valid_until timestamptz,
    confidence double precision,
    cardinality text,
    on_conflict text
)
returns jsonb
language sql
stable
parallel safe
set timezone = 'UTC'
set datestyle = 'ISO, MDY'
as $func$
    select pg_catalog.jsonb_build_object(
        'type', 'fact',
        'subject', fact_line.subject,
        'predicate', fact_line.predicate,
        'object', fact_line.object,
        'value', fact_line.value,
        'statement', fact_line.statement,
        'evidence', fact_line.evidence,
        -- An open end is left out, however it was written.
        'valid_from', nullif(fact_line.valid_from, '-infinity'),
        'valid_until', nullif(fact_line.valid_until, 'infinity'),
        'confidence', fact_line.confidence,
        'cardinality', fact_line.cardinality,
        'on_conflict', fact_line.on_conflict)
$func$;
comment on function taisce.fact_line(
    jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text, text
) is 'Writes the arguments of an assertion as a line of the load format.';
revoke all on function taisce.fact_line(
    jsonb, text, jsonb, text, text, jsonb, timestamptz, timestamptz, double precision, text, text
) from public;
