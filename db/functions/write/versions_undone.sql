-- taisce.versions_undone(project_id, gone, observation_ids)
-- The facts whose times versions that are gone had a hand in: which they cut, which had to end
-- before them, which they corrected. gone: versions that were removed already.
-- Returns: fact ids in order.   Runs as: invoker.   Since: 0.1

create or replace function taisce.versions_undone(
    project_id bigint,
    gone taisce.fact_version[],
    observation_ids uuid[]
)
returns uuid[]
language sql
volatile
as $func$
    select coalesce(array_agg(distinct t.fact_id order by t.fact_id), '{}')
    from (
        select v.fact_id
        from taisce.fact_version as v
        where v.project_id = versions_undone.project_id
          and v.caused_by = any (versions_undone.observation_ids)
          and v.cause = 'superseded'
        union all
        select f.fact_id
        from taisce.fact as f
        where f.project_id = versions_undone.project_id
          and f.superseded_by = any (array(
            select g.fact_id from unnest(versions_undone.gone) as g))
        union all
        select p.fact_id
        from unnest(versions_undone.gone) as g
        cross join lateral (
            select v.fact_id
            from taisce.fact_version as v
            where v.project_id = versions_undone.project_id
              and v.subject_entity_id = g.subject_entity_id
              and v.predicate = g.predicate
              and v.source_role = g.source_role
              and coalesce(v.data_subject_id, '') = coalesce(g.data_subject_id, '')
              and v.slot
              and not v.contested
              and v.known_to = 'infinity'
              and v.valid_from < g.valid_from
            order by v.valid_from desc
            limit 1
        ) as p
        where g.slot
    ) as t
$func$;
comment on function taisce.versions_undone(bigint, taisce.fact_version[], uuid[]) is
'The facts whose times versions that are gone had a hand in.';
revoke all on function taisce.versions_undone(bigint, taisce.fact_version[], uuid[]) from public;
