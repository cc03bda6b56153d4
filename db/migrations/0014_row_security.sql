-- The project boundary: every table with a project is guarded, its owner included. project_grant
-- is open to its owner alone, or the policies would ask themselves for ever.

do $$
declare
    v_table text;
    v_read text;
    v_write text;
    v_rule text;
begin
    for v_table in
        select c.relname
        from pg_catalog.pg_class as c
        join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attname = 'project_id'
        where c.relnamespace = 'taisce'::regnamespace
          and c.relkind in ('r', 'p')
          and not a.attisdropped
        order by c.relname
    loop
        execute format('alter table taisce.%I enable row level security', v_table);
        execute format('alter table taisce.%I force row level security', v_table);
        -- Else a project filled after the last ANALYZE counts as one row, and its keys as useless.
        execute format('alter table taisce.%I alter column project_id set statistics 0', v_table);
        if v_table = 'project_grant' then
            execute 'create policy everything on taisce.project_grant using (true)';
        elsif v_table = 'project' then
            v_read := 'any';
            v_write := 'manage';
        else
            v_read := 'read';
            v_write := 'write';
        end if;
        if v_table <> 'project_grant' then
            -- Wrapped, the rule is a filter: as an index condition it would be counted twice with
            -- the project that every statement names, and any index would look as good as a key.
            v_rule := '(coalesce(project_id = any ('
                '(select taisce.granted_projects(%L))::bigint[]), false))';
            execute format(
                'create policy readable on taisce.%I for select using ' || v_rule,
                v_table, v_read);
            -- Readers add to two tables, and change nothing in them.
            execute format(
                'create policy insertable on taisce.%I for insert with check ' || v_rule,
                v_table, case when v_table in ('feedback', 'audit_entry') then v_read
                    else v_write end);
            execute format(
                'create policy changeable on taisce.%I for update using ' || v_rule,
                v_table, v_write);
            execute format(
                'create policy removable on taisce.%I for delete using ' || v_rule,
                v_table, v_write);
        end if;
    end loop;
end
$$;
