-- memory_v1.erased_rows: what the erasing functions return.
-- taisce.erased_rows(counts)
-- Turns counts by table into rows, those of tables with nothing to erase included.
-- Returns: one row a table, by name.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.erased_rows') is null then
        create type memory_v1.erased_rows as ("table" text, rows bigint);
        comment on type memory_v1.erased_rows is
            'How many rows of a table an erasure removed or emptied.';
    end if;
end
$do$;

create or replace function taisce.erased_rows(counts jsonb)
returns setof memory_v1.erased_rows
language sql
stable
as $func$
    select t.table_name, coalesce((erased_rows.counts ->> t.table_name)::bigint, 0)
    from (
        select r.table_name
        from taisce.erasure_registry as r
        where r.depends_on <> 'kept'
          and r.table_name <> all (array[
            'community', 'posting', 'word_due', 'word_statistics', 'word_space'])
    ) as t
    order by t.table_name collate "C"
$func$;
comment on function taisce.erased_rows(jsonb) is 'Turns counts by table into rows.';
revoke all on function taisce.erased_rows(jsonb) from public;
