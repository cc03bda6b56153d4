-- memory_v1.budget_cut(items, max_characters)
-- Items in order until the first that does not fit; then it stops, with no skipping ahead. An item
-- costs what recall counts: a fact its names, predicate, value, statement, role, quotes, contexts,
-- path and via; a report its title and summary; a passage its quote and role; a string its length.
-- Returns: one row an item kept: ordinal from 1, item, its characters, their running sum, all in
-- Unicode code points.   Raises: TS005.   Runs as: caller, reads no table.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.budgeted_item') is null then
        create type memory_v1.budgeted_item as (
            ordinal integer,
            item jsonb,
            characters integer,
            running integer
        );
        comment on type memory_v1.budgeted_item is 'An item that a budget of characters holds.';
    end if;
end
$do$;

create or replace function memory_v1.budget_cut(items jsonb, max_characters integer)
returns setof memory_v1.budgeted_item
language plpgsql
immutable
parallel safe
rows 40
set search_path = pg_catalog, pg_temp
as $func$
begin
    if budget_cut.items is null or jsonb_typeof(budget_cut.items) <> 'array'
        or budget_cut.max_characters is null or budget_cut.max_characters < 1
    then
        raise exception using
            errcode = 'TS005',
            message = 'invalid_argument',
            detail = 'items must be a jsonb array and max_characters at least 1',
            hint = 'Pass the facts of a bundle, for example.';
    end if;
    return query
    select r.ordinal::integer, r.item, r.characters::integer, r.running::integer
    from (
        select
            i.ordinal,
            i.item,
            c.characters,
            sum(c.characters) over (order by i.ordinal) as running
        from jsonb_array_elements(budget_cut.items) with ordinality as i (item, ordinal)
        cross join lateral (
            select case jsonb_typeof(i.item)
                when 'object' then
                    coalesce(char_length(i.item ->> 'subject'), 0)
                    + coalesce(char_length(i.item ->> 'predicate'), 0)
                    + coalesce(
                        char_length(i.item ->> 'object'), char_length(i.item ->> 'value'), 0)
                    + coalesce(char_length(i.item ->> 'statement'), 0)
                    + coalesce(char_length(i.item ->> 'source_role'), 0)
                    + coalesce(char_length(i.item ->> 'title'), 0)
                    + coalesce(char_length(i.item ->> 'summary'), 0)
                    + coalesce(char_length(i.item ->> 'quote'), 0)
                    + coalesce(char_length(i.item ->> 'role'), 0)
                    + (
                        select coalesce(sum(
                            coalesce(char_length(e.piece ->> 'quote'), 0)
                            + coalesce(char_length(e.piece ->> 'context'), 0)), 0)
                        from jsonb_array_elements(
                            case jsonb_typeof(i.item -> 'evidence')
                                when 'array' then i.item -> 'evidence'
                                else '[]'
                            end
                        ) as e (piece)
                    )
                    + (
                        select coalesce(sum(char_length(p.name)), 0)
                        from jsonb_array_elements_text(
                            case jsonb_typeof(i.item -> 'path')
                                when 'array' then i.item -> 'path'
                                else '[]'
                            end
                            || case jsonb_typeof(i.item -> 'via')
                                when 'array' then i.item -> 'via'
                                else '[]'
                            end
                        ) as p (name)
                    )
                else coalesce(char_length(i.item #>> '{}'), 0)
            end as characters
        ) as c
    ) as r
    where r.running <= budget_cut.max_characters
    order by r.ordinal;
end
$func$;
comment on function memory_v1.budget_cut(jsonb, integer) is
'Items in order until the first that does not fit a budget of characters.';
revoke all on function memory_v1.budget_cut(jsonb, integer) from public;
grant execute on function memory_v1.budget_cut(jsonb, integer) to taisce_reader, taisce_analyst;
