-- requires: search/rank_passages.sql
-- taisce.passage_items(project_id, query, roles, most, subject, known_at)
-- The best passages for a query as they are shown: the first 512 characters of each message.
-- known_at: only what had been taken in by then; null for all.
-- Returns: at most `most` rows, best first.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.passage_item') is null then
        create type taisce.passage_item as (
            passage_id uuid,
            observation_id uuid,
            ordinal integer,
            role text,
            title text,
            quote text,
            complete boolean,
            occurred_at timestamptz,
            log_offset bigint,
            score double precision,
            why text,
            similarity double precision,
            approximate boolean
        );
    end if;
end
$do$;

create or replace function taisce.passage_items(
    project_id bigint,
    query text,
    roles text[],
    most integer,
    subject text,
    known_at timestamptz
)
returns setof taisce.passage_item
language plpgsql
stable
parallel safe
rows 10
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_shown constant integer := 512;
    v_last bigint;
begin
    if isfinite(passage_items.known_at) then
        select taisce.message_number(o.log_offset, 65535)
        into v_last
        from taisce.observation as o
        where o.project_id = passage_items.project_id
          and o.ingested_at <= passage_items.known_at
        order by o.ingested_at desc, o.log_offset desc
        limit 1;
        v_last := coalesce(v_last, 0);
    end if;
    return query
    select
        m.passage_id, m.observation_id, m.ordinal, m.role, o.title, left(m.content, v_shown),
        m.characters <= v_shown, m.occurred_at, m.log_offset, r.score, r.why,
        null::double precision, false
    from taisce.rank_passages(
        passage_items.project_id, passage_items.query, passage_items.roles, 160,
        passage_items.most + 8, passage_items.subject, null, v_last
    ) with ordinality as r (number, passage_id, score, why, exact, place)
    cross join lateral (
        select i.*
        from taisce.message as i
        where i.project_id = passage_items.project_id
          and i.passage_id between r.passage_id and r.passage_id
        order by i.passage_id
        limit 1
    ) as m
    cross join lateral (
        select i.title
        from taisce.observation as i
        where i.project_id = passage_items.project_id
          and i.observation_id between m.observation_id and m.observation_id
          and (passage_items.known_at is null or i.ingested_at <= passage_items.known_at)
        order by i.observation_id
        limit 1
    ) as o
    order by r.place
    limit passage_items.most;
end
$func$;
comment on function taisce.passage_items(bigint, text, text[], integer, text, timestamptz) is
'The best passages for a query as they are shown.';
revoke all on function taisce.passage_items(bigint, text, text[], integer, text, timestamptz)
from public;
