-- taisce.name_is_kept(project_id, entity_id, normalized, read_at)
-- Whether a name whose source passed its retention may still be read at an instant: one of the
-- first 256 mentions of the entity that may be read spells it as well. So reads hide what expire()
-- will take away. Callers ask only after kept_until of the name.
-- Returns: true or false.   Runs as: owner, under the row security of the caller.   Since: 0.1

create or replace function taisce.name_is_kept(
    project_id bigint,
    entity_id uuid,
    normalized text,
    read_at timestamptz
)
returns boolean
language plpgsql
stable
parallel safe
security definer
set search_path = pg_catalog, pg_temp
set row_security = on
as $func$
declare
    v_most constant integer := 256;
    v_words text[];
begin
    v_words := taisce.name_words(name_is_kept.normalized);
    return cardinality(v_words) > 0 and exists (
        select
        from (
            select i.observation_id, i.ordinal, i.claim_id
            from taisce.entity_mention as i
            where i.project_id = name_is_kept.project_id
              and i.entity_id between name_is_kept.entity_id and name_is_kept.entity_id
              and i.retention_until > name_is_kept.read_at
            order by i.entity_id, i.observation_id, i.ordinal, i.claim_id
            limit v_most
        ) as n
        cross join lateral (
            select coalesce(i.content, (
                select c.quote
                from taisce.claim as c
                where c.project_id = name_is_kept.project_id
                  and c.claim_id = n.claim_id
            )) as content
            from taisce.message as i
            where i.project_id = name_is_kept.project_id
              and i.observation_id = n.observation_id
              and i.ordinal between n.ordinal and n.ordinal
            order by i.ordinal
            limit 1
        ) as m
        where strpos(
            ' ' || array_to_string(
                taisce.name_words(taisce.normalize_name(m.content)), ' ') || ' ',
            ' ' || array_to_string(v_words, ' ') || ' ') > 0
    );
end
$func$;
comment on function taisce.name_is_kept(bigint, uuid, text, timestamptz) is
'Whether a name that lost its source may be read at an instant, as another message has it.';
revoke all on function taisce.name_is_kept(bigint, uuid, text, timestamptz) from public;
grant execute on function taisce.name_is_kept(bigint, uuid, text, timestamptz)
to taisce_analyst;
