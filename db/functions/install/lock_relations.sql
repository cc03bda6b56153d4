-- taisce.lock_relations(relations, patience)
-- Takes the exclusive locks an upgrade needs, all or none, so that readers never queue behind a
-- waiting upgrade: what is busy is let go and tried again a little later. A view alone is locked,
-- not the tables below it. Relations that do not exist are passed over.
-- Raises: 55P03 naming the process in the way once patience is over.   Runs as: invoker.
-- Since: 0.1

create or replace function taisce.lock_relations(
    relations text[], patience interval default '60 seconds'
)
returns void
language plpgsql
set search_path = pg_catalog
as $func$
declare
    v_until timestamptz := clock_timestamp() + lock_relations.patience;
    v_before text := current_setting('lock_timeout');
    v_name text;
    v_blocking text;
begin
    loop
        begin
            perform set_config('lock_timeout', '20ms', true);
            for v_name in
                select format('%I.%I', n.nspname, c.relname)
                from unnest(lock_relations.relations) as r (name)
                join pg_class as c on c.oid = to_regclass(r.name)
                join pg_namespace as n on n.oid = c.relnamespace
                where c.relkind in ('r', 'p')
                order by 1
            loop
                execute format('lock table %s in access exclusive mode nowait', v_name);
            end loop;
            for v_name in
                select format('%I.%I', n.nspname, c.relname)
                from unnest(lock_relations.relations) as r (name)
                join pg_class as c on c.oid = to_regclass(r.name)
                join pg_namespace as n on n.oid = c.relnamespace
                where c.relkind = 'v'
                order by 1
            loop
                execute format('alter view %s owner to current_user', v_name);
            end loop;
            perform set_config('lock_timeout', v_before, true);
            return;
        exception
            when lock_not_available or deadlock_detected then
                null;
        end;
        if clock_timestamp() > v_until then
            select string_agg(format('process %s holds %s', b.pid, b.names), ', ')
            into v_blocking
            from (
                select l.pid, string_agg(distinct l.relation::regclass::text, ', ') as names
                from unnest(lock_relations.relations) as r (name)
                join pg_locks as l on l.relation = to_regclass(r.name)
                where l.granted and l.pid <> pg_backend_pid()
                group by l.pid
            ) as b;
            raise exception using
                errcode = 'lock_not_available',
                message = format('readers or writers did not make room within %s',
                    lock_relations.patience),
                detail = coalesce(v_blocking, 'nothing is in the way any more'),
                hint = 'Nothing was changed. End that transaction, or try again later.';
        end if;
        perform pg_sleep(0.02 + random() * 0.2);
    end loop;
end
$func$;
comment on function taisce.lock_relations(text[], interval) is
'Takes the locks an upgrade needs, all or none, without making readers wait.';
revoke all on function taisce.lock_relations(text[], interval) from public;
