-- taisce.choose_evidence(project_id, fact_ids, roles, subject, linked_max, per_stance, most)
-- The evidence that facts are shown with: of each stance up to per_stance records, one of every
-- lineage before a second of any, latest assertion first (among the last hundred told); over all
-- facts at most `most`, and every fact has one before any has two, support before contradiction.
-- Returns: one row a record, by fact and place; the exact totals of both stances stand in the row
-- of place 0, which every fact has.   Runs as: invoker.   Since: 0.1

create or replace function taisce.choose_evidence(
    project_id bigint,
    fact_ids uuid[],
    roles text[],
    subject text,
    linked_max timestamptz,
    per_stance integer,
    most integer
)
returns table (
    fact integer,
    place integer,
    stance text,
    claim_id uuid,
    supports integer,
    contradicts integer
)
language plpgsql
stable
parallel safe
rows 60
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set enable_bitmapscan = off
as $func$
declare
    v_latest constant integer := 100;
    v_read_at constant timestamptz := statement_timestamp();
begin
    return query
    with ranked as materialized (
        select
            r.fact, r.stance, r.claim_id,
            row_number() over (
                partition by r.fact, r.stance
                order by r.turn, r.asserted_at desc nulls last, r.log_offset desc, r.ordinal desc,
                    r.byte_start desc, r.claim_id
            ) as number
        from (
            select
                f.place as fact, s.stance, e.*, c.asserted_at,
                row_number() over (
                    partition by f.place, s.stance, o.lineage
                    order by c.asserted_at desc nulls last, e.log_offset desc, e.ordinal desc,
                        e.byte_start desc, e.claim_id
                ) as turn
            from unnest(choose_evidence.fact_ids) with ordinality as f (fact_id, place)
            cross join (values ('supports'), ('contradicts')) as s (stance)
            cross join lateral (
                select i.claim_id, i.observation_id, i.log_offset, i.ordinal, i.byte_start
                from taisce.fact_evidence as i
                where i.project_id = choose_evidence.project_id
                  and i.fact_id between f.fact_id and f.fact_id
                  and i.stance = s.stance collate "C"
                  and i.role = any (choose_evidence.roles)
                  and (choose_evidence.subject is null
                    or i.data_subject_id = choose_evidence.subject)
                  and i.retention_until > v_read_at
                  and i.linked_at <= choose_evidence.linked_max
                order by i.fact_id desc, i.stance desc, i.log_offset desc, i.ordinal desc,
                    i.byte_start desc, i.claim_id desc
                limit v_latest
            ) as e
            cross join lateral (
                select i.asserted_at
                from taisce.claim as i
                where i.project_id = choose_evidence.project_id
                  and i.claim_id between e.claim_id and e.claim_id
                order by i.claim_id
                limit 1
            ) as c
            cross join lateral (
                select i.lineage
                from taisce.observation as i
                where i.project_id = choose_evidence.project_id
                  and i.observation_id between e.observation_id and e.observation_id
                order by i.observation_id
                limit 1
            ) as o
        ) as r
    ),
    queued as materialized (
        select
            r.fact, r.stance, r.claim_id,
            row_number() over (
                partition by r.fact order by r.number, r.stance desc
            ) as place
        from ranked as r
        where r.number <= choose_evidence.per_stance
    )
    select f.place::integer, 0, null::text, null::uuid, t.supports::integer, t.contradicts::integer
    from unnest(choose_evidence.fact_ids) with ordinality as f (fact_id, place)
    cross join lateral (
        select
            count(*) filter (where i.stance = 'supports') as supports,
            count(*) filter (where i.stance = 'contradicts') as contradicts
        from taisce.fact_evidence as i
        where i.project_id = choose_evidence.project_id
          and i.fact_id between f.fact_id and f.fact_id
          and i.role = any (choose_evidence.roles)
          and (choose_evidence.subject is null or i.data_subject_id = choose_evidence.subject)
          and i.retention_until > v_read_at
          and i.linked_at <= choose_evidence.linked_max
    ) as t
    union all
    select q.fact::integer, q.place::integer, q.stance, q.claim_id, null, null
    from (
        select i.*
        from queued as i
        order by i.place, i.fact
        limit choose_evidence.most
    ) as q
    order by 1, 2;
end
$func$;
comment on function taisce.choose_evidence(
    bigint, uuid[], text[], text, timestamptz, integer, integer
) is 'The evidence that facts are shown with, shared out among them, with exact totals.';
revoke all on function taisce.choose_evidence(
    bigint, uuid[], text[], text, timestamptz, integer, integer
) from public;
