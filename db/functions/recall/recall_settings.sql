-- taisce.recall_settings()
-- What a recall needs to know of the installation, in one read.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.recall_limits') is null then
        create type taisce.recall_limits as (
            bundle_characters integer,
            recall_terms integer,
            clock_skew interval
        );
    end if;
end
$do$;

create or replace function taisce.recall_settings()
returns taisce.recall_limits
language plpgsql
stable
parallel safe
as $func$
declare
    v_limits taisce.recall_limits;
begin
    select
        max(s.value) filter (where s.name = 'bundle_characters'),
        max(s.value) filter (where s.name = 'recall_terms'),
        max(s.value) filter (where s.name = 'clock_skew')
    into v_limits.bundle_characters, v_limits.recall_terms, v_limits.clock_skew
    from taisce.setting as s
    where s.name in ('bundle_characters', 'recall_terms', 'clock_skew');
    return v_limits;
end
$func$;
comment on function taisce.recall_settings() is
'Limits of the installation that a recall needs.';
revoke all on function taisce.recall_settings() from public;
