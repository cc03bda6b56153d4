-- taisce.freshness_of(project_id)
-- How far the memory has come, from one row: highest offset stored, highest contiguous offset
-- formed or parked, how many are parked, what is being rebuilt, the last committed stamp.
-- Returns: one jsonb object.   Runs as: invoker.   Since: 0.1

create or replace function taisce.freshness_of(project_id bigint)
returns jsonb
language plpgsql
stable
parallel safe
as $func$
declare
    v_freshness jsonb;
begin
    select jsonb_build_object(
        'stored', c.stored,
        'formed', nullif(c.formed, 0),
        'parked', c.parked,
        'rebuilding', (
            select jsonb_build_object(
                'from_offset', r.from_offset,
                'to_offset', r.to_offset,
                'at_offset', r.at_offset
            )
            from taisce.rebuild as r
            where r.project_id = freshness_of.project_id
              and r.ended_at is null
        ),
        'read_at', statement_timestamp(),
        'known_through', nullif(c.last_stamp, '-infinity')
    )
    into v_freshness
    from taisce.project_clock as c
    where c.project_id = freshness_of.project_id;
    return v_freshness;
end
$func$;
comment on function taisce.freshness_of(bigint) is
'How far the memory has come: offsets stored and formed, parked, rebuilding, last stamp.';
revoke all on function taisce.freshness_of(bigint) from public;
