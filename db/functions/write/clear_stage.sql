-- taisce.clear_stage()
-- Removes staged lines of transactions that have ended without a load.
-- Returns: how many.   Runs as: invoker.   Since: 0.1

create or replace function taisce.clear_stage()
returns bigint
language plpgsql
volatile
as $func$
declare
    v_rows bigint;
begin
    -- A line of another transaction that can be seen was committed, and no load reads it any more.
    delete from memory_v1.load_stage as s
    where s.txid <> pg_catalog.pg_current_xact_id();
    get diagnostics v_rows = row_count;
    return v_rows;
end
$func$;
comment on function taisce.clear_stage() is
'Removes staged lines of transactions that have ended without a load.';
revoke all on function taisce.clear_stage() from public;
