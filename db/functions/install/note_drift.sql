-- taisce.note_drift()
-- Keeps in mind, until the transaction ends, what was changed by hand before this install, so that
-- record_objects() does not take it for the installer's own work.
-- Returns: the number of changes.   Runs as: invoker.   Since: 0.1

create or replace function taisce.note_drift()
returns integer
language sql
set search_path = pg_catalog
as $func$
    with noted as (
        select coalesce(jsonb_agg(jsonb_build_object('class', d.class, 'identity', d.identity,
            'change', d.change, 'detail', d.detail, 'definition', o.definition)), '[]') as drift
        from taisce.drift() as d
        left join taisce.installed_objects() as o
            on o.class = d.class and o.identity = d.identity
    )
    select jsonb_array_length(set_config('taisce.drift', n.drift::text, true)::jsonb)
    from noted as n
$func$;
comment on function taisce.note_drift() is
'Keeps what was changed by hand before this install in mind until it has been recorded.';
revoke all on function taisce.note_drift() from public;
