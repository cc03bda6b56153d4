-- taisce.read_evidence(project_id, fact_id, after, max_rows, read_at)
-- A page of the evidence of a fact, support first, earliest first, each quote held against the
-- bytes of its message: verified is true or false, null if the message text was released.
-- after: stance, log_offset, ordinal, byte_start and claim_id of the last row before the page.
-- Returns: items of citation/v1 with their text in bytes, running, and the key to go on from.
-- Runs as: invoker.   Since: 0.1

create or replace function taisce.read_evidence(
    project_id bigint,
    fact_id uuid,
    after text[],
    max_rows integer,
    read_at timestamptz
)
returns table (place bigint, item jsonb, running bigint, key text)
language plpgsql
stable
parallel safe
rows 8
as $func$
declare
    v_start constant text[] := coalesce(
        read_evidence.after,
        array['supports', '-1', '0', '0', '00000000-0000-0000-0000-000000000000']);
begin
    return query
    select
        e.place,
        jsonb_build_object(
            'stance', e.stance,
            'claim_id', e.claim_id,
            'observation_id', e.observation_id,
            'passage_id', m.passage_id,
            'log_offset', e.log_offset,
            'ordinal', e.ordinal,
            'role', e.role,
            'occurred_at', m.occurred_at,
            'linked_at', nullif(e.linked_at, '-infinity'),
            'quote', c.quote,
            'byte_start', e.byte_start,
            'byte_end', c.byte_end,
            'verified', v.verified,
            'context', coalesce((w.span).context, ''),
            'context_start', coalesce((w.span).context_start, e.byte_start),
            'context_complete', coalesce((w.span).context_complete, false),
            'extractor_version', c.extractor_version
        ),
        sum(octet_length(c.quote) + coalesce(octet_length((w.span).context), 0))
            over (order by e.place),
        concat_ws(',', e.stance, e.log_offset, e.ordinal, e.byte_start, e.claim_id)
    from (
        select
            r.*,
            row_number() over (
                order by r.rank, r.log_offset, r.ordinal, r.byte_start, r.claim_id
            ) as place
        from (
            select s.rank, i.*
            from (values ('supports', 0), ('contradicts', 1)) as s (stance, rank)
            cross join lateral (
                select
                    j.stance, j.log_offset, j.ordinal, j.byte_start, j.claim_id,
                    j.observation_id, j.role, j.linked_at
                from taisce.fact_evidence as j
                where j.project_id = read_evidence.project_id
                  and j.fact_id = read_evidence.fact_id
                  and j.stance = s.stance
                  and (j.log_offset, j.ordinal, j.byte_start, j.claim_id) > (
                    case when s.stance = v_start[1] then v_start[2]::bigint else -1 end,
                    v_start[3]::integer, v_start[4]::integer, v_start[5]::uuid)
                  and j.retention_until > read_evidence.read_at
                order by j.log_offset, j.ordinal, j.byte_start, j.claim_id
                limit read_evidence.max_rows
            ) as i
            where s.stance = v_start[1]
               or s.rank = 1
            order by s.rank, i.log_offset, i.ordinal, i.byte_start, i.claim_id
            limit read_evidence.max_rows
        ) as r
    ) as e
    cross join lateral (
        select i.quote, i.byte_end, i.extractor_version
        from taisce.claim as i
        where i.project_id = read_evidence.project_id
          and i.claim_id between e.claim_id and e.claim_id
        order by i.claim_id
        limit 1
    ) as c
    cross join lateral (
        select i.passage_id, i.occurred_at, i.content
        from taisce.message as i
        where i.project_id = read_evidence.project_id
          and i.observation_id = e.observation_id
          and i.ordinal between e.ordinal and e.ordinal
        order by i.ordinal
        limit 1
    ) as m
    cross join lateral (
        select substr(
            convert_to(m.content, 'UTF8'), e.byte_start + 1, c.byte_end - e.byte_start
        ) = convert_to(c.quote, 'UTF8') as verified
    ) as v
    left join lateral (
        select memory_v1.evidence_window(m.content, e.byte_start, c.byte_end) as span
        where v.verified
    ) as w on true
    order by e.place;
end
$func$;
comment on function taisce.read_evidence(bigint, uuid, text[], integer, timestamptz) is
'A page of the evidence of a fact, each quote held against the bytes of its message.';
revoke all on function taisce.read_evidence(bigint, uuid, text[], integer, timestamptz)
from public;
