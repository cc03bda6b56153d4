-- taisce.spots_around(project_id, passage_ids, roles, subject)
-- Where some messages stand in their observations, and the messages one before and one after each
-- that a reader with these roles and this subject may see.
-- Returns: a row a message, without repeats.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.passage_spot') is null then
        create type taisce.passage_spot as (
            passage_id uuid,
            observation_id uuid,
            ordinal integer
        );
    end if;
end
$do$;

create or replace function taisce.spots_around(
    project_id bigint,
    passage_ids uuid[],
    roles text[],
    subject text
)
returns setof taisce.passage_spot
language plpgsql
stable
parallel safe
rows 400
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $func$
declare
    v_read_at constant timestamptz := statement_timestamp();
begin
    return query
    with spot as materialized (
        select m.observation_id, m.ordinal
        from unnest(spots_around.passage_ids) as i (id)
        cross join lateral (
            select n.observation_id, n.ordinal
            from taisce.message as n
            where n.project_id = spots_around.project_id
              and n.passage_id between i.id and i.id
            order by n.passage_id
            limit 1
        ) as m
    ),
    -- Messages near each other are read at once.
    stretch as materialized (
        select s.observation_id, min(s.ordinal) - 1 as first, max(s.ordinal) + 1 as last
        from (
            select j.*,
                count(*) filter (where j.apart) over (
                    partition by j.observation_id order by j.ordinal) as part
            from (
                select p.observation_id, p.ordinal,
                    p.ordinal - lag(p.ordinal) over (
                        partition by p.observation_id order by p.ordinal) > 3 as apart
                from spot as p
            ) as j
        ) as s
        group by s.observation_id, s.part
    )
    select b.passage_id, b.observation_id, b.ordinal
    from stretch as s
    cross join lateral (
        select n.passage_id, n.observation_id, n.ordinal
        from taisce.message as n
        where n.project_id = spots_around.project_id
          and n.observation_id between s.observation_id and s.observation_id
          and n.ordinal between s.first and s.last
          and n.content is not null
          and n.retention_until > v_read_at
          and n.role = any (spots_around.roles)
          and (spots_around.subject is null or n.data_subject_id = spots_around.subject)
        order by n.observation_id, n.ordinal
        offset 0
    ) as b;
end
$func$;
comment on function taisce.spots_around(bigint, uuid[], text[], text) is
'Where messages stand in their observations, and those beside them.';
revoke all on function taisce.spots_around(bigint, uuid[], text[], text) from public;
