-- taisce.first_support(project_id, fact_id)
-- The observation that supports a fact first, in the order of being told.
-- Returns: one id, or null.   Runs as: invoker.   Since: 0.1

create or replace function taisce.first_support(project_id bigint, fact_id uuid)
returns uuid
language sql
stable
as $func$
    select e.observation_id
    from taisce.fact_evidence as e
    where e.project_id = first_support.project_id
      and e.fact_id between first_support.fact_id and first_support.fact_id
      and e.stance = 'supports'
    order by e.fact_id, e.stance, e.log_offset, e.ordinal, e.byte_start, e.claim_id
    limit 1
$func$;
comment on function taisce.first_support(bigint, uuid) is
'The observation that supports a fact first.';
revoke all on function taisce.first_support(bigint, uuid) from public;
