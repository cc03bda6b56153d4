-- requires: context/context_items.sql
-- taisce.context_of(project_id, subject, max_characters, read_at)
-- The items of a context with their words, and whether something older was cut off.
-- Returns: one row.   Runs as: invoker.   Since: 0.1

create or replace function taisce.context_of(
    project_id bigint,
    subject text,
    max_characters integer,
    read_at timestamptz
)
returns table (items memory_v1.context_item[], characters bigint, truncated boolean)
language plpgsql
stable
parallel safe
rows 1
as $func$
begin
    return query
    select
        coalesce(array_agg(
            row(
                k.ordinal,
                case when k.level is null then 'turn' else 'segment' end,
                k.item_id,
                k.level,
                k.from_offset,
                k.to_offset,
                k.covered,
                k.occurred_at,
                s.summary,
                m.messages,
                k.characters
            )::memory_v1.context_item
            order by k.ordinal
        ) filter (where k.fits), '{}'),
        coalesce(max(k.running) filter (where k.fits), 0),
        coalesce(bool_or(not k.fits), false)
    from (
        select
            w.*,
            row_number() over (order by w.place desc)
                - count(*) filter (where not w.fits) over () as ordinal
        from taisce.walk_back(
            context_of.project_id, context_of.subject, context_of.max_characters,
            context_of.read_at
        ) as w
    ) as k
    left join lateral (
        select i.summary
        from taisce.segment as i
        where i.project_id = context_of.project_id
          and i.segment_id between k.item_id and k.item_id
          and k.level is not null
          and k.fits
        order by i.segment_id
        limit 1
    ) as s on true
    left join lateral (
        select jsonb_agg(i.message) as messages
        from (
            select jsonb_build_object(
                'passage_id', j.passage_id,
                'ordinal', j.ordinal,
                'role', j.role,
                'content', j.content
            ) as message
            from taisce.message as j
            where j.project_id = context_of.project_id
              and j.observation_id = k.item_id
              and k.level is null
              and k.fits
            order by j.ordinal
        ) as i
    ) as m on true;
end
$func$;
comment on function taisce.context_of(bigint, text, integer, timestamptz) is
'The items of a context with their words, and whether something older was cut off.';
revoke all on function taisce.context_of(bigint, text, integer, timestamptz) from public;
