-- taisce.asserted_fact(project_id, fact_id)
-- What an assertion came to: the fact, the one it took the place of, its contradiction group, and
-- since when it is believed as it stands (null if it is not).
-- Returns: one row.   Runs as: invoker.   Since: 0.1

do $do$
begin
    if to_regtype('memory_v1.asserted_fact') is null then
        create type memory_v1.asserted_fact as (
            fact_id uuid, superseded uuid, contradiction_group uuid, known_from timestamptz
        );
    end if;
end
$do$;
comment on type memory_v1.asserted_fact is
'A fact that was asserted, the one it took the place of, and since when it is believed as it '
'stands: null if it was retracted and the evidence was not new.';

create or replace function taisce.asserted_fact(project_id bigint, fact_id uuid)
returns memory_v1.asserted_fact
language sql
volatile
as $func$
    select
        f.fact_id,
        (
            select o.fact_id
            from (
                select i.fact_id
                from taisce.fact as i
                where i.project_id = asserted_fact.project_id
                  and i.superseded_by between asserted_fact.fact_id and asserted_fact.fact_id
                order by i.superseded_by
                offset 0
            ) as o
            order by (
                select v.known_from
                from taisce.fact_version as v
                where v.project_id = asserted_fact.project_id
                  and v.fact_id between o.fact_id and o.fact_id
                order by v.fact_id desc, v.known_from desc
                limit 1
            ) desc
            limit 1
        ),
        f.contradiction_group,
        (
            select v.known_from
            from taisce.fact_version as v
            where v.project_id = asserted_fact.project_id
              and v.fact_id between asserted_fact.fact_id and asserted_fact.fact_id
              and v.known_to = 'infinity'
            order by v.fact_id
            limit 1
        )
    from taisce.fact as f
    where f.project_id = asserted_fact.project_id
      and f.fact_id between asserted_fact.fact_id and asserted_fact.fact_id
    order by f.fact_id
    limit 1
$func$;
comment on function taisce.asserted_fact(bigint, uuid) is 'What an assertion came to.';
revoke all on function taisce.asserted_fact(bigint, uuid) from public;
