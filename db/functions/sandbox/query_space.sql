-- memory_v1.query_space(pattern)
-- What open SQL may read, and how to choose: a headline, which view answers which need, warnings,
-- views with grain, key and columns, helper functions, limits, and worked examples with a wrong and
-- a right query. Made from the catalogue and the comments on it. A pattern keeps the parts whose
-- text contains it, in either case. Comments on views are lines: what it shows, then "Grain: ",
-- "Key: ", "For: ", "Few: " (columns of few distinct values), "Beware: ".
-- Returns: one jsonb object.   Runs as: owner.   Since: 0.1

create or replace function memory_v1.query_space(pattern text default null)
returns jsonb
language sql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
    with said as (
        select
            c.oid,
            c.relname as name,
            split_part(obj_description(c.oid, 'pg_class'), e'\n', 1) as description,
            substring(obj_description(c.oid, 'pg_class') from e'\nGrain: ([^\n]*)') as grain,
            substring(obj_description(c.oid, 'pg_class') from e'\nKey: ([^\n]*)') as key,
            substring(obj_description(c.oid, 'pg_class') from e'\nFor: ([^\n]*)') as need,
            substring(obj_description(c.oid, 'pg_class') from e'\nFew: ([^\n]*)') as few,
            substring(obj_description(c.oid, 'pg_class') from e'\nBeware: ([^\n]*)') as warning
        from pg_class as c
        where c.relnamespace = 'memory_v1'::regnamespace
          and c.relkind = 'v'
    ),
    views as (
        select
            v.name,
            v.need,
            v.warning,
            jsonb_build_object(
                'name', v.name,
                'description', v.description,
                'grain', v.grain,
                'key', v.key,
                'for', v.need,
                'few', v.few,
                'beware', v.warning,
                'columns', (
                    select jsonb_agg(
                        jsonb_build_object(
                            'name', a.attname,
                            'type', format_type(a.atttypid, a.atttypmod),
                            'comment', col_description(v.oid, a.attnum)
                        )
                        order by a.attnum
                    )
                    from pg_attribute as a
                    where a.attrelid = v.oid
                      and a.attnum > 0
                      and not a.attisdropped
                )
            ) as entry
        from said as v
    ),
    kept as (
        select
            v.name,
            v.need,
            v.warning,
            v.entry
        from views as v
        where query_space.pattern is null
           or position(lower(query_space.pattern) in lower(v.entry::text)) > 0
    )
    select jsonb_build_object(
        'contract', 'query-space/v1',
        'schema', 'memory_v1',
        'headline', 'Testimony is not belief: claims are what sources say, facts are what this '
            'memory believes on their strength, and neither is the truth.',
        'choose', (
            select jsonb_agg(
                jsonb_build_object('need', k.need, 'view', k.name) order by k.name
            )
            from kept as k
        ),
        'warnings', to_jsonb(array[
            'An empty result means that nothing was found here, never that something is not so.',
            'All roles are shown, labelled in source_role or role: an assistant is no witness.',
            'Copies are not independent: count lineages, not claims.',
            'Current means at the start of the statement; freshness is in project_freshness.',
            'Views show one project: the setting taisce.project chooses among those granted.'
        ]) || coalesce(
            (
                select jsonb_agg(k.name || ': ' || k.warning order by k.name)
                from kept as k
                where k.warning is not null
            ),
            '[]'
        ),
        'views', coalesce((select jsonb_agg(k.entry order by k.name) from kept as k), '[]'),
        'functions', coalesce(
            (
                select jsonb_agg(f.entry order by f.name, f.entry ->> 'signature')
                from taisce.space_functions() as f
                where query_space.pattern is null
                   or position(lower(query_space.pattern) in lower(f.entry::text)) > 0
            ),
            '[]'
        ),
        'limits', (
            select s.value::jsonb from taisce.setting as s where s.name = 'sandbox_tiers'
        ),
        'examples', coalesce(
            (
                select jsonb_agg(
                    jsonb_build_object(
                        'title', e.title,
                        'wrong', e.wrong,
                        'right', e.right_way,
                        'why', e.why
                    )
                    order by e.place
                )
                from taisce.space_examples() as e
                where query_space.pattern is null
                   or position(
                       lower(query_space.pattern)
                       in lower(concat_ws(' ', e.title, e.wrong, e.right_way, e.why))
                   ) > 0
            ),
            '[]'
        )
    )
$func$;
comment on function memory_v1.query_space(text) is
'What open SQL may read and how to choose: views, columns, helpers, limits and worked examples.';
revoke all on function memory_v1.query_space(text) from public;
grant execute on function memory_v1.query_space(text) to taisce_reader, taisce_analyst;
