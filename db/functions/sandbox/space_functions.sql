-- taisce.space_functions()
-- The helper functions that open SQL may call, as far as they are installed and analysts may
-- execute them: signature, arguments, result columns (null for a plain value), comment.
-- Returns: one row a function.   Runs as: invoker.   Since: 0.1

create or replace function taisce.space_functions()
returns table (name name, entry jsonb)
language sql
stable
parallel safe
set search_path = pg_catalog, pg_temp
as $func$
    select
        p.proname as name,
        jsonb_build_object(
            'name', p.proname,
            'signature', format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)),
            'arguments', to_jsonb(coalesce(p.proargnames[1:p.pronargs], '{}')),
            'defaults', p.pronargdefaults,
            'description', obj_description(p.oid, 'pg_proc'),
            'returns', case
                when p.proretset or t.typtype = 'c' or p.prorettype = 'record'::regtype
                    then null
                else format_type(p.prorettype, null)
            end,
            'columns', coalesce(
                (
                    select jsonb_agg(
                        jsonb_build_object(
                            'name', p.proargnames[m.place],
                            'type', format_type(p.proallargtypes[m.place], null)
                        )
                        order by m.place
                    )
                    from unnest(p.proargmodes) with ordinality as m (mode, place)
                    where m.mode in ('t', 'o')
                ),
                (
                    select jsonb_agg(
                        jsonb_build_object(
                            'name', a.attname,
                            'type', format_type(a.atttypid, a.atttypmod)
                        )
                        order by a.attnum
                    )
                    from pg_attribute as a
                    where a.attrelid = t.typrelid
                      and t.typtype = 'c'
                      and a.attnum > 0
                      and not a.attisdropped
                )
            )
        ) as entry
    from pg_proc as p
    join pg_type as t on t.oid = p.prorettype
    where p.pronamespace = 'memory_v1'::regnamespace
      and has_function_privilege('taisce_analyst', p.oid, 'EXECUTE')
      and p.proname = any (array[
          'facts_as_of', 'graph_neighborhood', 'graph_path', 'fact_walk', 'recall_anchors',
          'resolve_entity', 'lexical_claims', 'lexical_passages', 'lexical_facts',
          'semantic_claims', 'semantic_passages', 'semantic_facts', 'semantic_entities',
          'passage_body'
      ])
$func$;
comment on function taisce.space_functions() is
'Helper functions that open SQL may call, with signature, arguments, columns and comment.';
revoke all on function taisce.space_functions() from public;
