-- requires: vectors/due_items.sql
-- taisce.covered_through(generation, whole)
-- The offset up to which every item of a space has a vector of what it says now. whole: looked for
-- from the beginning, else beyond what was covered before; entities and reports always whole.
-- Returns: one offset.   Runs as: invoker.   Since: 0.1

create or replace function taisce.covered_through(
    generation taisce.embedding_generation,
    whole boolean
)
returns bigint
language plpgsql
stable
as $func$
declare
    v_unordered constant boolean := generation.space in ('entity', 'report');
    v_due bigint;
begin
    select min(d.log_offset)
    into v_due
    from taisce.due_items(
        generation,
        case when not covered_through.whole and not v_unordered
            then nullif(generation.covered_through_offset, 0) end,
        null,
        case when v_unordered then 1000000 else 1 end
    ) as d;
    return coalesce(
        case when v_due is not null then greatest(v_due - 1, 0) end,
        (
            select c.stored
            from taisce.project_clock as c
            where c.project_id = generation.project_id
        ));
end
$func$;
comment on function taisce.covered_through(taisce.embedding_generation, boolean) is
'The offset up to which every item of a space has a vector of what it says now.';
revoke all on function taisce.covered_through(taisce.embedding_generation, boolean) from public;
