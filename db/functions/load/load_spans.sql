-- taisce.load_spans(project_id, lines, fresh, now)
-- Finds the spans that claim lines and the evidence of facts quote, and stores a claim for each
-- that has none yet. fresh: the observations of these lines, for the order of lines.
-- Returns: one row: a span for each claim line (item null) and piece of evidence; how many claims
-- were stored, and how many claim lines said nothing new.
-- Raises: TS007, TS008.   Runs as: invoker.   Since: 0.1

create or replace function taisce.load_spans(
    project_id bigint,
    lines taisce.load_line[],
    fresh taisce.load_observation[],
    now timestamptz,
    out spans taisce.load_span[],
    out claims bigint,
    out repeated bigint
)
returns record
language plpgsql
volatile
set enable_nestloop = off
as $func$
declare
    v_more taisce.load_span[];
    v_stored uuid[];
    v_keys text[];
    v_bad record;
begin
    -- Quotes first. byte_start -1: not found, -2: more than once; the id tells what is missing.
    load_spans.spans := array(
        with part as materialized (
            select l.line, null::integer as item, l.body, l.body -> 'observation' as observation,
                coalesce(l.body #>> '{observation,key}', l.body ->> 'observation') as key
            from unnest(load_spans.lines) as l
            where l.type = 'claim'
            union all
            select l.line, (e.ordinality - 1)::integer, e.value, e.value -> 'observation',
                coalesce(e.value #>> '{observation,key}', e.value ->> 'observation')
            from unnest(load_spans.lines) as l
            cross join lateral jsonb_array_elements(l.body -> 'evidence') with ordinality as e
            where l.type = 'fact'
              and e.value ->> 'claim' is null
        )
        select row(
            p.line, p.item, coalesce(p.body ->> 'stance', 'supports'), o.observation_id, m.ordinal,
            s.byte_start, s.byte_start + octet_length(p.body ->> 'quote'),
            case when s.byte_start >= 0 then taisce.claim_key(
                load_spans.project_id, o.observation_id, m.ordinal, s.byte_start,
                s.byte_start + octet_length(p.body ->> 'quote'),
                coalesce(p.body ->> 'claim_text', p.body ->> 'quote'))
            end,
            m.role, o.log_offset, o.data_subject_id, o.retention_until
        )::taisce.load_span
        from part as p
        cross join lateral (
            select coalesce((
                select b.observation_id
                from taisce.observation as b
                where b.project_id = load_spans.project_id
                  and b.idempotency_key between p.key and p.key
                order by b.idempotency_key
                limit 1
            ), (
                select k.id
                from taisce.load_key as k
                where k.project_id = load_spans.project_id
                  and k.kind = 'observation'
                  and k.key between p.key and p.key
                order by k.key
                limit 1
            ), (p.observation ->> 'id')::uuid) as id
            offset 0
        ) as i
        left join lateral (
            select b.observation_id, b.log_offset, b.data_subject_id, b.retention_until
            from taisce.observation as b
            where b.project_id = load_spans.project_id
              and b.observation_id between i.id and i.id
            order by b.observation_id
            limit 1
        ) as o on true
        left join lateral (
            select g.ordinal, g.role, g.content
            from taisce.message as g
            where g.project_id = load_spans.project_id
              and g.observation_id between i.id and i.id
              and g.ordinal = coalesce((p.body ->> 'ordinal')::integer, 0)
            order by g.observation_id
            limit 1
        ) as m on true
        cross join lateral (
            select case
                when m.content is null or p.body ->> 'quote' is null then null
                when p.body ->> 'byte_start' is not null then case
                    when substring(convert_to(m.content, 'UTF8')
                        from (p.body ->> 'byte_start')::integer + 1
                        for octet_length(p.body ->> 'quote'))
                        = convert_to(p.body ->> 'quote', 'UTF8')
                    then (p.body ->> 'byte_start')::integer
                    else -3
                end
                else (
                    select case
                        when f.place = 0 then -1
                        when strpos(substr(m.content, f.place + 1), p.body ->> 'quote') > 0 then -2
                        else octet_length(left(m.content, f.place - 1))
                    end
                    from (select strpos(m.content, p.body ->> 'quote') as place offset 0) as f
                )
            end as byte_start
            offset 0
        ) as s
        order by p.line, p.item
    );

    select n.line, coalesce('evidence[' || n.item || '].', '') || n.field as field, n.reason
    into v_bad
    from (
        select s.line, s.item,
            case
                when s.observation_id is null or f.line > s.line then 'observation'
                when s.role is null then 'ordinal'
                when s.byte_start = -3 then 'byte_start'
                else 'quote'
            end as field,
            case
                when s.observation_id is null or f.line > s.line
                    then 'is not an observation declared before'
                when s.role is null then 'is not a message of the observation'
                when s.byte_start is null then 'is missing, or the message was released'
                when s.byte_start = -1 then 'does not occur in the message'
                when s.byte_start = -2 then 'occurs more than once: give byte_start'
                when s.byte_start = -3 then 'is not where the quote stands'
            end as reason
        from unnest(load_spans.spans) as s
        left join (
            select o.observation_id, min(o.line) as line
            from unnest(load_spans.fresh) as o
            group by o.observation_id
            having bool_or(o.fresh)
        ) as f on f.observation_id = s.observation_id
    ) as n
    where n.reason is not null
    order by n.line, n.item
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, v_bad.field, v_bad.reason);
    end if;

    with stored as (
        insert into taisce.claim (
            project_id, claim_id, observation_id, ordinal, byte_start, byte_end, quote, claim_text,
            role, log_offset, data_subject_id, retention_until, asserted_at, claim_valid_from,
            claim_valid_until, claim_valid_precision, is_attributed, is_current_testimony,
            extractor_version, ingested_at
        )
        select distinct on (s.claim_id)
            load_spans.project_id, s.claim_id, s.observation_id, s.ordinal, s.byte_start,
            s.byte_end, p.body ->> 'quote',
            coalesce(p.body ->> 'claim_text', p.body ->> 'quote'), s.role,
            s.log_offset, s.data_subject_id, s.retention_until,
            (p.body ->> 'asserted_at')::timestamptz, (p.body ->> 'claim_valid_from')::timestamptz,
            (p.body ->> 'claim_valid_until')::timestamptz,
            coalesce(p.body ->> 'claim_valid_precision', 'unknown'),
            coalesce((p.body ->> 'is_attributed')::boolean, false),
            coalesce((p.body ->> 'is_current_testimony')::boolean, true),
            p.body ->> 'extractor_version', load_spans.now
        from unnest(load_spans.spans) as s
        join unnest(load_spans.lines) as l on l.line = s.line
        cross join lateral (
            select case when s.item is null then l.body else l.body -> 'evidence' -> s.item
                end as body
        ) as p
        -- An admin field that a claim line alone can have must not be lost to evidence beside it.
        order by s.claim_id, s.item is not null, s.line
        on conflict do nothing
        returning claim.claim_id
    )
    select coalesce(array_agg(s.claim_id), '{}'), count(*)
    into v_stored, load_spans.claims
    from stored as s;
    select count(*)
    into load_spans.repeated
    from unnest(load_spans.spans) as s
    where s.item is null
      and s.claim_id <> all (v_stored);

    -- A claim is immutable: what a line says about a known one must be what is known.
    select c.line
    into v_bad
    from (
        select s.line, k.claim_id,
            row((l.body ->> 'asserted_at')::timestamptz,
                (l.body ->> 'claim_valid_from')::timestamptz,
                (l.body ->> 'claim_valid_until')::timestamptz,
                coalesce(l.body ->> 'claim_valid_precision', 'unknown'),
                coalesce((l.body ->> 'is_attributed')::boolean, false),
                l.body ->> 'extractor_version') as said,
            row(k.asserted_at, k.claim_valid_from, k.claim_valid_until, k.claim_valid_precision,
                k.is_attributed, k.extractor_version) as known
        from unnest(load_spans.spans) as s
        join unnest(load_spans.lines) as l on l.line = s.line
        join lateral (
            select d.*
            from taisce.claim as d
            where d.project_id = load_spans.project_id
              and d.claim_id between s.claim_id and s.claim_id
            order by d.claim_id
            limit 1
        ) as k on true
        where s.item is null
    ) as c
    where c.said is distinct from c.known
    order by c.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, 'quote',
            'is a claim already, of which something else was said', 'TS007');
    end if;

    for v_bad in
        select s.claim_id, (l.body ->> 'is_current_testimony')::boolean as is_current
        from unnest(load_spans.spans) as s
        join unnest(load_spans.lines) as l on l.line = s.line
        where s.item is null
          and l.body ->> 'is_current_testimony' is not null
        order by l.line
    loop
        update taisce.claim as c
        set is_current_testimony = v_bad.is_current
        where c.project_id = load_spans.project_id
          and c.claim_id = v_bad.claim_id
          and c.is_current_testimony <> v_bad.is_current;
    end loop;

    with stored as (
        insert into taisce.load_key (project_id, kind, key, id)
        select load_spans.project_id, 'claim', l.body ->> 'key', s.claim_id
        from unnest(load_spans.spans) as s
        join unnest(load_spans.lines) as l on l.line = s.line
        where s.item is null
          and l.body ->> 'key' is not null
        on conflict do nothing
        returning load_key.key
    )
    select coalesce(array_agg(s.key), '{}') into v_keys from stored as s;
    select l.line
    into v_bad
    from unnest(load_spans.spans) as s
    join unnest(load_spans.lines) as l on l.line = s.line
    cross join lateral (select l.body ->> 'key' as key offset 0) as g
    where s.item is null
      and s.claim_id <> (
        select k.id
        from taisce.load_key as k
        where k.project_id = load_spans.project_id
          and k.kind = 'claim'
          and k.key between g.key and g.key
        order by k.key
        limit 1
      )
    order by l.line
    limit 1;
    if found then
        perform taisce.refuse_line(v_bad.line, 'key', 'was used before for another claim', 'TS007');
    end if;

    v_more := array(
        select row(
            l.line, (e.ordinality - 1)::integer, coalesce(e.value ->> 'stance', 'supports'),
            c.observation_id, c.ordinal, c.byte_start, c.byte_end, c.claim_id, c.role,
            c.log_offset, c.data_subject_id, c.retention_until
        )::taisce.load_span
        from unnest(load_spans.lines) as l
        cross join lateral jsonb_array_elements(l.body -> 'evidence') with ordinality as e
        cross join lateral (
            select coalesce((
                select k.id
                from taisce.load_key as k
                where k.project_id = load_spans.project_id
                  and k.kind = 'claim'
                  and k.key between g.key and g.key
                order by k.key
                limit 1
            ), g.id) as id
            from (
                select coalesce(e.value #>> '{claim,key}', e.value ->> 'claim') as key,
                    (e.value #>> '{claim,id}')::uuid as id
                offset 0
            ) as g
            offset 0
        ) as i
        left join lateral (
            select d.*
            from taisce.claim as d
            where d.project_id = load_spans.project_id
              and d.claim_id between i.id and i.id
            order by d.claim_id
            limit 1
        ) as c on true
        where l.type = 'fact'
          and e.value ->> 'claim' is not null
        order by l.line, e.ordinality
    );
    if cardinality(v_more) > 0 then
        select s.line, s.item
        into v_bad
        from unnest(v_more) as s
        join unnest(load_spans.lines) as l on l.line = s.line
        left join (
            select k.key, min(c.line) as line
            from unnest(v_keys) as k (key)
            join unnest(load_spans.lines) as c on c.type = 'claim' and c.body ->> 'key' = k.key
            group by k.key
        ) as d on d.key = coalesce(l.body #>> array['evidence', s.item::text, 'claim', 'key'],
            l.body #>> array['evidence', s.item::text, 'claim'])
        where s.claim_id is null
           or d.line > s.line
        order by s.line, s.item
        limit 1;
        if found then
            perform taisce.refuse_line(v_bad.line, 'evidence[' || v_bad.item || '].claim',
                'is not a claim declared before');
        end if;
        load_spans.spans := load_spans.spans || v_more;
    end if;
end
$func$;
comment on function taisce.load_spans(
    bigint, taisce.load_line[], taisce.load_observation[], timestamptz
) is 'Finds the spans that lines quote, and stores the claims they make.';
revoke all on function taisce.load_spans(
    bigint, taisce.load_line[], taisce.load_observation[], timestamptz
) from public;
