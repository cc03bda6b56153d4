-- taisce.note_nominations(function_name, most, proposed, confirmed)
-- Adds to what a query of open SQL learns of a search in it: how many items an index proposed, and
-- how many of them the live tables confirmed. Items behind the last one that was wanted (most) were
-- not looked at and do not count. The sum is a setting of the transaction, which only the executor
-- opens, as 0/0: taisce.nominated_ and the name of the function; callers ask first whether it is
-- open. Stable, since it reads no table: what calls it keeps its snapshot.
-- Returns: nothing.   Runs as: invoker.   Since: 0.1

create or replace function taisce.note_nominations(
    function_name text, most integer, proposed uuid[], confirmed uuid[]
)
returns void
language plpgsql
stable
parallel restricted
as $func$
declare
    v_setting constant text := 'taisce.nominated_' || note_nominations.function_name;
    v_told constant text := pg_catalog.current_setting(v_setting, true);
    v_confirmed constant integer := cardinality(note_nominations.confirmed);
    v_nominated integer := cardinality(note_nominations.proposed);
begin
    if (v_told ~ '^\d{1,15}/\d{1,15}$') is not true then
        return;
    end if;
    if v_confirmed > 0 and v_confirmed >= note_nominations.most then
        v_nominated := array_position(
            note_nominations.proposed, note_nominations.confirmed[v_confirmed]);
    end if;
    perform pg_catalog.set_config(
        v_setting,
        format('%s/%s',
            split_part(v_told, '/', 1)::bigint + v_nominated,
            split_part(v_told, '/', 2)::bigint + v_confirmed),
        true);
end
$func$;
comment on function taisce.note_nominations(text, integer, uuid[], uuid[]) is
'Adds to the counts of what a search of open SQL proposed and confirmed.';
revoke all on function taisce.note_nominations(text, integer, uuid[], uuid[]) from public;
