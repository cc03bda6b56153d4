-- taisce.pick_fact(project_id, fact_ids, key, claim_ids)
-- Which of several facts of the same content a line means: the one its key stands for, else the one
-- that rests on most of the claims, else the one told first.
-- Returns: one uuid.   Runs as: invoker.   Since: 0.1

create or replace function taisce.pick_fact(
    project_id bigint,
    fact_ids uuid[],
    key text,
    claim_ids uuid[]
)
returns uuid
language sql
stable
as $func$
    select i.fact_id
    from unnest(pick_fact.fact_ids) as i (fact_id)
    order by
        (i.fact_id = taisce.keyed_id(
            pick_fact.project_id, 'fact', to_jsonb(pick_fact.key))) desc nulls last,
        (
            select count(*)
            from taisce.fact_evidence as e
            where e.project_id = pick_fact.project_id
              and e.fact_id between i.fact_id and i.fact_id
              and e.claim_id = any (pick_fact.claim_ids)
        ) desc,
        i.fact_id
    limit 1
$func$;
comment on function taisce.pick_fact(bigint, uuid[], text, uuid[]) is
'Which of several facts of the same content a line means.';
revoke all on function taisce.pick_fact(bigint, uuid[], text, uuid[]) from public;
