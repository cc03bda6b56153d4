-- taisce.take_stamp(project_id, stamps)
-- Takes knowledge stamps, one microsecond apart, later than all before them. Holds the clock of the
-- project until the transaction ends, which serialises what is learnt in it.
-- Returns: the first stamp.   Runs as: invoker.   Since: 0.1

create or replace function taisce.take_stamp(project_id bigint, stamps integer default 1)
returns timestamptz
language plpgsql
volatile
as $func$
declare
    v_first timestamptz;
begin
    update taisce.project_clock as c
    set last_stamp = greatest(pg_catalog.clock_timestamp(), c.last_stamp + interval '1 us')
        + (take_stamp.stamps - 1) * interval '1 us'
    where c.project_id = take_stamp.project_id
    returning c.last_stamp - (take_stamp.stamps - 1) * interval '1 us' into strict v_first;
    return v_first;
end
$func$;
comment on function taisce.take_stamp(bigint, integer) is
'Takes knowledge stamps under the lock of the project clock; gives the first of them.';
revoke all on function taisce.take_stamp(bigint, integer) from public;
