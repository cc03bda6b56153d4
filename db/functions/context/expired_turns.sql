-- taisce.expired_turns(project_id, subject, read_at)
-- Turns of a person whose retention has passed and which expire() has not removed yet: what
-- condenses one of them may not be shown. The index of retention holds few other rows.
-- Returns: their offsets.   Runs as: invoker.   Since: 0.1

create or replace function taisce.expired_turns(
    project_id bigint,
    subject text,
    read_at timestamptz
)
returns bigint[]
language sql
stable
parallel safe
as $func$
    select coalesce(pg_catalog.array_agg(o.log_offset), '{}')
    from (
        select i.log_offset
        from taisce.observation as i
        where i.project_id = expired_turns.project_id
          and i.retention_until <= expired_turns.read_at
          and i.retention_until < 'infinity'
          and i.data_subject_id = expired_turns.subject
          and i.kind = 'turn'
          and not i.erased
        order by i.retention_until
    ) as o
$func$;
comment on function taisce.expired_turns(bigint, text, timestamptz) is
'Offsets of a person''s turns whose retention has passed.';
revoke all on function taisce.expired_turns(bigint, text, timestamptz) from public;
