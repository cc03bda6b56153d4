-- taisce.drop_retired()
-- Drops what an earlier install superseded. What something else still needs stays.
-- Returns: the number of dropped objects.   Runs as: invoker.   Since: 0.1

create or replace function taisce.drop_retired()
returns integer
language plpgsql
set search_path = pg_catalog
as $func$
declare
    v_object record;
    v_dropped integer := 0;
begin
    for v_object in
        select o.class, o.identity
        from taisce.ledger_object as o
        where o.retired_at < now()
        order by o.class desc, o.retired_at desc, o.identity
    loop
        begin
            if v_object.class = 'view' then
                perform taisce.lock_relations(array[v_object.identity]);
                execute format('drop view if exists %s', v_object.identity);
            else
                execute format('drop routine if exists %s', v_object.identity);
            end if;
            delete from taisce.ledger_object as o
            where o.class = v_object.class and o.identity = v_object.identity;
            v_dropped := v_dropped + 1;
        exception
            when dependent_objects_still_exist then
                null;
        end;
    end loop;
    return v_dropped;
end
$func$;
comment on function taisce.drop_retired() is 'Drops what an earlier install superseded.';
revoke all on function taisce.drop_retired() from public;
