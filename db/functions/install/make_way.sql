-- taisce.make_way(signature)
-- Renames a function whose last parameters are about to be others, so that callers in flight keep
-- it and new calls are not ambiguous. The old one goes with a later install.
-- Returns: the new name with its argument types.   Runs as: invoker.   Since: 0.1

create or replace function taisce.make_way(signature text)
returns text
language plpgsql
set search_path = pg_catalog
as $func$
declare
    v_function regprocedure := to_regprocedure(make_way.signature);
    v_identity text := v_function::text;
    v_name text;
    v_home oid;
    v_number integer := 1;
begin
    if v_function is null then
        return null;
    end if;
    select p.proname, p.pronamespace
    into v_name, v_home
    from pg_proc as p
    where p.oid = v_function;
    while exists (
        select from pg_proc as p
        where p.pronamespace = v_home and p.proname = format('%s_old_%s', v_name, v_number)
    ) loop
        v_number := v_number + 1;
    end loop;
    execute format('alter routine %s rename to %I', v_identity,
        format('%s_old_%s', v_name, v_number));
    update taisce.ledger_object as o
    set identity = v_function::text, retired_at = now()
    where o.class = 'function' and o.identity = v_identity;
    return v_function::text;
end
$func$;
comment on function taisce.make_way(text) is
'Renames a function whose last parameters are about to be others.';
revoke all on function taisce.make_way(text) from public;
