-- taisce.lock_clock(project_id)
-- Holds the clock of a project until the transaction ends: whoever writes waits here, so that what
-- is checked afterwards stays true. The row is written, so that a transaction whose snapshot is
-- older than the last write fails instead of checking what is no more.
-- Returns: the clock.   Raises: 40001 above read committed.   Runs as: invoker.   Since: 0.1

create or replace function taisce.lock_clock(project_id bigint)
returns taisce.project_clock
language plpgsql
volatile
as $func$
declare
    v_clock taisce.project_clock;
begin
    update taisce.project_clock as c
    set stored = c.stored
    where c.project_id = lock_clock.project_id
    returning c.* into strict v_clock;
    return v_clock;
exception
    when serialization_failure then
        raise exception using
            errcode = 'serialization_failure',
            message = 'the project was written to since this transaction began',
            detail = 'a write must see what was written before it',
            hint = 'Write under read committed, or repeat the transaction.';
end
$func$;
comment on function taisce.lock_clock(bigint) is
'Holds the clock of a project until the transaction ends.';
revoke all on function taisce.lock_clock(bigint) from public;
