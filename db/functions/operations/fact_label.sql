-- taisce.fact_label(statement, valid_from, valid_to), taisce.short_instant(at)
-- The text of a fact with the time it holds, so that a date is never lost: "... (since 2026-01)".
-- A month or a day is written short where the instant begins one (UTC).
-- Returns: one text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.short_instant(at timestamptz)
returns text
language sql
stable
parallel safe
as $func$
    select case
        when short_instant.at = date_trunc('month', short_instant.at, 'UTC')
            then to_char(short_instant.at at time zone 'UTC', 'YYYY-MM')
        when short_instant.at = date_trunc('day', short_instant.at, 'UTC')
            then to_char(short_instant.at at time zone 'UTC', 'YYYY-MM-DD')
        else to_char(short_instant.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')
    end
$func$;
comment on function taisce.short_instant(timestamptz) is
'An instant in short: a month or a day where it begins one.';
revoke all on function taisce.short_instant(timestamptz) from public;

create or replace function taisce.fact_label(
    statement text,
    valid_from timestamptz,
    valid_to timestamptz
)
returns text
language sql
stable
parallel safe
as $func$
    select fact_label.statement || case
        when isfinite(fact_label.valid_from) and isfinite(fact_label.valid_to)
            then ' (' || taisce.short_instant(fact_label.valid_from) || ' to '
                || taisce.short_instant(fact_label.valid_to) || ')'
        when isfinite(fact_label.valid_from)
            then ' (since ' || taisce.short_instant(fact_label.valid_from) || ')'
        when isfinite(fact_label.valid_to)
            then ' (until ' || taisce.short_instant(fact_label.valid_to) || ')'
        else ''
    end
$func$;
comment on function taisce.fact_label(text, timestamptz, timestamptz) is
'The text of a fact with the time it holds.';
revoke all on function taisce.fact_label(text, timestamptz, timestamptz) from public;
