-- taisce.load_observations(project_id, lines, now)
-- Stores the observations of some lines with their messages, in order. A key met again with the
-- same content changes nothing. An offset beyond the next one leaves empty places before it.
-- Returns: the lines with what they stand for; fresh ones were stored.
-- Raises: TS007, TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_observations(
    project_id bigint,
    lines taisce.load_line[],
    now timestamptz
)
returns taisce.load_observation[]
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_lines taisce.load_observation[];
    v_stored bigint;
    v_new bigint;
    v_bad record;
begin
    v_lines := array(
        select row(
            l.line, d.key, d.alias,
            coalesce((
                select o.observation_id
                from taisce.observation as o
                where o.project_id = load_observations.project_id
                  and o.idempotency_key between d.key and d.key
                order by o.idempotency_key
                limit 1
            ), case
                when d.key is not null
                    then taisce.make_id('observation', load_observations.project_id, d.key)
                else taisce.make_id('observation-content', load_observations.project_id,
                    encode(d.digest, 'hex'))
            end),
            null, d.digest, false, l.body
        )::taisce.load_observation
        from unnest(load_observations.lines) as l
        cross join lateral (
            select
                coalesce(l.body ->> 'idempotency_key', l.body ->> 'key') as key,
                case when l.body ->> 'idempotency_key' <> l.body ->> 'key'
                    then l.body ->> 'key' end as alias,
                taisce.observation_digest(
                    coalesce(l.body ->> 'kind', 'turn'), l.body ->> 'data_subject_id',
                    (l.body ->> 'occurred_at')::timestamptz, l.body ->> 'lineage',
                    l.body ->> 'title', l.body ->> 'source_kind', l.body ->> 'source_ref',
                    l.body -> 'messages') as digest
            offset 0
        ) as d
        where l.type = 'observation'
        order by l.line
    );
    if cardinality(v_lines) = 0 then
        return v_lines;
    end if;

    -- A key stands for what was stored under it first, here or earlier.
    select n.line, n.reason
    into v_bad
    from (
        select l.line,
            case
                when o.erased then 'stands for an observation that was erased'
                when o.observation_id is not null and o.content_digest <> l.digest
                    or first_value(l.digest) over (
                        partition by l.observation_id order by l.line) <> l.digest
                    then 'was used before with other content'
                when o.log_offset <> (l.body ->> 'log_offset')::bigint
                    then 'was stored at another offset'
            end as reason
        from unnest(v_lines) as l
        left join lateral (
            select k.observation_id, k.erased, k.content_digest, k.log_offset
            from taisce.observation as k
            where k.project_id = load_observations.project_id
              and k.observation_id between l.observation_id and l.observation_id
            order by k.observation_id
            limit 1
        ) as o on true
    ) as n
    where n.reason is not null
    order by n.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, 'key', v_bad.reason, 'TS007');
    end if;

    select c.stored
    into strict v_stored
    from taisce.project_clock as c
    where c.project_id = load_observations.project_id;

    v_lines := array(
        with known as (
            select l.*,
                o.log_offset as known_offset,
                o.observation_id is null
                    and row_number() over (partition by l.observation_id order by l.line) = 1
                    as is_new
            from unnest(v_lines) as l
            left join lateral (
                select k.observation_id, k.log_offset
                from taisce.observation as k
                where k.project_id = load_observations.project_id
                  and k.observation_id between l.observation_id and l.observation_id
                order by k.observation_id
                limit 1
            ) as o on true
        ),
        numbered as (
            select k.*,
                count(*) filter (where k.is_new) over (order by k.line) as number
            from known as k
        )
        select row(
            n.line, n.key, n.alias, n.observation_id,
            case when n.is_new then n.number + greatest(v_stored, max(
                case when n.is_new then (n.body ->> 'log_offset')::bigint - n.number end
            ) over (order by n.line)) else n.known_offset end,
            n.digest, n.is_new, n.body
        )::taisce.load_observation
        from numbered as n
        order by n.line
    );

    select l.line
    into v_bad
    from unnest(v_lines) as l
    where l.fresh
      and (l.body ->> 'log_offset')::bigint <> l.log_offset
    order by l.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, 'log_offset', 'is not beyond the last offset');
    end if;

    insert into taisce.observation (
        project_id, observation_id, log_offset, kind, source_role, data_subject_id, occurred_at,
        ingested_at, lineage, source_kind, source_ref, title, idempotency_key, content_digest,
        message_count, characters, retention_until, formed_at, parked_at, parked_reason
    )
    select
        load_observations.project_id, l.observation_id, l.log_offset,
        coalesce(l.body ->> 'kind', 'turn'), l.body #>> '{messages,0,role}',
        l.body ->> 'data_subject_id', (l.body ->> 'occurred_at')::timestamptz,
        load_observations.now, coalesce(l.body ->> 'lineage', l.observation_id::text),
        l.body ->> 'source_kind', l.body ->> 'source_ref', l.body ->> 'title', l.key, l.digest,
        jsonb_array_length(l.body -> 'messages'),
        (
            select sum(char_length(m.value ->> 'content'))
            from jsonb_array_elements(l.body -> 'messages') as m
        ),
        coalesce((l.body ->> 'retention_until')::timestamptz, 'infinity'),
        case when l.body ->> 'parked' is null
            and coalesce((l.body ->> 'formed')::boolean, true) then load_observations.now end,
        case when l.body ->> 'parked' is not null then load_observations.now end,
        l.body ->> 'parked'
    from unnest(v_lines) as l
    where l.fresh;
    get diagnostics v_new = row_count;
    if v_new = 0 then
        return v_lines;
    end if;

    insert into taisce.message (
        project_id, observation_id, ordinal, passage_id, log_offset, role, content, characters,
        octets, occurred_at, content_digest, data_subject_id, retention_until
    )
    select
        load_observations.project_id, l.observation_id, m.ordinality - 1,
        taisce.make_id('passage', load_observations.project_id,
            l.observation_id || '/' || m.ordinality - 1),
        l.log_offset, m.value ->> 'role', m.value ->> 'content',
        char_length(m.value ->> 'content'), octet_length(m.value ->> 'content'),
        coalesce((m.value ->> 'occurred_at')::timestamptz, (l.body ->> 'occurred_at')::timestamptz),
        sha256(convert_to(m.value ->> 'content', 'UTF8')), l.body ->> 'data_subject_id',
        coalesce((l.body ->> 'retention_until')::timestamptz, 'infinity')
    from unnest(v_lines) as l
    cross join lateral jsonb_array_elements(l.body -> 'messages') with ordinality as m
    where l.fresh;

    insert into taisce.observation (
        project_id, observation_id, log_offset, kind, source_role, ingested_at, lineage,
        message_count, characters, erased
    )
    select
        load_observations.project_id,
        taisce.make_id('gap', load_observations.project_id, g.log_offset::text), g.log_offset,
        'turn', 'user', load_observations.now, '', 0, 0, true
    from (
        select l.log_offset,
            lag(l.log_offset, 1, v_stored) over (order by l.line) as before
        from unnest(v_lines) as l
        where l.fresh
    ) as f
    cross join lateral generate_series(f.before + 1, f.log_offset - 1) as g (log_offset)
    where f.log_offset > f.before + 1;

    insert into taisce.load_key (project_id, kind, key, id)
    select load_observations.project_id, 'observation', l.alias, l.observation_id
    from unnest(v_lines) as l
    where l.fresh
      and l.alias is not null
    on conflict do nothing;

    update taisce.project_clock as c
    set stored = f.stored,
        parked = c.parked + f.parked
    from (
        select max(l.log_offset) as stored,
            count(*) filter (where l.body ->> 'parked' is not null) as parked
        from unnest(v_lines) as l
        where l.fresh
    ) as f
    where c.project_id = load_observations.project_id;
    perform taisce.advance_formed(load_observations.project_id);
    return v_lines;
end
$func$;
comment on function taisce.load_observations(bigint, taisce.load_line[], timestamptz) is
'Stores the observations of some lines with their messages, in order.';
revoke all on function taisce.load_observations(bigint, taisce.load_line[], timestamptz)
from public;
