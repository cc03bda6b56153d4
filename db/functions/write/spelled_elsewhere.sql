-- taisce.spelled_elsewhere(project_id, entity_id, normalized)
-- The first observation that mentions an entity in a message which has this name word for word; of
-- a released message, its quotes count.
-- Returns: one id, or null.   Runs as: invoker.   Since: 0.1

create or replace function taisce.spelled_elsewhere(
    project_id bigint,
    entity_id uuid,
    normalized text
)
returns uuid
language plpgsql
volatile
as $func$
declare
    v_words constant text[] := taisce.name_words(spelled_elsewhere.normalized);
    v_spelled constant text := ' ' || array_to_string(v_words, ' ') || ' ';
begin
    if cardinality(v_words) = 0 then
        return null;
    end if;
    return (
        select m.observation_id
        from taisce.entity_mention as n
        cross join lateral (
            select i.observation_id, i.log_offset, i.ordinal, coalesce(i.content, (
                select c.quote
                from taisce.claim as c
                where c.project_id = spelled_elsewhere.project_id
                  and c.claim_id = n.claim_id
            )) as content
            from taisce.message as i
            where i.project_id = spelled_elsewhere.project_id
              and i.observation_id = n.observation_id
              and i.ordinal = n.ordinal
            offset 0
        ) as m
        where n.project_id = spelled_elsewhere.project_id
          and n.entity_id = spelled_elsewhere.entity_id
          and strpos(
            ' ' || array_to_string(
                taisce.name_words(taisce.normalize_name(m.content)), ' ') || ' ',
            v_spelled) > 0
        order by m.log_offset, m.ordinal
        limit 1
    );
end
$func$;
comment on function taisce.spelled_elsewhere(bigint, uuid, text) is
'The first observation that mentions an entity by this name.';
revoke all on function taisce.spelled_elsewhere(bigint, uuid, text) from public;
