-- taisce.show_claims(project_id, claim_ids)
-- Claims as operations show them, each with the words around its quote.
-- Returns: one row a claim in the order given; one that is gone is left out.
-- Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('taisce.shown_claim') is null then
        create type taisce.shown_claim as (
            place bigint,
            claim_id uuid,
            observation_id uuid,
            ordinal integer,
            passage_id uuid,
            claim_text text,
            quote text,
            byte_start integer,
            byte_end integer,
            context text,
            context_start integer,
            context_complete boolean,
            role text,
            asserted_at timestamptz,
            claim_valid_from timestamptz,
            claim_valid_until timestamptz,
            claim_valid_precision text,
            is_current_testimony boolean,
            title text,
            source_kind text,
            lineage text,
            log_offset bigint,
            occurred_at timestamptz
        );
    end if;
end
$do$;

create or replace function taisce.show_claims(project_id bigint, claim_ids uuid[])
returns setof taisce.shown_claim
language plpgsql
stable
parallel safe
rows 50
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
begin
    return query
    select
        g.place,
        c.claim_id,
        c.observation_id,
        c.ordinal,
        m.passage_id,
        c.claim_text,
        c.quote,
        c.byte_start,
        c.byte_end,
        (m.span).context,
        (m.span).context_start,
        (m.span).context_complete,
        c.role,
        c.asserted_at,
        nullif(nullif(c.claim_valid_from, '-infinity'), 'infinity'),
        nullif(nullif(c.claim_valid_until, 'infinity'), '-infinity'),
        c.claim_valid_precision,
        c.is_current_testimony,
        o.title,
        o.source_kind,
        o.lineage,
        c.log_offset,
        m.occurred_at
    from unnest(show_claims.claim_ids) with ordinality as g (claim_id, place)
    cross join lateral (
        select i.*
        from taisce.claim as i
        where i.project_id = show_claims.project_id
          and i.claim_id between g.claim_id and g.claim_id
        order by i.claim_id
        limit 1
    ) as c
    cross join lateral (
        select i.passage_id, i.occurred_at,
            memory_v1.evidence_window(i.content, c.byte_start, c.byte_end) as span
        from taisce.message as i
        where i.project_id = show_claims.project_id
          and i.observation_id between c.observation_id and c.observation_id
          and i.ordinal = c.ordinal
        order by i.observation_id, i.ordinal
        limit 1
    ) as m
    cross join lateral (
        select i.title, i.source_kind, i.lineage
        from taisce.observation as i
        where i.project_id = show_claims.project_id
          and i.observation_id between c.observation_id and c.observation_id
        order by i.observation_id
        limit 1
    ) as o
    order by g.place;
end
$func$;
comment on function taisce.show_claims(bigint, uuid[]) is
'Claims as operations show them, each with the words around its quote.';
revoke all on function taisce.show_claims(bigint, uuid[]) from public;
