-- taisce.recall_settings(project_id)
-- What a recall needs to know of the installation and the project, in one read.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.recall_limits') is null then
        create type taisce.recall_limits as (
            bundle_characters integer,
            recall_terms integer,
            clock_skew interval,
            default_source_roles text[]
        );
    end if;
end
$do$;

create or replace function taisce.recall_settings(project_id bigint)
returns taisce.recall_limits
language sql
stable
parallel safe
as $func$
    select row(
        (select s.value::integer from taisce.setting as s where s.name = 'bundle_characters'),
        (select s.value::integer from taisce.setting as s where s.name = 'recall_terms'),
        (select s.value::interval from taisce.setting as s where s.name = 'clock_skew'),
        (
            select p.default_source_roles
            from taisce.project as p
            where p.project_id = recall_settings.project_id
        )
    )::taisce.recall_limits
$func$;
comment on function taisce.recall_settings(bigint) is
'Limits of the installation and defaults of the project that a recall needs.';
revoke all on function taisce.recall_settings(bigint) from public;
