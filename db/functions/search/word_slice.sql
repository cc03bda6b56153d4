-- taisce.word_slice()
-- The slice in which this transaction counts words: the first that no other transaction holds, so
-- that writers do not wait for one another's counts. The 64th is shared.
-- Returns: 0 to 63.   Runs as: invoker.   Since: 0.1

create or replace function taisce.word_slice()
returns smallint
language plpgsql
volatile
as $func$
declare
    v_lock_class constant integer := 1952543602;
begin
    for v_slice in 0..62 loop
        if pg_try_advisory_xact_lock(v_lock_class, v_slice) then
            return v_slice;
        end if;
    end loop;
    return 63;
end
$func$;
comment on function taisce.word_slice() is
'The slice in which this transaction counts words, so that writers do not wait for one another.';
revoke all on function taisce.word_slice() from public;
