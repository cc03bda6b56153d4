-- taisce.segment_levels(project_id, subject)
-- Returns: the levels at which a person has segments, highest first.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.segment_levels(project_id bigint, subject text)
returns integer[]
language sql
stable
parallel safe
as $func$
    select coalesce(pg_catalog.array_agg(l.level order by l.level desc), '{}')
    from pg_catalog.generate_series(1, 6) as l (level)
    cross join lateral (
        select
        from taisce.segment as s
        where s.project_id = segment_levels.project_id
          and s.data_subject_id = segment_levels.subject
          and s.level = l.level
        order by s.to_offset
        limit 1
    ) as s
$func$;
comment on function taisce.segment_levels(bigint, text) is
'The levels at which a person has segments, highest first.';
revoke all on function taisce.segment_levels(bigint, text) from public;
